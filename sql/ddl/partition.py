"""PARTITION BY and the partitions of a table: which columns may part it, and new partitions from their clauses.

RANGE and LIST have a module each. Rows find their partition elsewhere (sql/ingest). Source: Doris
documentation, "Manual partitioning", "Auto partitioning".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

from sql.ddl import list_partition, range_partition
from sql.ddl.list_partition import Lists
from sql.ddl.name import find_column
from sql.ddl.partition_value import Stamp
from sql.ddl.range_partition import Ranges
from sql.dialect.clause import PartitionClause
from storage.catalog.model import Column, Model, Partition, Partitioning, Table
from storage.errors import (
    AUTO_LIST_FUNCTION,
    AUTO_RANGE_COLUMN,
    AUTO_RANGE_FUNCTION,
    AUTO_RANGE_NULL,
    AUTO_RANGE_UNIT,
    PARTITION_COLUMN,
    PARTITION_COLUMN_NULL,
    PARTITION_COLUMN_TWICE,
    PARTITION_COLUMN_TYPE,
    PARTITION_NOT_KEY,
)
from storage.types import DorisType

__all__ = ["Stamp", "add", "definition", "in_order", "partition_columns", "partitioning", "range_text", "taken"]

UNITS = ("year", "quarter", "month", "week", "day", "hour")


def partitioning(
    clause: PartitionClause, model: Model, columns: Sequence[Column], nullable: bool = True
) -> Partitioning:
    """Check PARTITION BY; `nullable` is allow_partition_column_nullable."""
    kind = str(clause.args["kind"]).upper()
    truncations = [item for item in clause.expressions if not isinstance(item, exp.Column)]
    auto = bool(clause.args.get("auto")) or (kind == "RANGE" and bool(truncations))
    if kind == "LIST" and truncations:
        raise AUTO_LIST_FUNCTION()
    names = tuple(_column(_source(item), kind, model, columns, nullable) for item in clause.expressions)
    if len(set(names)) < len(names):
        raise PARTITION_COLUMN_TWICE()
    unit = _unit(clause.expressions, columns) if kind == "RANGE" and auto else None
    return Partitioning("LIST" if kind == "LIST" else "RANGE", names, auto, unit)


def _source(item: exp.Expr) -> str:
    """The column that an item of PARTITION BY names: itself, or what its date_trunc takes."""
    if isinstance(item, exp.Column):
        return item.name
    if _is_truncation(item) and isinstance(item.this, exp.Column):
        return item.this.name
    found = [argument for argument in item.expressions if isinstance(argument, exp.Column)]
    if not _is_truncation(item) or not found:
        raise AUTO_RANGE_FUNCTION()
    return found[0].name


def _is_truncation(item: exp.Expr) -> bool:
    named = isinstance(item, exp.Anonymous) and item.name.lower() == "date_trunc"
    return named or isinstance(item, (exp.TimestampTrunc, exp.DateTrunc))


def _unit(items: Sequence[exp.Expr], columns: Sequence[Column]) -> str:
    """The unit of an AUTO RANGE table: one NOT NULL DATE or DATETIME column in date_trunc."""
    if len(items) != 1 or not _is_truncation(items[0]):
        raise AUTO_RANGE_FUNCTION()
    column = next(c for c in columns if c.name.lower() == _source(items[0]).lower())
    if not column.type.is_date:
        raise AUTO_RANGE_COLUMN(name=column.name, type=column.type)
    if column.nullable:
        raise AUTO_RANGE_NULL()
    unit = _unit_word(items[0])
    if unit not in UNITS or (unit == "hour" and column.type.name == "date"):
        raise AUTO_RANGE_UNIT(unit=unit, name=column.name, type=column.type)
    return unit


def _unit_word(item: exp.Expr) -> str:
    given = item.args.get("unit") or next((a for a in item.expressions if isinstance(a, exp.Literal)), None)
    return given.name.lower() if given is not None else ""


def _column(name: str, kind: str, model: Model, columns: Sequence[Column], nullable: bool) -> str:
    column = find_column(columns, name, PARTITION_COLUMN)
    if not _may_part(column.type, kind):
        raise PARTITION_COLUMN_TYPE(name=name, type=column.type, kind=kind.lower())
    if model is not Model.DUPLICATE and not column.key:
        raise PARTITION_NOT_KEY(name=name)
    if column.nullable and not nullable:
        raise PARTITION_COLUMN_NULL(name=name)
    return column.name


def _may_part(kind: DorisType, by: str) -> bool:
    plain = kind.is_integer or kind.is_date
    return plain or (by == "LIST" and kind.name in ("boolean", "char", "varchar"))


def partition_columns(table: Table) -> tuple[Column, ...]:
    """The columns of PARTITION BY; none for an unpartitioned table."""
    names = table.partitioning.columns if table.partitioning else ()
    found = (table.column(name) for name in names)
    return tuple(column for column in found if column is not None)


def taken(kind: str, parts: Iterable[Partition], columns: Sequence[Column]) -> Ranges | Lists:
    """What some partitions cover, for those that come after them."""
    return Lists(parts, columns) if kind == "LIST" else Ranges(parts, columns)


def add(
    existing: Iterable[Partition], clauses: Iterable[exp.Expr], columns: Sequence[Column], stamp: Stamp,
    kind: str = "RANGE",
) -> tuple[Partition, ...]:  # fmt: skip
    """Append partitions in the order of their clauses, each against all before it."""
    found = list(existing)
    covered = taken(kind, found, columns)
    for clause in clauses:
        for part in covered.read(clause, stamp):
            covered.take(part)
            found.append(part)
    return tuple(found)


def range_text(part: Partition, columns: Sequence[Column]) -> str:
    """The bounds or values of a partition as SHOW prints them; empty for an unpartitioned table."""
    if part.values is not None:
        return list_partition.text(part, columns)
    return range_partition.text(part, columns) if columns else ""


def definition(part: Partition, columns: Sequence[Column]) -> str:
    """What stands behind VALUES in SHOW CREATE TABLE."""
    return f"IN {range_text(part, columns)}" if part.values is not None else range_text(part, columns)


def in_order(table: Table, temporary: bool = False) -> list[Partition]:
    """The visible (or the temporary) partitions: by their ranges, lists as they were made."""
    columns = partition_columns(table)
    parts = table.temporary_partitions if temporary else table.visible_partitions
    if table.partitioning is not None and table.partitioning.kind == "LIST":
        return list(parts)
    return sorted(parts, key=lambda part: range_partition.span(part, columns))
