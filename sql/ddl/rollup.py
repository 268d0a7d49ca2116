"""Rollups in DDL: of CREATE TABLE and ALTER TABLE. Pure.

A rollup is kept and shown and changes no result: every query reads the base table. Source: Doris
documentation, ALTER TABLE ROLLUP; words of the errors: apache/doris, MaterializedViewHandler.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from sql.ddl.name import check_object, find_column
from sql.ddl.partition import Stamp
from sql.ddl.table_property import job_seconds
from sql.dialect.clause import pairs
from storage.catalog.index import Rollup
from storage.catalog.model import Column, Model, Table
from storage.errors import (
    ROLLUP_BASE,
    ROLLUP_COLUMN,
    ROLLUP_EXISTS,
    ROLLUP_KEYS,
    ROLLUP_MISSING,
    ROLLUP_ORDER,
    ROLLUP_TWICE,
)


def added(table: Table, clause: exp.Expr) -> Table:
    """The table with the rollup of a ROLLUP clause; raises ROLLUP_… and for properties but `timeout`."""
    name, given = check_object("table", clause.name), pairs(clause.args.get("properties"))
    job_seconds(given)
    if name.lower() == table.name.lower() or rollup(table, name) is not None:
        raise ROLLUP_EXISTS(name=name)
    columns = [find_column(table.columns, item.name, ROLLUP_COLUMN) for item in clause.expressions]
    _check(table, name, columns)
    _check_base(table, clause.args.get("base"), columns)
    keys = [find_column(table.columns, item.name, ROLLUP_COLUMN) for item in clause.args.get("keys") or ()]
    if [key.uid for key in keys] != [column.uid for column in columns[: len(keys)]]:
        raise ROLLUP_ORDER(name=name)
    uids = tuple(column.uid for column in columns)
    made = Rollup(name, uids, tuple(key.uid for key in keys), given)
    return replace(table, rollups=(*table.rollups, made))


def _check(table: Table, name: str, columns: Sequence[Column]) -> None:
    """No column twice, keys before values, and all keys where rows of one key must not mix."""
    if len({column.uid for column in columns}) < len(columns):
        raise ROLLUP_TWICE(name=name)
    if table.model is Model.DUPLICATE:
        return
    flags = [column.key for column in columns]
    if flags != sorted(flags, reverse=True):
        raise ROLLUP_ORDER(name=name)
    whole = table.is_unique or any((column.aggregation or "").startswith("REPLACE") for column in columns)
    if whole and sum(flags) < len(table.keys):
        raise ROLLUP_KEYS(name=name)


def _check_base(table: Table, base: exp.Expr | None, columns: Sequence[Column]) -> None:
    """FROM r: another rollup that has all the columns."""
    if base is None or base.name.lower() == table.name.lower():
        return
    found = rollup(table, base.name)
    if found is None:
        raise ROLLUP_MISSING(name=base.name)
    for column in columns:
        if column.uid not in found.columns:
            raise ROLLUP_BASE(column=column.name, name=base.name)


def rollup(table: Table, name: str) -> Rollup | None:
    """The rollup of that name, in any case."""
    return next((found for found in table.rollups if found.name.lower() == name.lower()), None)


def add(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """ADD ROLLUP r (…), …."""
    for clause in action.expressions:
        table = added(table, clause)
    return table


def drop(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """DROP ROLLUP r, …."""
    for item in action.expressions:
        found = _existing(table, item.name)
        table = replace(table, rollups=tuple(other for other in table.rollups if other is not found))
    return table


def rename(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """RENAME ROLLUP this to."""
    found, name = _existing(table, action.this.name), check_object("table", action.args["to"].name)
    if name.lower() == table.name.lower() or rollup(table, name) not in (None, found):
        raise ROLLUP_EXISTS(name=name)
    return _replaced(table, found, replace(found, name=name))


def _existing(table: Table, name: str) -> Rollup:
    found = rollup(table, name)
    if found is None:
        raise ROLLUP_MISSING(name=name)
    return found


def _replaced(table: Table, old: Rollup, new: Rollup) -> Table:
    return replace(table, rollups=tuple(new if other is old else other for other in table.rollups))


def column_added(table: Table, name: str, uid: int, key: bool) -> Table:
    """ADD COLUMN … TO r: the new column also stands in the rollup, keys before values."""
    found = _existing(table, name)
    keys = key_count(table, found)
    place = keys if key else len(found.columns)
    columns = (*found.columns[:place], uid, *found.columns[place:])
    return _replaced(table, found, replace(found, columns=columns))


def column_dropped(table: Table, name: str, column: Column) -> Table:
    """DROP COLUMN c FROM r: the table keeps it."""
    found = _existing(table, name)
    if column.uid not in found.columns or len(found.columns) == 1:
        raise ROLLUP_BASE(column=column.name, name=name)
    kept = tuple(uid for uid in found.columns if uid != column.uid)
    changed = _replaced(table, found, replace(found, columns=kept, keys=tuple(k for k in found.keys if k in kept)))
    _check(table, name, [other for uid in kept if (other := table.column_of(uid)) is not None])
    return changed


def reordered(table: Table, name: str, columns: Sequence[Column]) -> Table:
    """ORDER BY (…) FROM r."""
    found = _existing(table, name)
    if sorted(column.uid for column in columns) != sorted(found.columns):
        raise ROLLUP_ORDER(name=name)
    _check(table, name, columns)
    return _replaced(table, found, replace(found, columns=tuple(column.uid for column in columns)))


def key_count(table: Table, found: Rollup) -> int:
    """How many leading columns of a rollup are its keys."""
    if found.keys:
        return len(found.keys)
    keys = {column.uid for column in table.keys}
    count = 0
    for uid in found.columns:
        if uid not in keys:
            break
        count += 1
    return count or 1
