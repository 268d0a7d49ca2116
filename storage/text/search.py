"""What is found in texts and put into them, on single values; positions and lengths are those of characters.

Source: Doris: FIND_IN_SET, COUNT_SUBSTRINGS, SUB_REPLACE, HAMMING_DISTANCE, SOUNDEX, IS_UUID.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from storage.errors import SOUNDEX_ASCII

_CODES = {
    letter: digit
    for digit, letters in {"1": "BFPV", "2": "CGJKQSXZ", "3": "DT", "4": "L", "5": "MN", "6": "R"}.items()
    for letter in letters
}
_HYPHENED = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
_UUID = re.compile(rf"{_HYPHENED}|\{{{_HYPHENED}\}}|[0-9a-f]{{32}}", re.IGNORECASE)
_SILENT = "HW"  # between two letters of one code they do not part them, unlike vowels


def find_in_set(text: str, texts: str) -> int:
    """The place of a text in a list with commas, from 1; an empty piece at its end is none."""
    pieces = (texts[:-1] if texts.endswith(",") else texts).split(",")
    return pieces.index(text) + 1 if text in pieces else 0


def count_substrings(text: str, part: str, start: int) -> int:
    """How often a part occurs from a position on, without overlaps."""
    return text.count(part, start - 1) if part and 1 <= start <= len(text) else 0


def substring_index(text: str, separator: str, count: int) -> str:
    """What stands before so many separators, or behind them counted from the right."""
    if not separator or not count:
        return ""
    pieces = text.split(separator, count) if count > 0 else text.rsplit(separator, -count)
    return separator.join(pieces[:count] if count > 0 else pieces[count:])


def ended_by(text: str, sign: str) -> str | None:
    """The text with a sign at its end; None if it is not one."""
    if len(sign) != 1:
        return None
    return text if text.endswith(sign) else text + sign


def sub_replace(text: str, new: str, start: int, length: int) -> str | None:
    """The text with `length` characters from the 0-based start on replaced; None outside of it."""
    if not 0 <= start < len(text) or length < 0:
        return None
    return text[:start] + new + text[start + length :]


def hamming(left: str, right: str) -> int:
    """At how many places two texts of one length differ."""
    return sum(one != other for one, other in zip(left, right, strict=True))


def soundex(text: str) -> str:
    """The first letter and three digits of the sounds behind it; the empty text has none."""
    found, last = "", ""
    for sign in text:
        if not sign.isascii():
            raise SOUNDEX_ASCII(value=text)
        if not sign.isalpha():
            continue
        letter = sign.upper()
        code = _CODES.get(letter, "")
        if not found:
            found = letter
        elif code and code != last:
            found += code
        if len(found) == 4:
            break
        last = last if letter in _SILENT else code
    return found.ljust(4, "0") if found else ""


def is_uuid(text: str) -> bool:
    """Whether a text is a UUID: with hyphens, with them in braces, or digits only."""
    return _UUID.fullmatch(text) is not None


def initcap(text: str) -> str:
    """The first sign of each run of letters and digits in upper case, the others in lower case."""
    found, inside = [], False
    for sign in text.lower():
        large = sign.upper()
        found.append(sign if inside or len(large) > 1 else large)
        inside = sign.isalnum()
    return "".join(found)


def overlay(text: str, start: int, length: int, new: str) -> str:
    """The text with `length` characters from the 1-based start on replaced; a negative length is all of the rest."""
    if not 1 <= start <= len(text):
        return text
    rest = "" if length < 0 else text[start - 1 + length :]
    return text[: start - 1] + new + rest


def char(codes: Sequence[int | None]) -> bytes:
    """The bytes of numbers, the first byte of each first; NULLs are left out."""
    return b"".join(_bytes(code % 2**32) for code in codes if code is not None)


def _bytes(code: int) -> bytes:
    return code.to_bytes(max((code.bit_length() + 7) // 8, 1), "big")
