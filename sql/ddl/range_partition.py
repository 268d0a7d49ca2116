"""RANGE partitions: bounds from literals, their order, overlap, and the text of a range.

A lower bound None is the minimum, an upper one MAXVALUE (storage.catalog.model.Bound). Rows find
their partition elsewhere (sql/ingest). Source: Doris: CREATE TABLE, partitions.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from sqlglot import exp

from sql.ddl.date_step import read, spelled
from sql.ddl.partition_value import Stamp, checked_name, minimum, typed
from sql.ddl.step_partition import steps
from sql.dialect.clause import RangePartition, StepPartition, pairs
from storage.catalog.model import Bound, Column, Partition, partition_key
from storage.errors import (
    PARTITION_CLAUSE,
    PARTITION_EMPTY,
    PARTITION_EXISTS,
    PARTITION_INTERSECTED,
    PARTITION_VALUES,
)
from storage.types import DorisType

Place = tuple[object, ...]  # NULL (-1,), a value (0, value), MAXVALUE (1,)
Point = tuple[Place, ...]


class Ranges:
    """The ranges taken so far, in order; they never overlap, so that neighbours are all there is to compare."""

    def __init__(self, parts: Iterable[Partition], columns: Sequence[Column]) -> None:
        self.columns = columns
        ordered = sorted(parts, key=lambda part: span(part, columns))
        self._parts = ordered
        self._lows = [span(part, columns)[0] for part in ordered]
        self._highs = [span(part, columns)[1] for part in ordered]
        self.names = {part.key for part in ordered}

    def read(self, clause: exp.Expr, stamp: Stamp) -> Iterator[Partition]:
        """The partitions of one clause; LESS THAN begins where the ranges taken so far end."""
        if isinstance(clause, StepPartition):
            for name, low, high in steps(clause, self.columns):
                yield self._made(name, Bound((low,)), Bound((high,)), stamp)
        elif isinstance(clause, RangePartition):
            if not (clause.args.get("exists") and partition_key(clause.name) in self.names):
                yield self._single(clause, stamp)
        else:
            raise PARTITION_CLAUSE(name=clause.name, kind="RANGE")

    def _single(self, clause: RangePartition, stamp: Stamp) -> Partition:
        name = checked_name(clause.name, self.names)
        high = _upper(name, clause.args["upper"], self.columns)
        lower = clause.args.get("lower")
        low = self._before(high) if lower is None else _lower(name, lower, self.columns)
        return self._made(name, low, high, stamp, pairs(clause.args.get("properties")))

    def _made(
        self, name: str, low: Bound, high: Bound, stamp: Stamp, properties: tuple[tuple[str, str], ...] = ()
    ) -> Partition:
        low = _as_lower(low, self.columns)
        return Partition(stamp.take_id(), name, low, high, created_tso=stamp.tso, properties=properties)

    def _before(self, high: Bound) -> Bound:
        """Where LESS THAN begins: at the greatest upper edge below it, else at the minimum."""
        place = bisect_left(self._highs, point(high, self.columns))
        edge = self._parts[place - 1].hi if place else None
        return Bound((None,) * len(self.columns)) if edge is None else edge

    def take(self, part: Partition) -> None:
        """Put a range in its place; raises PARTITION_EXISTS, PARTITION_EMPTY and PARTITION_INTERSECTED."""
        low, high = span(part, self.columns)
        if part.key in self.names:
            raise PARTITION_EXISTS(name=part.name)
        if low >= high:
            raise PARTITION_EMPTY(name=part.name)
        place = bisect_left(self._lows, low)
        if place and self._highs[place - 1] > low:
            raise PARTITION_INTERSECTED(name=part.name, other=self._parts[place - 1].name)
        if place < len(self._lows) and self._lows[place] < high:
            raise PARTITION_INTERSECTED(name=part.name, other=self._parts[place].name)
        self._parts.insert(place, part)
        self._lows.insert(place, low)
        self._highs.insert(place, high)
        self.names.add(part.key)


def _upper(name: str, values: Sequence[exp.Expr], columns: Sequence[Column]) -> Bound:
    """An exclusive edge; columns without value take the type's minimum, LESS THAN MAXVALUE counts for all."""
    if all(_is_max(value) for value in values):
        return Bound((None,) * len(columns))
    _check_count(name, values, columns)
    rest = columns[len(values) :]
    given = [None if _is_max(value) else typed(value, column) for value, column in zip(values, columns, strict=False)]
    return Bound((*given, *(minimum(column.type) for column in rest)))


