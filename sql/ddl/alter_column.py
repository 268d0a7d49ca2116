"""The column actions of ALTER TABLE: ADD, DROP and RENAME COLUMN, MODIFY COLUMN COMMENT.

Pure functions on a `Table`; each raises the schema version, so that a running write notices.
Source: types-and-ddl R19; changelog section 5 and 4.4.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from sql.ddl import changelog, sequence
from sql.ddl.column import Declared, check_buildable, read
from sql.ddl.name import check_column
from sql.ddl.partition import Stamp
from storage.catalog.model import Column, Model, Table
from storage.errors import (
    ADD_KEY_COLUMN,
    ADD_NOT_NULL,
    COLUMN_MISSING,
    COLUMN_POSITION,
    DROP_KEY_COLUMN,
    DROP_USED_COLUMN,
    DUPLICATE_COLUMN,
    NOT_SUPPORTED_YET,
    VALUE_AGGREGATED,
)


def add(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """ADD COLUMN def [FIRST | AFTER c], or several in brackets."""
    _refuse_rollup(action)
    for definition in action.expressions:
        if action.args.get("exists") and table.column(definition.name) is not None:
            continue
        table = _add_one(table, definition)
    return table


def _refuse_rollup(action: exp.Expr) -> None:
    if action.args.get("rollup"):
        raise NOT_SUPPORTED_YET(what="a column of a rollup")


def _add_one(table: Table, definition: exp.ColumnDef) -> Table:
    declared = read(definition)
    if table.column(declared.name) is not None:
        raise DUPLICATE_COLUMN(name=declared.name)
    if table.changelog is not None:
        changelog.check_column(declared)
    _check_new(table, declared)
    check_buildable(declared)
    columns = list(table.columns)
    columns.insert(_place(table, definition, declared), declared.column(table.next_uid, declared.key))
    return _changed(table, tuple(columns), next_uid=table.next_uid + 1)


def _check_new(table: Table, declared: Declared) -> None:
    if declared.key and table.model is not Model.DUPLICATE:
        raise ADD_KEY_COLUMN(name=declared.name)
    if declared.aggregation is not None:
        raise VALUE_AGGREGATED(model=table.model.value, name=declared.name)
    if not declared.nullable and declared.default is None:
        raise ADD_NOT_NULL(name=declared.name)


def _place(table: Table, definition: exp.ColumnDef, declared: Declared) -> int:
    """Where the new column goes: by its position, else behind the keys or at the end."""
    position = definition.args.get("position")
    keys = len(table.keys)
    if position is None:
        return keys if declared.key else len(table.columns)
    index = 0 if position.args["position"] == "FIRST" else _index(table, position.this.name) + 1
    if (index > keys) if declared.key else (index < keys):
        raise COLUMN_POSITION(name=declared.name)
    return index


def _index(table: Table, name: str) -> int:
    lowered = name.lower()
    found = [index for index, column in enumerate(table.columns) if column.name.lower() == lowered]
    if not found:
        raise COLUMN_MISSING(name=name)
    return found[0]


def _column(table: Table, name: str) -> Column:
    return table.columns[_index(table, name)]


def _changed(table: Table, columns: tuple[Column, ...], next_uid: int | None = None) -> Table:
    return replace(
        table,
        columns=columns,
        next_uid=table.next_uid if next_uid is None else next_uid,
        schema_version=table.schema_version + 1,
    )


def drop(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """DROP COLUMN c; not a key of a keyed table, nor a column that places rows."""
    _refuse_rollup(action)
    if action.args.get("exists") and table.column(action.name) is None:
        return table
    column = _column(table, action.name)
    sequence.check_drop(table, column)
    if column.key and table.model is not Model.DUPLICATE:
        raise DROP_KEY_COLUMN(model=table.model.value.capitalize(), name=column.name)
    for role, names in _uses(table).items():
        if column.name in names:
            raise DROP_USED_COLUMN(role=role, name=column.name)
    return _changed(table, tuple(other for other in table.columns if other.uid != column.uid))


def _uses(table: Table) -> dict[str, tuple[str, ...]]:
    return {
        "Partition": table.partitioning.columns if table.partitioning else (),
        "Distribution": table.distribution.columns if table.distribution else (),
        "Last": (table.columns[0].name,) if len(table.columns) == 1 else (),
    }


def rename(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """RENAME COLUMN this to; the column keeps its identity."""
    column = _column(table, action.this.name)
    name = check_column(action.args["to"].name)
    other = table.column(name)
    if other is not None and other.uid != column.uid:
        raise DUPLICATE_COLUMN(name=name)
    for names in _uses(table).values():
        if column.name in names and len(table.columns) > 1:
            raise DROP_USED_COLUMN(role="Partition or distribution", name=column.name)
    return _changed(sequence.renamed(table, column, name), _replaced(table, replace(column, name=name)))


def comment(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """MODIFY COLUMN c COMMENT 'text'; no change of schema."""
    column = _column(table, action.this.name)
    return replace(table, columns=_replaced(table, replace(column, comment=action.args["comment"].name)))


def _replaced(table: Table, column: Column) -> tuple[Column, ...]:
    return tuple(column if other.uid == column.uid else other for other in table.columns)
