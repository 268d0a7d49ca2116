"""Dates and times: their parts, and days counted from a fixed one (Doris: date functions)."""

from __future__ import annotations

from sql.dialect.calendar import computed
from sql.dialect.function.function import spelled
from storage.types import DATE

_DAY_OF_YEAR = "(make_date({0}, 1, 1) + CAST({1} - 1 AS INTEGER))"
_DAY_OF_CALENDAR = "(DATE '0000-01-01' + CAST({0} AS INTEGER))"

FUNCTIONS = {
    "WEEKDAY": spelled("CAST(isodow({t0}) - 1 AS INTEGER)"),
    "DOW": spelled("CAST(dayofweek({t0}) + 1 AS INTEGER)"),
    "DOY": spelled("CAST(dayofyear({t0}) AS INTEGER)"),
    "MICROSECOND": spelled("CAST(microsecond({t0}) % 1000000 AS INTEGER)"),
    "MAKEDATE": spelled(f"CASE WHEN {{1}} > 0 THEN {computed(_DAY_OF_YEAR, 'makedate', '{0}', '{1}')} END", gives=DATE),
    "TO_DAYS": spelled("CAST(date_diff('day', DATE '0000-01-01', CAST({t0} AS DATE)) AS INTEGER)"),
    "FROM_DAYS": spelled(f"({computed(_DAY_OF_CALENDAR, 'from_days', '{0}')})", gives=DATE),
    "TIME_TO_SEC": spelled("CAST(epoch(CAST({0} AS TIME)) AS INTEGER)"),
}
