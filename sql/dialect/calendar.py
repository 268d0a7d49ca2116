"""Doris's calendar in DuckDB's words: 0000-01-01 to 9999-12-31, where DuckDB's own is wider.

A conversion that leaves it is NULL, as all that does not fit; a computation that leaves it is an error
(Doris: DATE_ADD, FROM_DAYS, DATETIME).
"""

from __future__ import annotations

from sql.dialect.refused import VALUE, refused
from storage.errors import OUT_OF_CALENDAR

_SPAN = "TIMESTAMP '0000-01-01' AND TIMESTAMP '9999-12-31 23:59:59.999999'"


def within(moment: str) -> str:
    """A converted moment, NULL outside of the calendar."""
    return f"CASE WHEN {moment} BETWEEN {_SPAN} THEN {moment} END"


def computed(moment: str, operation: str, *operands: str) -> str:
    """A computed moment; outside of the calendar an error that names the operation and its operands."""
    return f"CASE WHEN {moment} NOT BETWEEN {_SPAN} THEN {outside(operation, *operands)} ELSE {moment} END"


def outside(operation: str, *operands: str) -> str:
    """The error of a computation that leaves the calendar, in place of a moment."""
    message = OUT_OF_CALENDAR(operation=operation, operands=VALUE).message
    return refused(message, "TIMESTAMP", f"concat_ws(', ', {', '.join(operands)})")
