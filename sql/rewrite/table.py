"""Base tables: the current rows, with hidden columns by name.

orders                 ->  SELECT "id", …, hidden columns FROM t_17
orders PARTITION (p1)  ->  … WHERE __doris_part IN (18)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.relation import Relation, RelationColumn
from storage.catalog.model import Column, Partition, Table
from storage.errors import UNKNOWN_PARTITION
from storage.naming import LSN, PART, TSO
from storage.relation import current, hidden_columns
from storage.types import BIGINT, INT, DorisType

INTERNAL = ((PART, INT), (TSO, BIGINT), (LSN, BIGINT))
TARGET = "target"  # meta key of the reference that an UPDATE or DELETE changes


def table_relation(binding: Binding, table: Table, reference: exp.Table) -> Relation:
    """A base table as it is now, or only the partitions that the reference names."""
    partitions = chosen_partitions(table, reference)
    hidden = hidden_columns(table)
    return Relation(
        database=binding.catalog.databases[table.database_id].name,
        name=table.name,
        columns=(*visible_columns(table), *extra_columns(hidden, binding.show_hidden)),
        text=current(
            table, None if partitions is None else [part.id for part in partitions], marks=binding.show_hidden
        ),
        lasting=True,
    )


def target_relation(binding: Binding, table: Table, reference: exp.Table) -> Relation:
    """The table an UPDATE or DELETE changes: also partition id and begin of each row version, by name."""
    partitions = chosen_partitions(table, reference)
    plain = table_relation(binding, table, reference)
    parts = None if partitions is None else [part.id for part in partitions]
    text = current(table, parts, internal=True)
    return replace(plain, columns=(*plain.columns, *extra_columns(INTERNAL, visible=False)), text=text)


def visible_columns(table: Table) -> tuple[RelationColumn, ...]:
    return tuple(visible_column(column) for column in table.columns)


def visible_column(column: Column) -> RelationColumn:
    return RelationColumn(column.name, column.type, nullable=column.nullable, key=column.key)


def extra_columns(columns: Iterable[tuple[str, DorisType]], visible: bool) -> tuple[RelationColumn, ...]:
    return tuple(RelationColumn(name, kind, visible=visible) for name, kind in columns)


def chosen_partitions(table: Table, node: exp.Expr) -> tuple[Partition, ...] | None:
    """The partitions of a [TEMPORARY] PARTITION clause of a reference or an INSERT, None without one or for `*`.

    Unknown names raise UNKNOWN_PARTITION; one named twice counts once.
    """
    clause = node.args.get("partition")
    if not clause or isinstance(clause.expressions[0], exp.Star):
        return None
    temporary = bool(clause.args.get("temporary"))
    return tuple(dict.fromkeys(_partition(table, item.name, temporary) for item in clause.expressions))


def _partition(table: Table, name: str, temporary: bool) -> Partition:
    found = table.partition(name, temporary)
    if found is None:
        raise UNKNOWN_PARTITION(name=name, table=table.name)
    return found
