"""MODIFY COLUMN and ORDER BY of ALTER TABLE: another type, another place, never another column.

Pure functions on a `Table`. The order of columns is the catalog's alone: storage reads and writes by name.
Source: Doris documentation, ALTER TABLE COLUMN; words of the errors: apache/doris,
SchemaChangeHandler and Column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from sql.ddl import rollup, self_filling, sequence, type_change
from sql.ddl.column import Declared, check_buildable, read
from sql.ddl.key import check_key
from sql.ddl.partition import Stamp
from storage.catalog.model import Column, Model, Table
from storage.errors import (
    AUTO_INCREMENT_FIXED,
    CLUSTER_KEY_FIXED,
    COLUMN_AFTER_ITSELF,
    COLUMN_UNKNOWN,
    GENERATED_ADDED,
    MODIFY_AGGREGATION,
    MODIFY_DEFAULT,
    MODIFY_KEY,
    MODIFY_KEY_TYPE,
    MODIFY_NULL,
    MODIFY_PLACED,
    ORDER_ALL,
    ORDER_CLUSTERED,
    ORDER_TWICE,
    VALUE_BEFORE_KEY,
)


def modify(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """MODIFY COLUMN definition [FIRST | AFTER c] [FROM rollup]."""
    definition = action.this
    column = existing(table, definition.name)
    declared = _filled(read(definition), column)
    check_buildable(declared)
    _check(table, column, declared)
    changed = replace(column, type=declared.type, nullable=declared.nullable, comment=declared.comment)
    table = with_columns(table, [changed if c.uid == column.uid else c for c in table.columns])
    position = definition.args.get("position")
    if position is None or action.args.get("rollup") is not None:
        return table
    return with_columns(table, _moved(table, changed, position))


def _filled(declared: Declared, column: Column) -> Declared:
    """What a definition may leave out because it cannot change: the comment; KEY of a key column is needed."""
    return declared if declared.comment else replace(declared, comment=column.comment)


def existing(table: Table, name: str) -> Column:
    """The column of that name; raises COLUMN_UNKNOWN."""
    column = table.column(name)
    if column is None:
        raise COLUMN_UNKNOWN(name=name)
    return column


def with_columns(table: Table, columns: Sequence[Column], next_uid: int | None = None) -> Table:
    """The table with other columns, under the next schema version: a running write notices."""
    uid = table.next_uid if next_uid is None else next_uid
    return replace(table, columns=tuple(columns), next_uid=uid, schema_version=table.schema_version + 1)


def _check(table: Table, column: Column, declared: Declared) -> None:
    """Only the type may change, and NULL may become allowed."""
    if declared.key != column.key:
        raise MODIFY_KEY(name=column.name)
    if declared.aggregation != column.aggregation:
        raise MODIFY_AGGREGATION()
    if column.nullable and not declared.nullable:
        raise MODIFY_NULL()
    if (declared.default, declared.default_is_function) != (column.default, column.default_is_function):
        raise MODIFY_DEFAULT()
    if (declared.auto_increment is None) != (column.auto_increment is None):
        raise AUTO_INCREMENT_FIXED(name=column.name)
    if declared.generated is not None or column.generated is not None:
        raise GENERATED_ADDED()
    self_filling.check_drop(table, column)
    if declared.type != column.type:
        sequence.check_modify(table, column)
        _check_type(table, column, declared)


def _check_type(table: Table, column: Column, declared: Declared) -> None:
    new = declared.type
    for role, names in placing(table).items():
        if column.name in names and not (role == "distribution" and column.type.is_text and new.is_text):
            raise MODIFY_PLACED(role=role, name=column.name)
    if column.uid in table.cluster_keys:
        raise CLUSTER_KEY_FIXED(name=column.name)
    type_change.check(column.type, new)
    if not column.key:
        return
    check_key(declared)
    if table.model is not Model.DUPLICATE and not type_change.keeps_keys_apart(column.type, new):
        raise MODIFY_KEY_TYPE(name=column.name, old=column.type, new=new)


def placing(table: Table) -> dict[str, tuple[str, ...]]:
    """The columns by which rows find their place."""
    return {
        "partition": table.partitioning.columns if table.partitioning else (),
        "distribution": table.distribution.columns if table.distribution else (),
    }


# -- order -------------------------------------------------------------------------------------------
def _moved(table: Table, column: Column, position: exp.Expr) -> list[Column]:
    """The columns with one in another place; keys stay in front of values."""
    others = [other for other in table.columns if other.uid != column.uid]
    place = 0
    if position.args["position"] != "FIRST":
        behind = existing(table, position.this.name)
        if behind.uid == column.uid:
            raise COLUMN_AFTER_ITSELF()
        place = others.index(behind) + 1
    others.insert(place, column)
    check_order(table, others)
    return others


def check_order(table: Table, columns: Sequence[Column]) -> None:
    """Keys stand in front of values."""
    flags = [column.key for column in columns]
    if flags != sorted(flags, reverse=True):
        wrong = next(column for place, column in enumerate(columns) if place and column.key and not flags[place - 1])
        raise VALUE_BEFORE_KEY(table=table.name, name=wrong.name)


def reorder(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """ORDER BY (c, …) [FROM rollup]: all columns, each once."""
    columns = [existing(table, item.name) for item in action.expressions]
    if len({column.uid for column in columns}) < len(columns):
        raise ORDER_TWICE()
    of = action.args.get("rollup")
    if of is not None:
        return rollup.reordered(table, of.name, columns)
    if len(columns) != len(table.columns):
        raise ORDER_ALL()
    if table.cluster_keys:
        raise ORDER_CLUSTERED()
    check_order(table, columns)
    return with_columns(table, columns)
