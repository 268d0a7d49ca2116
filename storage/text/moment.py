"""Texts that are dates and times in some other form than the usual one, as moments in a time zone.

    24-5-1   2024-05-01T0:1:2Z   20240501123045   2024-05-01 10:00:00+08:00   2024-05-01 10:00:00 Asia/Tokyo

Works on columns; a text that is none gives NULL. A text without zone is in the wanted one already. Source: Doris:
CAST to DATE and DATETIME.
"""

from __future__ import annotations

import datetime
import re

import pyarrow as pa

from storage.column import Column, whole
from storage.zone import zone_info, zone_name

_SPLIT = r"(?P<year>\d{4}|\d{2})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})"
_CLOCK = r"(?P<hour>\d{1,2})(?::(?P<minute>\d{1,2})(?::(?P<second>\d{1,2})(?:\.(?P<fraction>\d*))?)?)?"
_ZONE = r"(?:\s*(?P<zone>[+-]\d{1,2}(?::?\d{2})?|[A-Za-z][\w/+-]*))?"
_FORM = re.compile(rf"{_SPLIT}(?:(?:T|\s+){_CLOCK}{_ZONE})?", re.ASCII)
_DIGITS = r"(?P<year>\d{4}|\d{2})(?P<month>\d{2})(?P<day>\d{2})"
_CLOCK_DIGITS = r"(?P<hour>\d{2})(?P<minute>\d{2})(?P<second>\d{2})(?:\.(?P<fraction>\d*))?"
_COMPACT = re.compile(rf"{_DIGITS}(?:T?{_CLOCK_DIGITS}{_ZONE})?", re.ASCII)
_OFFSET = re.compile(r"([+-]\d{1,2})(?::?(\d{2}))?")
_THIS_CENTURY = 70  # two digits below are years from 2000 on


def moments(texts: Column, zones: Column) -> pa.Array:
    """The moments of texts, each in the time zone beside it."""
    pairs = zip(whole(texts).to_pylist(), whole(zones).to_pylist(), strict=True)
    return pa.array((None if text is None else moment(text, zone) for text, zone in pairs), pa.timestamp("us"))


def zones(texts: Column) -> pa.Array:
    """The time zones that texts name, as DuckDB knows them; offsets as +08:00."""
    return pa.array((None if text is None else zone_name(text) for text in whole(texts).to_pylist()), pa.string())


def moment(text: str, zone: str | None) -> datetime.datetime | None:
    """One moment, without zone; None when there is no such day or time, or a zone where no zone is wanted."""
    text = text.strip()
    found = _FORM.fullmatch(text) or _COMPACT.fullmatch(text)
    if found is None:
        return None
    try:
        return _moved(_made(found), found["zone"], zone)
    except (ValueError, OverflowError):
        return None


def _made(found: re.Match[str]) -> datetime.datetime:
    numbers = [int(found[name] or 0) for name in ("year", "month", "day", "hour", "minute", "second")]
    if len(found["year"]) == 2:
        numbers[0] += 2000 if numbers[0] < _THIS_CENTURY else 1900
    seven = (found["fraction"] or "").ljust(7, "0")[:7]  # the seventh digit rounds half up
    return datetime.datetime(*numbers) + datetime.timedelta(microseconds=(int(seven) + 5) // 10)  # type: ignore[arg-type]


def _moved(moment: datetime.datetime, given: str | None, zone: str | None) -> datetime.datetime:
    """A moment of the given zone as the wanted zone's clocks show it."""
    if given is None:
        return moment
    offset = _OFFSET.fullmatch(given)
    name = zone_name(f"{offset[1]}:{offset[2] or '00'}" if offset else given)
    if name is None or zone is None:
        raise ValueError(given)
    return moment.replace(tzinfo=zone_info(name)).astimezone(zone_info(zone)).replace(tzinfo=None)
