"""Literals of definitions - defaults, partition values - checked against a type, in the form in which it prints them.

Source: Doris documentation, "Data Types Overview".
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation

from storage.text import network
from storage.text.moment import moment
from storage.types import MAX_DECIMAL, DorisType

_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)
_BOOLEANS = {"true": "1", "false": "0", "1": "1", "0": "0"}  # fewer words than CAST reads (apache/doris: BoolLiteral)


def canonical(kind: DorisType, text: str) -> str | None:
    """The text of a literal in the form this type prints it; None when it is no value of the type."""
    try:
        return _CANONICAL[kind.name](kind, text.strip() if not kind.is_text else text)
    except (ValueError, InvalidOperation):
        return None


def _canonical_integer(kind: DorisType, text: str) -> str | None:
    low, high = kind.integer_range
    number = int(text) if _INTEGER.fullmatch(text) else None
    return str(number) if number is not None and low <= number <= high else None


def _canonical_decimal(kind: DorisType, text: str) -> str | None:
    number = Decimal(_plain(text))
    whole = (kind.precision or MAX_DECIMAL) - (kind.scale or 0)
    return text if number.is_finite() and abs(number) < Decimal(10) ** whole else None


def _canonical_real(kind: DorisType, text: str) -> str:
    float(_plain(text))
    return text


def _plain(text: str) -> str:
    """The text of a number; Python reads 1_000, Doris does not."""
    if "_" in text:
        raise ValueError(text)
    return text


def _canonical_boolean(kind: DorisType, text: str) -> str | None:
    return _BOOLEANS.get(text.lower())


def _canonical_text(kind: DorisType, text: str) -> str | None:
    return text if kind.length is None or len(text.encode()) <= kind.length else None


def _canonical_date(kind: DorisType, text: str) -> str | None:
    found = _moment(text)
    return None if found is None else f"{found[0]:04}-{found[1]:%m-%d}"


def _canonical_datetime(kind: DorisType, text: str) -> str | None:
    found = _moment(text, kind.scale or 0)
    if found is None:
        return None
    year, rest = found
    whole = f"{year:04}-{rest:%m-%d %H:%M:%S}"
    return f"{whole}.{rest.microsecond:06}"[: 20 + kind.scale] if kind.scale else whole


def _moment(text: str, digits: int = 6) -> tuple[int, dt.datetime] | None:
    """The year and the rest of a date or datetime, read and rounded as writes do; a zone has no place in a definition.

    Year 0 exists in Doris, not in Python; it has the days of year 4.
    """
    is_zero = text.startswith("0000")
    found = moment(f"0004{text[4:]}" if is_zero else text, None)
    if found is None:
        return None
    step = dt.timedelta(microseconds=10 ** (6 - digits))
    try:
        rounded = found + step / 2
    except OverflowError:
        return None
    rounded -= (rounded - dt.datetime.min) % step
    return rounded.year - 4 if is_zero else rounded.year, rounded


def _canonical_address(kind: DorisType, text: str) -> str | None:
    return (network.ipv4_text if kind.name == "ipv4" else network.ipv6_text)(text)


_CANONICAL: dict[str, Callable[[DorisType, str], str | None]] = {
    **dict.fromkeys(("tinyint", "smallint", "int", "bigint", "largeint"), _canonical_integer),
    **dict.fromkeys(("float", "double"), _canonical_real),
    **dict.fromkeys(("char", "varchar", "string"), _canonical_text),
    "decimal": _canonical_decimal,
    "boolean": _canonical_boolean,
    "date": _canonical_date,
    "datetime": _canonical_datetime,
    "ipv4": _canonical_address,
    "ipv6": _canonical_address,
}
