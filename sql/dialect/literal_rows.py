r"""Read long INSERT … VALUES lists of literals without building a tree.

    INSERT INTO t (a, b) VALUES (1, 'x'), (2, NULL)
      ->  head `INSERT INTO t (a, b) VALUES (`, columns [["1", "2"], ["x", None]]

One regular expression reads a cell and the punctuation behind it; the first thing that is no literal
(a function, DEFAULT, a comment, another statement) gives None, and the full parser takes over. A cell
costs about half a microsecond, a hundredth of a parsed one.
"""

from __future__ import annotations

import re

Cell = str | None

_HEAD = re.compile(
    r"\s*INSERT\s+INTO\s+(?:`[^`]+`|[\w.])+(?:\s*\.\s*(?:`[^`]+`|\w+))*\s*"  # target
    r"(?:\((?:\s*(?:`[^`]+`|\w+)\s*,)*\s*(?:`[^`]+`|\w+)\s*\)\s*)?VALUES\s*\(",  # column list
    re.IGNORECASE,
)
_CELL = re.compile(
    r"""\s*(?:'((?:[^'\\]|\\.|'')*)'|"((?:[^"\\]|\\.|"")*)"|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(NULL|TRUE|FALSE))"""
    r"\s*(,|\)\s*,\s*\(|\)\s*;?\s*\Z)",
    re.IGNORECASE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(.)|''|\"\"", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "Z": "\x1a", "%": "\\%", "_": "\\_"}
_WORDS: dict[str, Cell] = {"NULL": None, "TRUE": "1", "FALSE": "0"}


def read(text: str) -> tuple[str, list[list[Cell]]] | None:
    """The text before VALUES and the columns of the rows, every cell as text; None when it is not that simple."""
    head = _HEAD.match(text)
    rows = _rows(text, head.end()) if head else None
    if head is None or rows is None or any(len(row) != len(rows[0]) for row in rows):
        return None
    return text[: head.end()], [list(column) for column in zip(*rows, strict=True)]


def _rows(text: str, position: int) -> list[list[Cell]] | None:
    rows: list[list[Cell]] = []
    row: list[Cell] = []
    match_cell = _CELL.match
    while True:
        found = match_cell(text, position)
        if found is None:
            return None
        single, double, number, word, after = found.groups()
        row.append(number if number is not None else _cell(single, double, word))
        position = found.end()
        if after != ",":
            rows.append(row)
            row = []
            if after[-1] != "(":
                return rows


def _cell(single: str | None, double: str | None, word: str | None) -> Cell:
    if word is not None:
        return _WORDS[word.upper()]
    quoted = single if single is not None else double or ""
    quote = "'" if single is not None else '"'
    if "\\" not in quoted and quote not in quoted:
        return quoted
    return _ESCAPE.sub(lambda found: _unescape(found, quote), quoted)


def _unescape(found: re.Match[str], quote: str) -> str:
    """A backslash escape, or a doubled quote of the string's own kind."""
    if found[1] is None:
        return quote if found[0] == quote * 2 else found[0]
    return _ESCAPED.get(found[1], found[1])
