"""What a column receives that a row does not give: left out of INSERT or a load, or given as the word DEFAULT.

    DATETIME(3) DEFAULT CURRENT_TIMESTAMP(3)  ->  '2026-09-14 10:00:00.123'

The time is that of the statement in the zone of its session, as NOW() gives it.
"""

from __future__ import annotations

import datetime

from sqlglot import exp

from sql.dialect.bound import StateCall
from sql.ingest.convert import constant
from sql.rewrite.moment import written
from storage.catalog.model import Column
from storage.errors import NO_DEFAULT
from storage.state.empty import EMPTY
from storage.types import STATES


def default_text(column: Column, now: datetime.datetime) -> str | None:
    """The text of a column's default, None for NULL; a state has none."""
    if not column.default_is_function:
        return column.default
    if column.type.is_date:
        return written(now, column.type)
    return None


def default(column: Column, now: datetime.datetime) -> str:
    """DuckDB text of a column's default; NO_DEFAULT when there is nothing."""
    if column.type.name in EMPTY:
        return EMPTY[column.type.name]
    text = default_text(column, now)
    if text is not None:
        return constant(text, column.type)
    if not column.nullable and column.auto_increment is None:
        raise NO_DEFAULT(name=column.name)
    return f"CAST(NULL AS {column.type.duckdb})"


def default_value(column: Column, now: datetime.datetime) -> exp.Expr:
    """What the word DEFAULT stands for in this column."""
    if column.type.name in STATES:
        return StateCall(this=f"{column.type.name}_empty", expressions=[])
    text = default_text(column, now)
    return exp.Null() if text is None else exp.Literal.string(text)
