"""Numbers written for people, bases and masks, on single values (Doris: MONEY_FORMAT, FORMAT_NUMBER, CONV, MASK)."""

from __future__ import annotations

import math
import re
from decimal import MAX_PREC, ROUND_HALF_UP, Context, Decimal, InvalidOperation

from storage.errors import DECIMAL_PLACES, MASK_LENGTH

_NUMERALS, _LETTERS = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS = _NUMERALS + _LETTERS
_MASKED = bytes.maketrans((_LETTERS + _LETTERS.lower() + _NUMERALS).encode(), b"X" * 26 + b"x" * 26 + b"n" * 10)
_BASES = range(2, 37)
_ALL_ONES = 2**64 - 1
_NUMBER = re.compile(r"\s*([+-]?)([0-9A-Za-z]+)\s*", re.ASCII)
_UNITS = ("", "K", "M", "B", "T", "Q")
_EXACT = Context(prec=MAX_PREC, rounding=ROUND_HALF_UP)
_MOST_PLACES = 1024
_MOST_TENS = 300  # a power of ten that is a DOUBLE


def grouped(number: str, places: int) -> str | None:
    """``1,234,567.89``: rounded half up, with commas; None for what is no number."""
    _check_places(places)
    try:
        value = Decimal(number)
    except InvalidOperation:
        return None
    return f"{value.quantize(Decimal(1).scaleb(-places), context=_EXACT):,f}" if value.is_finite() else number


def grouped_double(number: float, places: int) -> str:
    """The same for a DOUBLE, which is rounded as such: 1.005 lies below itself."""
    _check_places(places)
    steps = number * 10.0**places if places <= _MOST_TENS else math.inf
    if math.isfinite(steps):
        number = math.copysign(math.floor(abs(steps) + 0.5), steps) / 10.0**places
    return f"{number:,.{places}f}"


def _check_places(places: int) -> None:
    if not 0 <= places <= _MOST_PLACES:
        raise DECIMAL_PLACES(value=places)


def scaled(number: float) -> str:
    """``1.24K``: at most three digits, and the unit."""
    size, unit = abs(number), 0
    while size >= 1000 and unit < len(_UNITS) - 1:
        size, unit = size / 1000, unit + 1
    places = 0 if size == 1 or size >= 100 else 2 if size < 10 else 1
    return f"{'-' if number < 0 else ''}{size:.{places}f}{_UNITS[unit]}"


def conv(number: str, source: int, target: int) -> str | None:
    """A number of one base in another one, as 64 bits; signed if the target is negative. None for other bases.

    What follows the last digit of the base is left out; what is no number at all is 0.
    """
    if abs(source) not in _BASES or abs(target) not in _BASES:
        return None
    found = _NUMBER.fullmatch(number.partition(".")[0])
    digits = _leading(found[2], source) if found else ""
    value = int(digits, source) if digits else 0
    negative = found is not None and found[1] == "-"
    if source < 0 and not (negative and value):
        return None
    bits = _ALL_ONES if value > _ALL_ONES else (-value if negative else value) & _ALL_ONES
    return _written(bits, target)


def mask(text: str, upper: str, lower: str, digit: str) -> str:
    """Letters and digits of ASCII replaced by their signs."""
    return text.translate(str.maketrans(_LETTERS + _LETTERS.lower() + _NUMERALS, upper * 26 + lower * 26 + digit * 10))


def mask_first(text: str, length: int) -> str:
    """The same for so many bytes at the beginning."""
    data, count = text.encode(), _checked("mask_first_n", length)
    return (data[:count].translate(_MASKED) + data[count:]).decode()


def mask_last(text: str, length: int) -> str:
    """The same for so many bytes at the end."""
    data, count = text.encode(), _checked("mask_last_n", length)
    kept = max(len(data) - count, 0)
    return (data[:kept] + data[kept:].translate(_MASKED)).decode()


def mask_middle(number: str) -> str:
    """The first three and the last four signs; of a short number some come twice."""
    return f"{number[:3]}****{number[-4:]}"


def _checked(function: str, length: int) -> int:
    if length < 0:
        raise MASK_LENGTH(function=function, value=length)
    return length


def _leading(digits: str, base: int) -> str:
    usable = _DIGITS[: max(base, 0)]
    return digits[: next((place for place, digit in enumerate(digits.upper()) if digit not in usable), len(digits))]


def _written(bits: int, base: int) -> str:
    signed = base < 0 and bits >> 63
    value, text = 2**64 - bits if signed else bits, ""
    while True:
        value, digit = divmod(value, abs(base))
        text = _DIGITS[digit] + text
        if not value:
            return f"-{text}" if signed else text
