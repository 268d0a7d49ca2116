"""Which partitions a dynamic table should have at a moment, and which it outlived.

Pure; sql/partition_scheduler.py asks again and again, CREATE TABLE once. Source: Doris documentation, "Dynamic
partitioning".
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace

from sql.ddl.date_step import compact, moved, read, spelled, truncated
from sql.ddl.dynamic_partition import NEVER, Rule
from sql.ddl.partition import Stamp, partition_columns, taken
from sql.ddl.range_partition import Place, span
from storage.catalog.model import Bound, Column, Partition, Table
from storage.errors import DorisError


def border(rule: Rule, now: dt.datetime, offset: int) -> dt.datetime | None:
    """Where the unit `offset` units from now begins; None outside of the calendar."""
    if rule.unit == "WEEK":
        day = moved(truncated(now, "DAY"), "WEEK", offset)
        return None if day is None else moved(day, "DAY", rule.weekday - now.isoweekday())
    if rule.unit == "MONTH":
        begin = moved(truncated(now, "MONTH"), "MONTH", offset - (1 if now.day < rule.day else 0))
        return None if begin is None else begin.replace(day=rule.day)
    return moved(truncated(now, rule.unit), rule.unit, offset)


def partition_name(rule: Rule, begin: dt.datetime) -> str:
    """Prefix and digits of the beginning; weeks as year and number of the week, which begins on Sunday."""
    if rule.unit != "WEEK":
        return f"{rule.prefix}{compact(begin, rule.unit)}"
    new_year = dt.date(begin.year, 1, 1)
    week = (begin.timetuple().tm_yday - 1 + new_year.isoweekday() % 7) // 7 + 1
    return f"{rule.prefix}{begin.year:04}_{week:02}"


def created(table: Table, rule: Rule, now: dt.datetime, stamp: Stamp) -> Iterator[Partition]:
    """The partitions that are missing; one that overlaps another by half is left out (Doris records a message)."""
    columns = partition_columns(table)
    covered = taken("RANGE", table.visible_partitions, columns)
    buckets = table.property("dynamic_partition.buckets")
    for offset in range(-rule.history, rule.end + 1):
        begin, end = border(rule, now, offset), border(rule, now, offset + 1)
        if begin is None or end is None:
            continue
        low, high = (Bound((spelled(edge, columns[0].type),)) for edge in (begin, end))
        part = Partition(0, partition_name(rule, begin), low, high, created_tso=stamp.tso)
        try:
            covered.take(part)
        except DorisError:
            continue
        yield replace(part, id=stamp.take_id(), buckets=int(buckets) if buckets else None)


def outlived(table: Table, rule: Rule, now: dt.datetime) -> Iterator[Partition]:
    """The partitions wholly outside of [start, end] and of the reserved periods."""
    low, high = border(rule, now, rule.start) if rule.start != NEVER else None, border(rule, now, rule.end + 1)
    if low is None or high is None:
        return
    columns = partition_columns(table)
    column = columns[0]
    kept = [(spelled(low, column.type), spelled(high, column.type), False)]
    kept += [(_edge(first, column), _edge(last, column), True) for first, last in rule.periods]
    for part in table.visible_partitions:
        begin, end = (edge[0] for edge in span(part, columns))
        if not any(_meets(begin, end, *period) for period in kept):
            yield part


def _edge(text: str, column: Column) -> str:
    moment = read(text)
    assert moment is not None
    return spelled(moment, column.type)


def _meets(begin: Place, end: Place, low: str, high: str, closed: bool) -> bool:
    """Whether [begin, end) and the period have a moment in common."""
    before = begin <= (0, high) if closed else begin < (0, high)
    return before and end > (0, low)
