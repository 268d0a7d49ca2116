"""Dates of ISO 8601: ``2024``, ``2024-05``, ``2024-05-17``, ``2024-138``, ``2024-W20``, ``2024-W20-5``.

Source: Doris: FROM_ISO8601_DATE.
"""

from __future__ import annotations

import datetime
import re

_FORM = re.compile(
    r"(?P<year>\d{4})(?:-?W(?P<week>\d\d)(?:-?(?P<weekday>\d))?|-?(?P<yearday>\d{3})"
    r"|-(?P<month>\d\d)(?:-(?P<day>\d\d))?|(?P<month2>\d\d)(?P<day2>\d\d))?",
    re.ASCII,
)


def date(text: str) -> datetime.date | None:
    """One date, None where the text is none."""
    found = _FORM.fullmatch(text)
    if found is None:
        return None
    year = int(found["year"])
    try:
        if found["week"]:
            return datetime.date.fromisocalendar(year, int(found["week"]), int(found["weekday"] or 1))
        if found["yearday"]:
            day = datetime.date(year, 1, 1) + datetime.timedelta(days=int(found["yearday"]) - 1)
            return day if day.year == year else None
        return datetime.date(year, int(found["month"] or found["month2"] or 1), int(found["day"] or found["day2"] or 1))
    except (ValueError, OverflowError):
        return None
