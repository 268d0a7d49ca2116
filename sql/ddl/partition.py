"""RANGE partitions: bounds from literals, their order, overlap, and the text of a range.

A lower bound None is the minimum, an upper one MAXVALUE (storage.catalog.model.Bound). Rows find
their partition elsewhere (sql/ingest). Source: types-and-ddl section 3.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from sql.ddl.name import check_object
from sql.ddl.type import canonical
from sql.dialect.clause import PartitionClause, RangePartition
from storage.catalog.model import Bound, Column, Model, Partition, Partitioning, Table
from storage.errors import (
    NOT_SUPPORTED_YET,
    PARTITION_COLUMN,
    PARTITION_COLUMN_TYPE,
    PARTITION_EMPTY,
    PARTITION_EXISTS,
    PARTITION_INTERSECTED,
    PARTITION_NOT_KEY,
    PARTITION_VALUE,
    PARTITION_VALUES,
)
from storage.types import DorisType

Point = tuple[tuple[int, int | str], ...]


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a new partition gets from outside: ids in order and the TSO of its creation."""

    take_id: Callable[[], int]
    tso: int


def partitioning(clause: PartitionClause, model: Model, columns: Sequence[Column]) -> Partitioning:
    """Check PARTITION BY; only RANGE over plain columns is built."""
    kind = str(clause.args["kind"]).upper()
    if clause.args.get("auto") or not all(isinstance(item, exp.Column) for item in clause.expressions):
        raise NOT_SUPPORTED_YET(what="AUTO PARTITION")
    if kind != "RANGE":
        raise NOT_SUPPORTED_YET(what=f"PARTITION BY {kind}")
    names = [_partition_column(item.name, model, columns).name for item in clause.expressions]
    return Partitioning("RANGE", tuple(names))


def _partition_column(name: str, model: Model, columns: Sequence[Column]) -> Column:
    column = next((column for column in columns if column.name.lower() == name.lower()), None)
    if column is None:
        raise PARTITION_COLUMN(name=name)
    if not column.type.is_integer and not column.type.is_date:
        raise PARTITION_COLUMN_TYPE(name=name, type=column.type)
    if model is not Model.DUPLICATE and not column.key:
        raise PARTITION_NOT_KEY(name=name)
    return column


def partition_columns(table: Table) -> tuple[Column, ...]:
    """The columns of PARTITION BY; none for an unpartitioned table."""
    names = table.partitioning.columns if table.partitioning else ()
    found = (table.column(name) for name in names)
    return tuple(column for column in found if column is not None)


def add(
    existing: Iterable[Partition], clauses: Iterable[exp.Expr], columns: Sequence[Column], stamp: Stamp
) -> tuple[Partition, ...]:
    """Append partitions in the order of their clauses, each against all before it."""
    found = list(existing)
    line = _Line(found, columns)
    for clause in clauses:
        part = _read(line, clause, stamp)
        line.take(part)
        found.append(part)
    return tuple(found)


class _Line:
    """The ranges taken so far, in order; they never overlap, so that neighbours are all there is to compare."""

    def __init__(self, parts: Iterable[Partition], columns: Sequence[Column]) -> None:
        self.columns = columns
        ordered = sorted(parts, key=lambda part: _span(part, columns))
        self._parts = ordered
        self._lows = [_span(part, columns)[0] for part in ordered]
        self._highs = [_span(part, columns)[1] for part in ordered]
        self.names = {part.name for part in ordered}

    def before(self, high: Bound) -> Bound:
        """Where LESS THAN begins: at the greatest upper edge below it, else at the minimum."""
        place = bisect_left(self._highs, point(high, self.columns))
        edge = self._parts[place - 1].hi if place else None
        return Bound((None,) * len(self.columns)) if edge is None else _as_lower(edge, self.columns)

    def take(self, part: Partition) -> None:
        """Put a range in its place; raises PARTITION_EMPTY and PARTITION_INTERSECTED."""
        low, high = _span(part, self.columns)
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
        self.names.add(part.name)


def _read(line: _Line, clause: exp.Expr, stamp: Stamp) -> Partition:
    if not isinstance(clause, RangePartition):
        raise NOT_SUPPORTED_YET(what=f"PARTITION {_FORMS.get(clause.key, clause.key)}")
    name = check_object("partition", clause.name)
    if name in line.names:
        raise PARTITION_EXISTS(name=name)
    high = _upper(name, clause.args["upper"], line.columns)
    lower = clause.args.get("lower")
    low = line.before(high) if lower is None else _lower(name, lower, line.columns)
    return Partition(stamp.take_id(), name, low, high, created_tso=stamp.tso)


