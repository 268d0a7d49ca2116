"""FROM (a) TO (b) INTERVAL n [unit]: the consecutive ranges of one clause, and their names.

Source: Doris documentation, "Manual partitioning": after the first range weeks begin
on Monday, months on their first day, years on January 1st; the last range ends at TO.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from sqlglot import exp

from sql.ddl.date_step import compact, moved, read, spelled, truncated
from sql.ddl.partition_value import typed
from sql.dialect.clause import StepPartition
from storage.catalog.model import Column
from storage.errors import STEP_COLUMNS, STEP_COUNT, STEP_INTERVAL, STEP_ORDER, STEP_UNIT

PREFIX = "p_"
MOST = 4096  # Doris: max_multi_partition_num

Step = tuple[str, str, str]  # name, lower and upper bound


def steps(clause: StepPartition, columns: Sequence[Column]) -> Iterator[Step]:
    """The ranges in order; raises STEP_… for what is no sequence of ranges."""
    if len(columns) != 1:
        raise STEP_COLUMNS()
    column, unit = columns[0], clause.args.get("unit")
    low, high = _edge(clause.args["lower"], column, unit), _edge(clause.args["upper"], column, unit)
    every = int(clause.args["every"].name)
    if every <= 0:
        raise STEP_INTERVAL()
    found = _dated(low, high, every, unit, column) if unit else _numbered(int(low), int(high), every)
    for count, step in enumerate(found):
        if count >= MOST:
            raise STEP_COUNT(limit=MOST)
        yield step


def _edge(values: Sequence[exp.Expr], column: Column, unit: str | None) -> str:
    if len(values) != 1:
        raise STEP_COLUMNS()
    if column.type.is_date != bool(unit) or (unit == "HOUR" and column.type.name == "date"):
        raise STEP_UNIT(unit=unit or "number", name=column.name, type=column.type)
    return typed(values[0], column)


def _numbered(low: int, high: int, every: int) -> Iterator[Step]:
    if low >= high:
        raise STEP_ORDER()
    while low < high:
        upper = min(low + every, high)
        yield f"{PREFIX}{low}", str(low), str(upper)
        low = upper


def _dated(low: str, high: str, every: int, unit: str, column: Column) -> Iterator[Step]:
    begin, end = read(low), read(high)
    if begin is None or end is None or begin >= end:
        raise STEP_ORDER()
    while begin < end:
        upper = min(_next(begin, every, unit) or end, end)
        yield f"{PREFIX}{compact(begin, unit)}", spelled(begin, column.type), spelled(upper, column.type)
        begin = upper


def _next(moment: dt.datetime, every: int, unit: str) -> dt.datetime | None:
    """Where the range behind this one begins."""
    aligned = moment if unit in ("HOUR", "DAY") else truncated(moment, unit)
    return moved(aligned, unit, every)
