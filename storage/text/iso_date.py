"""Dates of ISO 8601: ``2024``, ``2024-05``, ``2024-05-17``, ``2024-138``, ``2024-W20``, ``2024-W20-5``.

Works on columns; a text that is none gives NULL. Source: Doris: FROM_ISO8601_DATE.
"""

from __future__ import annotations

import datetime
import re

import pyarrow as pa

from storage.column import Column, whole

_FORM = re.compile(
    r"(?P<year>\d{4})(?:-?W(?P<week>\d\d)(?:-?(?P<weekday>\d))?|-?(?P<yearday>\d{3})"
    r"|-(?P<month>\d\d)(?:-(?P<day>\d\d))?|(?P<month2>\d\d)(?P<day2>\d\d))?",
    re.ASCII,
)


def dates(texts: Column) -> pa.Array:
    """The dates of texts."""
    return pa.array((None if text is None else _date(text) for text in whole(texts).to_pylist()), pa.date32())


def _date(text: str) -> datetime.date | None:
    found = _FORM.fullmatch(text)
    if found is None:
        return None
    year = int(found["year"])
    try:
        if found["week"]:
            return datetime.date.fromisocalendar(year, int(found["week"]), int(found["weekday"] or 1))
        if found["yearday"]:
            date = datetime.date(year, 1, 1) + datetime.timedelta(days=int(found["yearday"]) - 1)
            return date if date.year == year else None
        return datetime.date(year, int(found["month"] or found["month2"] or 1), int(found["day"] or found["day2"] or 1))
    except (ValueError, OverflowError):
        return None
