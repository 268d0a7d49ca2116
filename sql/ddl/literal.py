"""Literals of definitions - defaults, partition values - checked against a type, in the form in which it prints them.

Source: Doris documentation, "Data Types Overview".
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation

from storage.text import network
from storage.types import MAX_DECIMAL, DorisType

_DATETIME = re.compile(r"(\d{4})-?(\d{1,2})-?(\d{1,2})(?:[ T]?(\d{1,2}):?(\d{2}):?(\d{2})(?:\.(\d{1,9}))?)?")


def canonical(kind: DorisType, text: str) -> str | None:
    """The text of a literal in the form this type prints it; None when it is no value of the type."""
    try:
        return _CANONICAL[kind.name](kind, text.strip() if not kind.is_text else text)
    except (ValueError, InvalidOperation):
        return None


def _canonical_integer(kind: DorisType, text: str) -> str | None:
    low, high = kind.integer_range
    number = int(text)
    return str(number) if low <= number <= high else None


def _canonical_decimal(kind: DorisType, text: str) -> str | None:
    number = Decimal(text)
    whole = (kind.precision or MAX_DECIMAL) - (kind.scale or 0)
    return text if number.is_finite() and abs(number) < Decimal(10) ** whole else None


def _canonical_real(kind: DorisType, text: str) -> str:
    float(text)
    return text


def _canonical_boolean(kind: DorisType, text: str) -> str | None:
    return {"true": "1", "false": "0", "1": "1", "0": "0"}.get(text.lower())


def _canonical_text(kind: DorisType, text: str) -> str | None:
    return text if kind.length is None or len(text.encode()) <= kind.length else None


def _canonical_date(kind: DorisType, text: str) -> str | None:
    found = _moment(text)
    return None if found is None else f"{found[0]:04}-{found[1]:%m-%d}"


def _canonical_datetime(kind: DorisType, text: str) -> str | None:
    found = _moment(text)
    if found is None:
        return None
    year, moment = found
    whole = f"{year:04}-{moment:%m-%d %H:%M:%S}"
    return f"{whole}.{moment.microsecond:06}"[: 20 + kind.scale] if kind.scale else whole


def _moment(text: str) -> tuple[int, dt.datetime] | None:
    """The year and the rest of a date or datetime literal; year 0 exists in Doris, not in Python (4 has its days)."""
    found = _DATETIME.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    return year, dt.datetime(year or 4, month, day, hour, minute, second, int((found[7] or "").ljust(6, "0")[:6]))


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
