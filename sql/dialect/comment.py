"""Strings and comments of a text, and the comments that are statements (MySQL: Comments).

mysqldump writes ``/*!40101 SET NAMES utf8 */``. Works on text of unchanged length, so that positions
stay those of the client's text. Strings and other comments are stepped over; nothing else is understood.
"""

from __future__ import annotations

import re

_PIECES = re.compile(
    r"""'(?:[^'\\]++|\\.|'')*+(?P<single>')?|"(?:[^"\\]++|\\.|"")*+(?P<double>")?|`(?:[^`]++|``)*+(?P<back>`)?"""
    r"""|--[^\r\n]*|\#[^\r\n]*|(?P<open>/\*!\d*)(?P<inside>.*?)(?P<close>\*/)|/\*.*?(?P<end>\*/)|/\*""",
    re.DOTALL | re.VERBOSE,
)
_WRONG_DIGITS = re.compile(r"\b(?:[xX]'[0-9a-fA-F]*[^0-9a-fA-F'][^']*'|[bB]'[01]*[^01'][^']*')")
_CLOSING = {
    "'": ("single", "unterminated string"),
    '"': ("double", "unterminated string"),
    "`": ("back", "unterminated identifier"),
    "/": ("end", "unclosed comment"),
}


def has_executable(text: str) -> bool:
    """Whether the text holds such a comment (a quick look; strings may fool it)."""
    return "/*!" in text


def unwrap(text: str) -> str:
    """Make such comments part of the statement: ``/*!40101 SET x = 1 */`` -> ``         SET x = 1   ``."""
    return _PIECES.sub(_unwrapped, text) if has_executable(text) else text


def _unwrapped(piece: re.Match[str]) -> str:
    if piece["open"] is None:
        return piece[0]
    return " " * len(piece["open"]) + piece["inside"] + " " * len(piece["close"])


def blank(text: str) -> str:
    """Make such comments plain space."""
    return _PIECES.sub(lambda piece: piece[0] if piece["open"] is None else " " * len(piece[0]), text)


def unfinished(text: str) -> tuple[int, str] | None:
    """Where a string, quoted name or comment begins that never ends, and what it is."""
    for piece in _PIECES.finditer(text):
        group, complaint = _CLOSING.get(piece[0][0], (None, ""))
        if group is not None and piece[group] is None and piece["open"] is None:
            return piece.start(), complaint
    return None


def malformed(text: str) -> int:
    """Where a literal such as ``x'zz'`` stands whose digits are none; the start of the text if there is none."""
    found = _WRONG_DIGITS.search(text)
    return found.start() if found else 0
