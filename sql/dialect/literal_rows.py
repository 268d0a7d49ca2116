r"""Read long INSERT … VALUES lists of literals without building a tree.

    INSERT INTO t (a, b) VALUES (1, 'x'), (2, NULL)
      ->  head `INSERT INTO t (a, b) VALUES (`, columns [("1", "2"), ("'x'", "NULL")]

What a cell says depends on the column it goes to, so it is read (`texts`, `truths`) once that is known.
Rows that are all written like the first are cut where they are separated. Else one regular expression, made for the
width of the first row, finds all rows in one call; very wide ones are read cell by cell. The first thing that is no
literal (a function, DEFAULT, a comment, another statement) or a row of another width gives None, and the full parser
takes over. A cell costs a tenth or a fifth of a microsecond, a hundredth of a parsed one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

Cell = str | None

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
_PLAIN = re.compile(r"(?:0|-?[1-9][0-9]*+)(?:\.[0-9]++)?+")
_PLAINS = re.compile(rf"(?:{_PLAIN.pattern}\0)++")  # those of a column
_NUL = "\0"
_EXPONENT = re.compile(r"[eE][+-]?(\d+)")
_LONGEST = 2  # digits of the exponent of a number that is written out
_ESCAPE = re.compile(r"\\(.)|''|\"\"", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "Z": "\x1a", "%": "\\%", "_": "\\_"}
_WORDS: dict[str, Cell] = {"NULL": None, "TRUE": "1", "FALSE": "0"}


def read(text: str) -> tuple[str, list[tuple[str, ...]]] | None:
    """The text before VALUES and the columns of the rows, cells as written; None when it is not that simple."""
    head = _HEAD.match(text)
    columns = _columns(text, head.end()) if head else None
    if head is None or columns is None:
        return None
    return text[: head.end()], columns


_Columns = list[tuple[str, ...]]  # of cells as written


def _columns(text: str, position: int) -> _Columns | None:
    """The rows from a position on, which is behind the bracket of the first, as columns."""
    first = _scanned(text, position)
    if first is None:
        return None
    width = len(first.cells)
    if width > WIDEST:
        return _one_by_one(width, text, position)
    return _cut(first, text, position) or _matched(width, text, position - 1)


def _cut(first: _Row, text: str, position: int) -> _Columns | None:
    """If all rows are written like the first: cut at every separator, where every piece is a whole literal.

    A separator inside a text leaves pieces that are none.
    """
    width, end = len(first.cells), text.rfind(")")
    if first.following is None or _NUL in text or not _END.fullmatch(text, end + 1):
        return None
    between = text[text.rindex(")", position, first.following) : first.following]
    comma = _comma(text, position)
    pieces = text[position:end].replace(between, f"{comma}{_NUL}{comma}").split(comma)
    ends = pieces[width :: width + 1]
    if (len(pieces) + 1) % (width + 1) or ends.count(_NUL) != len(ends):
        return None
    columns = [tuple(pieces[place :: width + 1]) for place in range(width)]
    return columns if all(_are_strings(column) or _are_numbers(column) for column in columns) else None


def _are_strings(written: Sequence[str]) -> bool:
    """Whether each stands in single quotes and has neither such a quote nor an escape inside."""
    if written[0][0] != "'":
        return False
    count, together = len(written), f"{_NUL}{_NUL.join(written)}{_NUL}"
    is_apart = together.count(_NUL) == count + 1 and f"{_NUL}'{_NUL}" not in together
    in_quotes = together.count(f"{_NUL}'") == together.count(f"'{_NUL}") == count
    return is_apart and in_quotes and together.count("'") == 2 * count and "\\" not in together


def _are_numbers(written: Sequence[str]) -> bool:
    """Whether each is a number as SELECT prints it."""
    return _PLAINS.fullmatch(f"{_NUL.join(written)}{_NUL}") is not None


def _comma(text: str, position: int) -> str:
    """How the first cell of a row is separated from the second."""
    first = _NEXT.match(text, position)
    second = _NEXT.match(text, first.end()) if first else None
    return text[first.end(1) : second.start(1)] if first and second and first[2] == "," else ","


def _matched(width: int, text: str, position: int) -> _Columns | None:
    """If nothing but rows of that many cells stands between the position and the end."""
    wholes, *columns = zip(*_row(width).findall(text, position), strict=True)
    return columns if sum(map(len, wholes)) == len(text) - position else None


def _one_by_one(width: int, text: str, position: int) -> _Columns | None:
    """The same for rows of any width, cell by cell."""
    rows = []
    while row := _scanned(text, position):
        rows.append(row.cells)
        if len(row.cells) != width:
            return None
        if row.following is None:
            return list(zip(*rows, strict=True))
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


def texts(written: Sequence[str]) -> list[Cell]:
    """The texts of a column's cells; plain numbers and strings stand for themselves, without a look at each."""
    if _are_strings(written):
        return [cell[1:-1] for cell in written]
    return list(written) if _are_numbers(written) else [_text(cell) for cell in written]


def truths(written: Sequence[str]) -> list[Cell]:
    """The same for a BOOLEAN column: of a number only whether it is 0."""
    return [truth_text(cell) if _is_number(cell) else _text(cell) for cell in written]


def truth_text(number: str) -> str:
    """What a number is in a BOOLEAN: 0 or 1."""
    return "1" if Decimal(number) else "0"


def number_text(written: str) -> str:
    """A number as SELECT prints it, without exponent: 00012 as 12, +.5 as 0.5, 1e3 as 1000, -0 as 0.

    Text columns keep that text, and an integer cannot be read from 1e3. Very long ones stay as they are.
    """
    if _PLAIN.fullmatch(written):
        return written
    exponent = _EXPONENT.search(written)
    if exponent is not None and len(exponent[1]) > _LONGEST:
        return written
    value = Decimal(written)
    return f"{value if value else abs(value):f}"


def _is_number(written: str) -> bool:
    return written[0] not in "'\"NTFntf"


def _text(written: str) -> Cell:
    if _is_number(written):
        return number_text(written)
    quote = written[0]
    if quote not in "'\"":
        return _WORDS[written.upper()]
    quoted = written[1:-1]
    if "\\" not in quoted and quote not in quoted:
        return quoted
    return _ESCAPE.sub(lambda found: _unescape(found, quote), quoted)


def _unescape(found: re.Match[str], quote: str) -> str:
    """A backslash escape, or a doubled quote of the string's own kind."""
    if found[1] is None:
        return quote if found[0] == quote * 2 else found[0]
    return _ESCAPED.get(found[1], found[1])
