"""The partition actions of ALTER TABLE, and what TRUNCATE and RECOVER do to partitions.

Pure functions on a `Table`. A truncated partition is a new one under the old name: pending changes of
streams go with the old identity. Source: Doris: ALTER TABLE PARTITION; Table Stream,
base table operations; Doris documentation, "Temporary partition", RECOVER.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sqlglot import exp

from sql.ddl import partition, table_property
from sql.ddl.distribution import distribution
from sql.ddl.dynamic_partition import is_dynamic
from sql.ddl.name import check_object
from sql.ddl.partition import Stamp, partition_columns, taken
from sql.dialect.clause import pairs
from storage.catalog.model import Partition, Table, partition_key
from storage.errors import (
    DYNAMIC_ALTER,
    NOT_PARTITIONED,
    PARTITION_DISTRIBUTION,
    PARTITION_EXISTS,
    PARTITION_HASH,
    PARTITION_MISSING,
    RECOVER_PARTITION,
    RECOVER_RANGE,
    UNKNOWN_PARTITION,
    DorisError,
)
from storage.tso import to_ms


def _check(table: Table) -> str:
    """The kind of partitioning; NOT_PARTITIONED without one."""
    if table.partitioning is None:
        raise NOT_PARTITIONED(table=table.name)
    return table.partitioning.kind


def _is_temporary(action: exp.Expr) -> bool:
    return action.args.get("temporary") is True


def _check_manual(table: Table, action: exp.Expr) -> None:
    """Partitions of a dynamic table come and go by its rule."""
    if not _is_temporary(action) and is_dynamic(table):
        raise DYNAMIC_ALTER(table=table.name)


def add(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """ADD [TEMPORARY] PARTITION [IF NOT EXISTS] p VALUES …, or PARTITIONS FROM … TO …; none may overlap another."""
    kind, temporary = _check(table), _is_temporary(action)
    _check_manual(table, action)
    name = action.this.name
    if action.args.get("exists") and table.partition(name, temporary) is not None:
        return table
    if name and table.partition(name, not temporary) is not None:
        raise PARTITION_EXISTS(name=name)
    given = pairs(action.args.get("properties")) or pairs(action.this.args.get("properties"))
    table_property.check(given)
    beside = table.temporary_partitions if temporary else table.visible_partitions
    found = partition.add(beside, (action.this,), partition_columns(table), stamp, kind)[len(beside) :]
    buckets = _buckets(table, action.args.get("distribution"))
    made = tuple(replace(part, temporary=temporary, properties=given, buckets=buckets) for part in found)
    return replace(table, partitions=(*table.partitions, *made))


def _buckets(table: Table, clause: exp.DistributedByProperty | None) -> int | None:
    """What DISTRIBUTED BY of a partition says, which may differ from the table's in the number of buckets alone."""
    usual = table.distribution
    if clause is None or usual is None:
        return None
    found = distribution(clause, table.model, table.columns)
    if found.kind != usual.kind:
        raise PARTITION_DISTRIBUTION(kind=usual.kind)
    if found.columns != usual.columns:
        raise PARTITION_HASH(new=", ".join(found.columns), old=", ".join(usual.columns))
    return found.buckets


def drop(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """DROP [TEMPORARY] PARTITION [IF EXISTS] p [FORCE]; an ordinary one waits in the recycle bin without FORCE."""
    _check(table)
    _check_manual(table, action)
    temporary = _is_temporary(action)
    found = table.partition(action.name, temporary)
    if found is None:
        if action.args.get("exists"):
            return table
        raise PARTITION_MISSING(name=action.name)
    if temporary or action.args.get("force"):
        return without(table, [found])
    return _replaced(table, replace(found, dropped_at=to_ms(stamp.tso)))


def without(table: Table, gone: Iterable[Partition]) -> Table:
    """The table without some partitions and their rows."""
    ids = {part.id for part in gone}
    return replace(table, partitions=tuple(part for part in table.partitions if part.id not in ids))


def _replaced(table: Table, changed: Partition) -> Table:
    return replace(table, partitions=tuple(changed if part.id == changed.id else part for part in table.partitions))


def rename(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """RENAME PARTITION this to."""
    _check(table)
    found = table.partition(action.this.name)
    name = check_object("partition", action.args["to"].name)
    if found is None:
        raise PARTITION_MISSING(name=action.this.name)
    if table.partition(name) is not None or table.partition(name, temporary=True) is not None:
        raise PARTITION_EXISTS(name=name)
    return _replaced(table, replace(found, name=name))


def modify(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """MODIFY [TEMPORARY] PARTITION p | (p, …) | (*) SET (…): kept and shown, without effect on one node."""
    _check(table)
    temporary, given = _is_temporary(action), pairs(action.args["properties"])
    table_property.check(given)
    names = [item.name for item in action.expressions if not isinstance(item, exp.Star)]
    for name in names:
        if table.partition(name, temporary) is None:
            raise PARTITION_MISSING(name=name)
    keys = {partition_key(name) for name in names}
    for part in table.temporary_partitions if temporary else table.visible_partitions:
        if not keys or part.key in keys:
            table = _replaced(table, replace(part, properties=tuple({**dict(part.properties), **dict(given)}.items())))
    return table


def truncated(table: Table, names: Iterable[str], stamp: Stamp) -> Table:
    """Give the named partitions, or all visible ones, a new identity; all: the temporary ones go."""
    wanted = tuple(names)
    for name in wanted:
        if table.partition(name) is None:
            raise UNKNOWN_PARTITION(name=name, table=table.name)
    keys = {partition_key(name) for name in wanted}
    chosen = [part for part in table.visible_partitions if not keys or part.key in keys]
    return renewed(table if wanted else without(table, table.temporary_partitions), chosen, stamp)


def renewed(table: Table, chosen: Iterable[Partition], stamp: Stamp) -> Table:
    """Give these partitions a new identity: the rows under the old ids go."""
    ids = {part.id for part in chosen}
    parts = tuple(
        replace(part, id=stamp.take_id(), created_tso=stamp.tso) if part.id in ids else part
        for part in table.partitions
    )
    return replace(table, partitions=parts)


def recovered(table: Table, name: str, part_id: int | None, to: str | None) -> Table:
    """RECOVER PARTITION: the latest dropped one of that name (or the one of that id), under its own or a new name."""
    kind, columns = _check(table), partition_columns(table)
    dropped = [part for part in table.partitions if part.dropped_at is not None and part.key == partition_key(name)]
    found = [part for part in dropped if part_id is None or part.id == part_id]
    if not found:
        raise RECOVER_PARTITION(name=name, table=table.name)
    newest = max(found, key=lambda part: (part.dropped_at or 0, part.id))
    back = replace(newest, dropped_at=None, name=check_object("partition", to) if to else newest.name)
    if table.partition(back.name) is not None or table.partition(back.name, temporary=True) is not None:
        raise PARTITION_EXISTS(name=back.name)
    try:
        taken(kind, table.visible_partitions, columns).take(back)
    except DorisError:
        raise RECOVER_RANGE(name=name) from None
    return _replaced(table, back)
