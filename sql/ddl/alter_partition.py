"""The partition actions of ALTER TABLE, and what TRUNCATE does to partitions.

Pure functions on a `Table`. A truncated partition is a new one under the old name: pending changes of
streams go with the old identity. Source: types-and-ddl section 3, table-stream section 8.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sqlglot import exp

from sql.ddl import partition, table_property
from sql.ddl.name import check_object
from sql.ddl.partition import Stamp, partition_columns
from sql.dialect.clause import pairs
from storage.catalog.model import Partition, Table
from storage.errors import (
    NOT_PARTITIONED,
    NOT_SUPPORTED_YET,
    PARTITION_EXISTS,
    PARTITION_MISSING,
    UNKNOWN_PARTITION,
)


def _check(table: Table, action: exp.Expr) -> None:
    if action.args.get("temporary") is True:
        raise NOT_SUPPORTED_YET(what="TEMPORARY PARTITION")
    if table.partitioning is None:
        raise NOT_PARTITIONED(table=table.name)


def add(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """ADD PARTITION [IF NOT EXISTS] p VALUES …; it must not overlap another."""
    _check(table, action)
    exists = action.args.get("exists") or action.this.args.get("exists")
    if exists and table.partition(action.this.name) is not None:
        return table
    table_property.check(pairs(action.args.get("properties")) + pairs(action.this.args.get("properties")))
    made = partition.add(table.visible_partitions, (action.this,), partition_columns(table), stamp)[-1]
    return replace(table, partitions=(*table.partitions, made))


def drop(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """DROP PARTITION [IF EXISTS] p [FORCE]; without FORCE it waits in the recycle bin."""
    _check(table, action)
    found = table.partition(action.name)
    if found is None:
        if action.args.get("exists"):
            return table
        raise PARTITION_MISSING(name=action.name)
    if action.args.get("force"):
        return replace(table, partitions=tuple(part for part in table.partitions if part.id != found.id))
    return _replaced(table, replace(found, dropped_at=stamp.tso >> 18))


def _replaced(table: Table, changed: Partition) -> Table:
    return replace(table, partitions=tuple(changed if part.id == changed.id else part for part in table.partitions))


def rename(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """RENAME PARTITION this to."""
    _check(table, action)
    found = table.partition(action.this.name)
    name = check_object("partition", action.args["to"].name)
    if found is None:
        raise PARTITION_MISSING(name=action.this.name)
    if table.partition(name) is not None:
        raise PARTITION_EXISTS(name=name)
    return _replaced(table, replace(found, name=name))


def modify(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """MODIFY PARTITION p SET (…): checked, without effect on one node."""
    _check(table, action)
    for name in action.expressions:
        if not isinstance(name, exp.Star) and table.partition(name.name) is None:
            raise PARTITION_MISSING(name=name.name)
    table_property.check(pairs(action.args["properties"]))
    return table


def truncated(table: Table, names: Iterable[str], stamp: Stamp) -> Table:
    """Give the named partitions, or all visible ones, a new identity."""
    wanted = tuple(names)
    for name in wanted:
        if table.partition(name) is None:
            raise UNKNOWN_PARTITION(name=name, table=table.name)
    parts = tuple(
        replace(part, id=stamp.take_id(), created_tso=stamp.tso)
        if part.dropped_at is None and (not wanted or part.name in wanted)
        else part
        for part in table.partitions
    )
    return replace(table, partitions=parts)
