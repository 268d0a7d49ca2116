r"""Read long INSERT … VALUES lists of literals without building a tree.

    INSERT INTO t (a, b) VALUES (1, 'x'), (2, NULL)
      ->  head `INSERT INTO t (a, b) VALUES (`, columns [["1", "2"], ["x", None]]

One regular expression, made for the width of the first row, reads a whole row; very wide ones are read cell by
cell. The first thing that is no literal (a function, DEFAULT, a comment, another statement) or a row of another
width gives None, and the full parser takes over. A cell costs about a quarter of a microsecond, a two-hundredth of
a parsed one.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

Cell = str | None

# Every repetition is possessive: a text that does not fit is given up at once, whatever its length.
_NAME = r"(?:`[^`]++`|\w++)"
_HEAD = re.compile(
    rf"\s*+INSERT\s++INTO\s++{_NAME}(?:\s*+\.\s*+{_NAME})*+\s*+"  # target
    rf"(?:\((?:\s*+{_NAME}\s*+,)*+\s*+{_NAME}\s*+\)\s*+)?+VALUES\s*+\(",  # column list
    re.IGNORECASE,
)
_CELL = (
    r"""('[^'\\]*+(?:(?:\\.|'')[^'\\]*+)*+'|"[^"\\]*+(?:(?:\\.|"")[^"\\]*+)*+"|"""
    r"[+-]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][+-]?[0-9]++)?+|NULL\b|TRUE\b|FALSE\b)"
)
_NEXT = re.compile(rf"\s*+{_CELL}\s*+(,|\))", re.IGNORECASE | re.DOTALL)
_AFTER = r"\s*+(?:(,)\s*+\(|;?\s*+\Z)"
_BEHIND = re.compile(_AFTER)
WIDEST = 100  # cells that one expression reads; making it takes about half a millisecond a cell
_WHOLE = re.compile(r"(?:0|[1-9][0-9]*+)(?:,(?:0|[1-9][0-9]*+))*+")  # of a column, with commas
_PLAIN = re.compile(r"(?:0|-?[1-9][0-9]*+)(?:\.[0-9]++)?+")
_EXPONENT = re.compile(r"[eE][+-]?(\d+)")
_LONGEST = 2  # digits of the exponent of a number that is written out
_ESCAPE = re.compile(r"\\(.)|''|\"\"", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "Z": "\x1a", "%": "\\%", "_": "\\_"}
_WORDS: dict[str, Cell] = {"NULL": None, "TRUE": "1", "FALSE": "0"}


def read(text: str) -> tuple[str, list[list[Cell]]] | None:
    """The text before VALUES and the columns of the rows, every cell as text; None when it is not that simple."""
    head = _HEAD.match(text)
    rows = _rows(text, head.end()) if head else None
    if head is None or rows is None:
        return None
    *columns, _ = zip(*rows, strict=True)
    return text[: head.end()], [_column(raws) for raws in columns]


def _rows(text: str, position: int) -> list[tuple[str, ...]] | None:
    """The cells of each row as written, and in the last place whether another row follows."""
    first = _scanned(text, position)
    if first is None:
        return None
    width, rows = len(first[0]) - 1, []
    while True:
        row = _scanned(text, position) if width > WIDEST else _matched(width, text, position)
        if row is None or len(row[0]) != width + 1:
            return None
        rows.append(row[0])
        position = row[1]
        if not row[0][-1]:
            return rows


_Row = tuple[tuple[str, ...], int]  # and where the next row begins


def _matched(width: int, text: str, position: int) -> _Row | None:
    """The row at a position, if it has that many cells."""
    found = _row(width).match(text, position)
    return None if found is None else (found.groups(), found.end())


def _scanned(text: str, position: int) -> _Row | None:
    """The same for a row of any width, cell by cell."""
    cells = []
    while found := _NEXT.match(text, position):
        cells.append(found[1])
        position = found.end()
        if found[2] == ")":
            behind = _BEHIND.match(text, position)
            return None if behind is None else ((*cells, behind[1]), behind.end())
    return None


@lru_cache(64)
def _row(width: int) -> re.Pattern[str]:
    """One row of that many cells, and what stands behind it."""
    cells = r"\s*+,\s*+".join([_CELL] * width)
    return re.compile(rf"\s*+{cells}\s*+\){_AFTER}", re.IGNORECASE | re.DOTALL)


def _column(raws: tuple[str, ...]) -> list[Cell]:
    """The cells of a column; plain whole numbers stand for themselves, without a look at each."""
    return list(raws) if _WHOLE.fullmatch(",".join(raws)) else [_cell(raw) for raw in raws]


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


def _cell(raw: str) -> Cell:
    quote = raw[0]
    if quote not in "'\"":
        return number_text(raw) if quote not in "NTFntf" else _WORDS[raw.upper()]
    quoted = raw[1:-1]
    if "\\" not in quoted and quote not in quoted:
        return quoted
    return _ESCAPE.sub(lambda found: _unescape(found, quote), quoted)


def _unescape(found: re.Match[str], quote: str) -> str:
    """A backslash escape, or a doubled quote of the string's own kind."""
    if found[1] is None:
        return quote if found[0] == quote * 2 else found[0]
    return _ESCAPED.get(found[1], found[1])