_FORMS = {"listpartition": "VALUES IN", "steppartition": "FROM … TO … INTERVAL"}


def _upper(name: str, values: Sequence[exp.Expr], columns: Sequence[Column]) -> Bound:
    """An exclusive edge; columns without value take the type's minimum, LESS THAN MAXVALUE counts for all."""
    if all(_is_max(value) for value in values):
        return Bound((None,) * len(columns))
    _check_count(name, values, columns)
    rest = columns[len(values) :]
    given = [None if _is_max(value) else _value(value, column) for value, column in zip(values, columns, strict=False)]
    return Bound((*given, *(minimum(column.type) for column in rest)))


def _lower(name: str, values: Sequence[exp.Expr], columns: Sequence[Column]) -> Bound:
    _check_count(name, values, columns)
    given = [_value(value, column) for value, column in zip(values, columns, strict=False)]
    return _as_lower(Bound((*given, *(minimum(column.type) for column in columns[len(values) :]))), columns)


def _check_count(name: str, values: Sequence[exp.Expr], columns: Sequence[Column]) -> None:
    if not 1 <= len(values) <= len(columns):
        raise PARTITION_VALUES(name=name, count=len(values), columns=len(columns))


def _is_max(value: exp.Expr) -> bool:
    return isinstance(value, (exp.Var, exp.Column)) and value.name.upper() == "MAXVALUE"


def _value(value: exp.Expr, column: Column) -> str:
    text = f"-{value.this.name}" if isinstance(value, exp.Neg) else value.name
    found = canonical(column.type, text)
    if found is None:
        raise PARTITION_VALUE(value=text or value.sql("doris"), name=column.name)
    return found


def minimum(kind: DorisType) -> str:
    """The lowest value of a type that may partition a table."""
    return str(kind.integer_range[0]) if kind.is_integer else canonical(kind, "0000-01-01") or ""


def _as_lower(edge: Bound, columns: Sequence[Column]) -> Bound:
    """Spell an upper edge as a lower one: all minima are None, and (5, MAXVALUE) begins at (6, minimum)."""
    values = list(edge.values)
    for index in range(len(values) - 1, 0, -1):
        if values[index] is None:
            values[index] = minimum(columns[index].type)
            values[index - 1] = _successor(columns[index - 1].type, values[index - 1])
    lowest = [minimum(column.type) for column in columns]
    return Bound((None,) * len(columns) if values == lowest else tuple(values))


def _successor(kind: DorisType, text: str | None) -> str | None:
    """The next value; MAXVALUE has none."""
    if text is None:
        return None
    if kind.is_integer:
        return str(int(text) + 1)
    step = dt.timedelta(days=1) if kind.name == "date" else dt.timedelta(microseconds=10 ** (6 - (kind.scale or 0)))
    return canonical(kind, (dt.datetime.fromisoformat(text) + step).isoformat(sep=" ")) or text


def point(edge: Bound, columns: Sequence[Column], lower: bool = False) -> Point:
    """A comparable form of an edge."""
    pairs = zip(edge.values, columns, strict=True)
    return tuple(_rank(minimum(column.type) if value is None and lower else value, column) for value, column in pairs)


def _rank(value: str | None, column: Column) -> tuple[int, int | str]:
    if value is None:
        return (1, 0)
    return (0, int(value) if column.type.is_integer else value)


def _span(part: Partition, columns: Sequence[Column]) -> tuple[Point, Point]:
    unbounded = Bound((None,) * len(columns))
    return point(part.lo or unbounded, columns, lower=True), point(part.hi or unbounded, columns)


def range_text(part: Partition, columns: Sequence[Column]) -> str:
    """The bounds as SHOW CREATE TABLE prints them: ``[("0"), ("100"))``."""
    unbounded = Bound((None,) * len(columns))
    low = [minimum(c.type) if v is None else v for v, c in zip((part.lo or unbounded).values, columns, strict=True)]
    high = ["MAXVALUE" if value is None else f'"{value}"' for value in (part.hi or unbounded).values]
    quoted = ", ".join(f'"{value}"' for value in low)
    return f"[({quoted}), ({', '.join(high)}))"


def in_order(table: Table) -> list[Partition]:
    """The visible partitions by their ranges."""
    columns = partition_columns(table)
    return sorted(table.visible_partitions, key=lambda part: _span(part, columns))
