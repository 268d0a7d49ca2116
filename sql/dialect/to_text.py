"""The text of a value as Doris prints it: what CAST to STRING, text functions and writes into text columns give.

TRUE is 1, a whole DOUBLE has no point, a DATETIME(p) has exactly p digits (Doris: data type conversion, to string).
"""

from __future__ import annotations

SECONDS = "%Y-%m-%d %H:%M:%S"  # a DATETIME, for strftime of DuckDB and of Python
_MICROSECONDS = 6


def text_of(value: str, family: str | None, digits: int | None = None) -> str:
    """DuckDB text of the VARCHAR form of a value; `digits` of a datetime's seconds, None where nobody knows them."""
    if family == "boolean":
        return f"CAST(CAST({value} AS TINYINT) AS VARCHAR)"
    if family == "float":
        return f"regexp_replace(CAST({value} AS VARCHAR), '\\.0$', '')"
    if family == "document":
        return f"COALESCE(TRY_CAST({value} AS JSON) ->> '$', {value})"  # the JSON text "a" is a, null stays null
    if family == "date":
        return f"strftime({value}, '%Y-%m-%d')"  # a cast would print the year 0 as 1 BC
    if family == "datetime" and digits is not None:
        return _moment(value, digits)
    return f"CAST({value} AS VARCHAR)"


def _moment(value: str, digits: int) -> str:
    if digits == 0:
        return f"strftime({value}, '{SECONDS}')"
    text = f"strftime({value}, '{SECONDS}.%f')"
    return text if digits == _MICROSECONDS else f"left({text}, {len('2024-01-31 01:02:03.') + digits})"
