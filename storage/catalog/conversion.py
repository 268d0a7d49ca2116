"""How the stored values of a column become values of another type: the USING text of ALTER COLUMN … TYPE.

Which changes a table takes is decided in sql/ddl/type_change.py; a value that does not fit ends the
statement with an error that names it. Pure text. Source: Doris, ALTER TABLE COLUMN, supported conversions.
"""

from __future__ import annotations

from storage.naming import literal
from storage.types import DorisType

_DATES = "['%Y-%m-%d', '%y-%m-%d', '%Y%m%d', '%y%m%d', '%Y/%m/%d', '%y/%m/%d']"


def using(value: str, column: str, old: DorisType, new: DorisType) -> str:
    """DuckDB text that turns `value`, of the old type, into the new one; `column` is its name for the error."""
    converted = _converted(value, old, new)
    complaint = f"{literal(f'column {column} can not be changed to {new}, it holds ')} || CAST({value} AS VARCHAR)"
    return f"CASE WHEN {value} IS NOT NULL AND {converted} IS NULL THEN error({complaint}) ELSE {converted} END"


def _converted(value: str, old: DorisType, new: DorisType) -> str:
    if new.name == "date" and not old.is_date:
        text = value if old.is_text else f"CAST({value} AS VARCHAR)"
        return f"CAST(TRY_STRPTIME({text}, {_DATES if old.is_text else literal('%Y%m%d')}) AS DATE)"
    if new.is_integer and old.is_text:
        return f"CASE WHEN NOT contains({value}, '.') THEN TRY_CAST({value} AS {new.duckdb}) END"
    if new.is_text and old.name in ("float", "double"):
        whole = f"CAST(CAST({value} AS BIGINT) AS VARCHAR)"
        return (
            f"CASE WHEN {value} = trunc({value}) AND abs({value}) < 1e15 THEN {whole} ELSE CAST({value} AS VARCHAR) END"
        )
    return f"TRY_CAST({value} AS {new.duckdb})"
