"""The column actions of ALTER TABLE: ADD, DROP and RENAME COLUMN, MODIFY COLUMN COMMENT.

Pure functions on a `Table`; each raises the schema version, so that a running write notices. MODIFY COLUMN and
ORDER BY are in sql/ddl/modify_column.py. Source: Doris: ALTER TABLE COLUMN; Changelog, DDL limits;
words of the errors: apache/doris, SchemaChangeHandler.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from sql.ddl import aggregate, changelog, index, rollup, self_filling, sequence
from sql.ddl.bloom_filter import renamed_in, without_column
from sql.ddl.column import Declared, check_buildable, read
from sql.ddl.key import check_key
from sql.ddl.modify_column import placing, with_columns
from sql.ddl.name import check_column, find_column
from sql.ddl.partition import Stamp
from storage.catalog.model import Column, Model, Table
from storage.errors import (
    ADD_KEY_COLUMN,
    ADD_NOT_NULL,
    ADD_NUMBERED,
    CHANGELOG_OPERATION,
    CLUSTER_KEY_DROP,
    COLUMN_MISSING,
    COLUMN_UNKNOWN,
    DROP_IN_ROLLUP,
    DROP_KEY_COLUMN,
    DROP_USED_COLUMN,
    DUPLICATE_COLUMN,
    LAST_KEY_COLUMN,
    RENAME_PLACED,
    VALUE_AGGREGATED,
    VALUE_BEFORE_KEY,
)
from storage.state.empty import EMPTY


def add(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """ADD COLUMN def [FIRST | AFTER c] [TO rollup], or several in brackets."""
    of = action.args.get("rollup")
    for definition in action.expressions:
        if action.args.get("exists") and table.column(definition.name) is not None:
            continue
        uid = table.next_uid
        table = _add_one(table, definition)
        if of is not None:
            column = table.column_of(uid)
            table = rollup.column_added(table, of.name, uid, column is not None and column.key)
    return table


def _add_one(table: Table, definition: exp.ColumnDef) -> Table:
    declared = read(definition)
    if table.model is Model.AGGREGATE and declared.aggregation is None:
        declared = replace(declared, key=True)  # Doris: a column without aggregation is a key
    if table.column(declared.name) is not None:
        raise DUPLICATE_COLUMN(name=declared.name)
    _check_log(table, declared)
    _check_new(table, declared)
    check_buildable(declared)
    columns = list(table.columns)
    columns.insert(_place(table, definition, declared), declared.column(table.next_uid, declared.key))
    return with_columns(table, columns, next_uid=table.next_uid + 1)


def _check_log(table: Table, declared: Declared) -> None:
    """A changelog table takes light schema changes only: no key column (Doris: Changelog, DDL limits)."""
    if table.changelog is not None:
        changelog.check_column(declared)
        if declared.key:
            raise CHANGELOG_OPERATION()


def _check_new(table: Table, declared: Declared) -> None:
    self_filling.check_added(declared, table)
    if declared.auto_increment is not None:
        raise ADD_NUMBERED(name=declared.name)
    if declared.key:
        check_key(declared)
        if not table.keys:
            raise ADD_KEY_COLUMN(name=declared.name)
    elif declared.aggregation is not None and table.model is not Model.AGGREGATE:
        raise VALUE_AGGREGATED(model=table.model.value, name=declared.name)
    aggregate.check_column(declared, table.model)
    if not declared.nullable and declared.default is None and declared.type.name not in EMPTY:
        raise ADD_NOT_NULL(name=declared.name)


def _place(table: Table, definition: exp.ColumnDef, declared: Declared) -> int:
    """Where the new column goes: by its position, else behind the keys or at the end."""
    position = definition.args.get("position")
    keys = len(table.keys)
    if position is None:
        return keys if declared.key else len(table.columns)
    place = 0 if position.args["position"] == "FIRST" else _place_of(table, position.this.name) + 1
    if (place > keys) if declared.key else (place < keys):
        raise VALUE_BEFORE_KEY(table=table.name, name=declared.name)
    return place


def _place_of(table: Table, name: str) -> int:
    return table.columns.index(find_column(table.columns, name, COLUMN_UNKNOWN))


def drop(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """DROP COLUMN c [FROM rollup]; its indexes go with it."""
    if action.args.get("exists") and table.column(action.name) is None:
        return table
    column, of = find_column(table.columns, action.name, COLUMN_MISSING), action.args.get("rollup")
    if of is not None:
        return rollup.column_dropped(table, of.name, column)
    sequence.check_drop(table, column)
    self_filling.check_drop(table, column)
    _check_drop(table, column)
    indexes = index.without_column(table.indexes, column.uid)
    table = replace(table, indexes=indexes, properties=without_column(table.properties, column.name))
    return with_columns(table, [other for other in table.columns if other.uid != column.uid])


def _check_drop(table: Table, column: Column) -> None:
    """Not the last column or key, not a key of a keyed table, nothing that places rows or stands in a rollup."""
    if column.key and table.model is not Model.DUPLICATE:
        raise DROP_KEY_COLUMN(model=table.model.value.capitalize(), name=column.name)
    if column.key and table.changelog is not None:
        raise CHANGELOG_OPERATION()
    if column.uid in table.cluster_keys:
        raise CLUSTER_KEY_DROP(name=column.name)
    for role, names in placing(table).items():
        if column.name in names:
            raise DROP_USED_COLUMN(role=role.capitalize(), name=column.name)
    if len(table.columns) == 1:
        raise DROP_USED_COLUMN(role="Last", name=column.name)
    if column.key and len(table.keys) == 1:
        raise LAST_KEY_COLUMN(table=table.name)
    for found in table.rollups:
        if column.uid in found.columns:
            raise DROP_IN_ROLLUP(name=found.name)


def rename(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """RENAME COLUMN this to; the column keeps its identity."""
    column = find_column(table.columns, action.this.name, COLUMN_UNKNOWN)
    self_filling.check_drop(table, column)
    name = check_column(action.args["to"].name)
    other = table.column(name)
    if other is not None and other.uid != column.uid:
        raise DUPLICATE_COLUMN(name=name)
    for role, names in placing(table).items():
        if column.name in names:
            raise RENAME_PLACED(role=role)
    table = sequence.renamed(table, column, name)
    table = replace(table, properties=renamed_in(table.properties, column.name, name))
    return with_columns(table, _replaced(table, replace(column, name=name)))


def comment(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """MODIFY COLUMN c COMMENT 'text'; no change of schema."""
    column = find_column(table.columns, action.this.name, COLUMN_UNKNOWN)
    return replace(table, columns=_replaced(table, replace(column, comment=action.args["comment"].name)))


def _replaced(table: Table, column: Column) -> tuple[Column, ...]:
    return tuple(column if other.uid == column.uid else other for other in table.columns)
