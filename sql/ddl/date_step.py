"""The calendar arithmetic of partitions: units from HOUR to YEAR, where one begins and where the next one does.

Pure functions over naive datetimes; a moment behind the year 9999 is None, which a partition spells MAXVALUE.
"""

from __future__ import annotations

import calendar
import datetime as dt

from storage.types import DorisType

_DAYS = {"DAY": 1, "WEEK": 7}
_MONTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}


def moved(moment: dt.datetime, unit: str, count: int) -> dt.datetime | None:
    """The same moment `count` units later (or earlier); None outside of the calendar."""
    try:
        if unit == "HOUR":
            return moment + dt.timedelta(hours=count)
        if unit in _DAYS:
            return moment + dt.timedelta(days=count * _DAYS[unit])
        return _months_later(moment, count * _MONTHS[unit])
    except (OverflowError, ValueError):
        return None


def _months_later(moment: dt.datetime, count: int) -> dt.datetime:
    month = moment.year * 12 + moment.month - 1 + count
    year, month = divmod(month, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return moment.replace(year=year, month=month + 1, day=min(moment.day, last))


def truncated(moment: dt.datetime, unit: str) -> dt.datetime:
    """The beginning of the unit that a moment lies in; weeks begin on Monday."""
    if unit == "HOUR":
        return moment.replace(minute=0, second=0, microsecond=0)
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "WEEK":
        return day - dt.timedelta(days=day.weekday())
    if unit == "DAY":
        return day
    months = _MONTHS[unit]
    return day.replace(month=(day.month - 1) // months * months + 1, day=1)


def read(text: str) -> dt.datetime | None:
    """A date or datetime in canonical spelling; None before the year 1, which Python does not know."""
    try:
        return dt.datetime.fromisoformat(text)
    except ValueError:
        return None


def spelled(moment: dt.datetime, kind: DorisType) -> str:
    """A moment as a value of a DATE or DATETIME column."""
    day = f"{moment.year:04}-{moment:%m-%d}"
    if kind.name == "date":
        return day
    fraction = f".{moment.microsecond:06}"[: 1 + kind.scale] if kind.scale else ""
    return f"{day} {moment:%H:%M:%S}{fraction}"


_NAMES = {"HOUR": 10, "DAY": 8, "WEEK": 8, "MONTH": 6, "QUARTER": 6, "YEAR": 4}


def compact(moment: dt.datetime, unit: str) -> str:
    """The digits of a moment as far as the unit needs them: ``20240131`` for DAY."""
    return f"{moment.year:04}{moment:%m%d%H%M%S}"[: _NAMES[unit]]
