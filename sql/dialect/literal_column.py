"""One column of literal rows (sql/dialect/literal_rows.py): its cells as written, and what they say.

What a cell says depends on the column of the table that it goes to, so it is read once that is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

Cell = str | None

SEPARATOR = "\0"  # stands between cells, where they are looked at together
_PLAIN = re.compile(r"(?:0|-?[1-9][0-9]*+)(?:\.[0-9]++)?+")
_PLAINS = re.compile(rf"(?:{_PLAIN.pattern}{SEPARATOR})++")
_EXPONENT = re.compile(r"[eE][+-]?(\d+)")
_LONGEST = 2  # digits of the exponent of a number that is written out
_ESCAPE = re.compile(r"\\(.)|''|\"\"", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "Z": "\x1a", "%": "\\%", "_": "\\_"}
_WORDS: dict[str, Cell] = {"NULL": None, "TRUE": "1", "FALSE": "0"}


class Kind(Enum):
    """What all cells of a column are, so that none needs a look of its own."""

    STRINGS = "in single quotes, without such a quote or an escape inside"
    NUMBERS = "numbers as SELECT prints them"


@dataclass(frozen=True, slots=True)
class LiteralColumn:
    """Cells as written, at least one; without a kind they are of several, or need a closer look."""

    cells: tuple[str, ...]
    kind: Kind | None

    @classmethod
    def of(cls, cells: Iterable[str]) -> LiteralColumn:
        """The column of these cells, looked at all together."""
        written = tuple(cells)
        return cls(written, Kind.STRINGS if _are_strings(written) else Kind.NUMBERS if _are_numbers(written) else None)

    def texts(self) -> list[Cell]:
        """The texts that are converted; NULL is None."""
        if self.kind is Kind.STRINGS:
            return [*SEPARATOR.join(self.cells)[1:-1].split(f"'{SEPARATOR}'")]
        return list(self.cells) if self.kind is Kind.NUMBERS else [_text(cell) for cell in self.cells]

    def truths(self) -> list[Cell]:
        """The same for a BOOLEAN column: of a number only whether it is 0."""
        return [truth_text(cell) if _is_number(cell) else _text(cell) for cell in self.cells]


def _are_strings(cells: Sequence[str]) -> bool:
    if not cells[0].startswith("'"):
        return False
    count, together = len(cells), f"{SEPARATOR}{SEPARATOR.join(cells)}{SEPARATOR}"
    is_apart = together.count(SEPARATOR) == count + 1 and f"{SEPARATOR}'{SEPARATOR}" not in together
    in_quotes = together.count(f"{SEPARATOR}'") == together.count(f"'{SEPARATOR}") == count
    return is_apart and in_quotes and together.count("'") == 2 * count and "\\" not in together


def _are_numbers(cells: Sequence[str]) -> bool:
    return _PLAINS.fullmatch(f"{SEPARATOR.join(cells)}{SEPARATOR}") is not None


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