def _lower(name: str, values: Sequence[exp.Expr], columns: Sequence[Column]) -> Bound:
    _check_count(name, values, columns)
    given = [typed(value, column) for value, column in zip(values, columns, strict=False)]
    return Bound((*given, *(minimum(column.type) for column in columns[len(values) :])))


def _check_count(name: str, values: Sequence[exp.Expr], columns: Sequence[Column]) -> None:
    if not 1 <= len(values) <= len(columns):
        raise PARTITION_VALUES(name=name, count=len(values), columns=len(columns))


def _is_max(value: exp.Expr) -> bool:
    return isinstance(value, (exp.Var, exp.Column)) and value.name.upper() == "MAXVALUE"


def _as_lower(edge: Bound, columns: Sequence[Column]) -> Bound:
    """Spell an upper edge as a lower one: all minima are None, and (5, MAXVALUE) begins at (6, minimum)."""
    values = list(edge.values)
    if not any(values):
        return edge
    lowest = [minimum(column.type) for column in columns]
    if None in values:
        last = values.index(None) - 1
        values = [*values[:last], _successor(columns[last].type, values[last]), *lowest[last + 1 :]]
    return Bound((None,) * len(columns) if values == lowest else tuple(values))


def _successor(kind: DorisType, text: str | None) -> str | None:
    """The next value; the last one has none."""
    assert text is not None
    if kind.is_integer:
        return str(int(text) + 1)
    moment = read(text)
    try:
        step = dt.timedelta(days=1) if kind.name == "date" else dt.timedelta(microseconds=10 ** (6 - (kind.scale or 0)))
        return text if moment is None else spelled(moment + step, kind)
    except OverflowError:
        return text


def point(edge: Bound, columns: Sequence[Column], lower: bool = False) -> Point:
    """A comparable form of an edge; what a lower one leaves open is the minimum."""
    both = zip(edge.values, columns, strict=True)
    return edge_point(
        [_value(minimum(column.type) if text is None and lower else text, column) for text, column in both]
    )


def _value(text: str | None, column: Column) -> int | str | None:
    return int(text) if text is not None and column.type.is_integer else text


def edge_point(values: Sequence[object]) -> Point:
    """An edge as a key that sorts among others and among `row_point`; None is MAXVALUE, which decides by itself."""
    if None not in values:
        return tuple((0, value) for value in values)
    return (*((0, value) for value in values[: values.index(None)]), (1,))


def row_point(values: Sequence[object]) -> Point:
    """The values of a row, where None is NULL and in front of all others, as such a key."""
    return tuple((-1,) if value is None else (0, value) for value in values)


def span(part: Partition, columns: Sequence[Column]) -> tuple[Point, Point]:
    """Both edges of a partition in comparable form."""
    unbounded = Bound((None,) * len(columns))
    return point(part.lo or unbounded, columns, lower=True), point(part.hi or unbounded, columns)


def union(parts: Iterable[Partition], columns: Sequence[Column]) -> list[tuple[Point, Point]]:
    """What some partitions cover together: ranges that touch are one (Doris: REPLACE PARTITION, strict_range)."""
    merged: list[tuple[Point, Point]] = []
    for low, high in sorted(span(part, columns) for part in parts):
        if merged and merged[-1][1] == low:
            merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    return merged


def text(part: Partition, columns: Sequence[Column]) -> str:
    """The bounds as SHOW CREATE TABLE prints them: ``[("0"), ("100"))``."""
    unbounded = Bound((None,) * len(columns))
    low = [minimum(c.type) if v is None else v for v, c in zip((part.lo or unbounded).values, columns, strict=True)]
    high = ["MAXVALUE" if value is None else f'"{value}"' for value in (part.hi or unbounded).values]
    quoted = ", ".join(f'"{value}"' for value in low)
    return f"[({quoted}), ({', '.join(high)}))"
