r"""Read long INSERT … VALUES lists of literals without building a tree.

    INSERT INTO t (a, b) VALUES (1, 'x'), (2, NULL)
      ->  head `INSERT INTO t (a, b) VALUES (`, columns ("1", "2") and ("'x'", "NULL")

Rows that are all written like the first are cut where they are separated. Else one regular expression, made for the
width of the first row, finds all rows in one call; very wide ones are read cell by cell. The first thing that is no
literal (a function, DEFAULT, a comment, another statement) or a row of another width gives None, and the full parser
takes over. A cell costs a tenth or a fifth of a microsecond, a hundredth of a parsed one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from sql.dialect.literal_column import SEPARATOR, LiteralColumn

# Every repetition is possessive: a text that does not fit is given up at once, whatever its length.
_NAME = r"(?:`[^`]++`|\w++)"
_HEAD = re.compile(
    rf"\s*+INSERT\s++INTO\s++{_NAME}(?:\s*+\.\s*+{_NAME})*+\s*+"  # target
    rf"(?:\((?:\s*+{_NAME}\s*+,)*+\s*+{_NAME}\s*+\)\s*+)?+VALUES\s*+\(",  # column list
    re.IGNORECASE,
)
_CELL = (  # the frequent kinds first
    r"""('[^'\\]*+(?:(?:\\.|'')[^'\\]*+)*+'|[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+|"""
    r""""[^"\\]*+(?:(?:\\.|"")[^"\\]*+)*+"|(?i:NULL|TRUE|FALSE)\b)"""
)
_NEXT = re.compile(rf"\s*+{_CELL}\s*+(,|\))", re.DOTALL)
_BEHIND = re.compile(r"\s*+(?:(,)\s*+\(|;?\s*+\Z)")
_END = re.compile(r"\s*+;?\s*+")
WIDEST = 100  # cells that one expression reads; making it takes about half a millisecond a cell


def read(text: str) -> tuple[str, list[LiteralColumn]] | None:
    """The text before VALUES and the columns of the rows; None when it is not that simple."""
    head = _HEAD.match(text)
    columns = _columns(text, head.end()) if head else None
    if head is None or columns is None:
        return None
    return text[: head.end()], columns


def _columns(text: str, position: int) -> list[LiteralColumn] | None:
    """The rows from a position on, which is behind the bracket of the first, as columns."""
    first = _scanned(text, position)
    if first is None:
        return None
    width = len(first.cells)
    if width > WIDEST:
        return _one_by_one(width, text, position)
    return _cut(first, text, position) or _matched(width, text, position - 1)


def _cut(first: _Row, text: str, position: int) -> list[LiteralColumn] | None:
    """If all rows are written like the first: cut at every separator, where every piece is a whole literal.

    A separator inside a text leaves pieces that are none.
    """
    width, end = len(first.cells), text.rfind(")")
    if first.following is None or SEPARATOR in text or not _END.fullmatch(text, end + 1):
        return None
    between = text[text.rindex(")", position, first.following) : first.following]
    comma = _comma(text, position)
    pieces = text[position:end].replace(between, f"{comma}{SEPARATOR}{comma}").split(comma)
    ends = pieces[width :: width + 1]
    if (len(pieces) + 1) % (width + 1) or ends.count(SEPARATOR) != len(ends):
        return None
    columns = [LiteralColumn.of(pieces[place :: width + 1]) for place in range(width)]
    return columns if all(column.kind for column in columns) else None


def _comma(text: str, position: int) -> str:
    """How the first cell of a row is separated from the second."""
    first = _NEXT.match(text, position)
    second = _NEXT.match(text, first.end()) if first else None
    return text[first.end(1) : second.start(1)] if first and second and first[2] == "," else ","


def _matched(width: int, text: str, position: int) -> list[LiteralColumn] | None:
    """If nothing but rows of that many cells stands between the position and the end."""
    wholes, *columns = zip(*_row(width).findall(text, position), strict=True)
    return list(map(LiteralColumn.of, columns)) if sum(map(len, wholes)) == len(text) - position else None


def _one_by_one(width: int, text: str, position: int) -> list[LiteralColumn] | None:
    """The same for rows of any width, cell by cell."""
    rows = []
    while row := _scanned(text, position):
        rows.append(row.cells)
        if len(row.cells) != width:
            return None
        if row.following is None:
            return list(map(LiteralColumn.of, zip(*rows, strict=True)))
        position = row.following
    return None


class _Row(NamedTuple):
    cells: tuple[str, ...]
    following: int | None  # where the next row begins, behind its bracket; None after the last


def _scanned(text: str, position: int) -> _Row | None:
    """The row at a position."""
    cells = []
    while found := _NEXT.match(text, position):
        cells.append(found[1])
        position = found.end()
        if found[2] == ")":
            behind = _BEHIND.match(text, position)
            return None if behind is None else _Row(tuple(cells), behind.end() if behind[1] else None)
    return None


@lru_cache(64)
def _row(width: int) -> re.Pattern[str]:
    """One row of that many cells with what stands behind it, as a whole and cell by cell.

    It begins with the bracket itself: where a text does not fit, few places are tried.
    """
    cells = r"\s*+,\s*+".join([_CELL] * width)
    return re.compile(rf"(\(\s*+{cells}\s*+\)\s*+(?:,\s*+(?=\()|;?\s*+\Z))", re.DOTALL)
