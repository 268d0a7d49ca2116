"""The recycle bin: RECOVER DATABASE, TABLE and PARTITION, SHOW CATALOG RECYCLE BIN.

What was dropped without FORCE waits there with data and identity until the cleaner takes it away
(storage/cleanup.py). Source: Doris documentation, RECOVER.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sqlglot import exp

from sql.bind.name import is_system, resolve_database, resolve_table, split
from sql.ddl import changelog
from sql.ddl.alter import check_free, renamed
from sql.ddl.alter_partition import recovered
from sql.ddl.commit import commit
from sql.ddl.name import check_object
from sql.dialect import node
from sql.listing import listed, words
from sql.result import Result
from sql.statement import Call, handles
from sql.statement.show import moment
from storage.catalog.catalog import Catalog
from storage.catalog.model import DatabaseEntry, Table
from storage.errors import DATABASE_EXISTS, RECOVER_DATABASE, RECOVER_MISSING


def _id(call: Call[node.Recover]) -> int | None:
    given = call.node.args.get("id")
    return None if given is None else int(given.name)


def _to(call: Call[node.Recover], name: str) -> str:
    given = call.node.args.get("to")
    return name if given is None else str(given.name)


@handles(node.Recover, "DATABASE")
def recover_database(call: Call[node.Recover]) -> Result:
    """RECOVER DATABASE d [id] [AS new]: the latest dropped one of that name, with its tables and views."""
    name, wanted = call.node.this.name, _id(call)
    to = check_object("database", _to(call, name))

    def change(catalog: Catalog) -> Catalog:
        found = [d for d in catalog.dropped.values() if d.name == name and (wanted is None or d.id == wanted)]
        if not found:
            raise RECOVER_DATABASE(name=name)
        if catalog.database(to) is not None or is_system(to):
            raise DATABASE_EXISTS(name=to)
        newest = max(found, key=lambda entry: (entry.dropped_at or 0, entry.id))
        return catalog.recovered(replace(newest, name=to))

    return commit(call, change)


@handles(node.Recover, "TABLE")
def recover_table(call: Call[node.Recover]) -> Result:
    """RECOVER TABLE [db.]t [id] [AS new]: the latest dropped table of that name, with data and identity."""
    database_name, name = split(call.node.this, call.context)
    wanted = _id(call)

    def change(catalog: Catalog) -> Catalog:
        database = resolve_database(catalog, database_name)
        dropped = [t for t in catalog.tables.values() if t.database_id == database.id and t.name == name]
        found = [t for t in dropped if t.dropped_at is not None and (wanted is None or t.id == wanted)]
        if not found:
            raise RECOVER_MISSING(database=database_name, name=name)
        newest = max(found, key=lambda table: (table.dropped_at or 0, table.id))
        return catalog.with_table(_recovered(catalog, database, newest, _to(call, name)))

    return commit(call, change)


def _recovered(catalog: Catalog, database: DatabaseEntry, table: Table, name: str) -> Table:
    check_free(catalog, database.id, check_object("table", name))
    if table.changelog is not None:
        changelog.check_database(name, database)
    return replace(renamed(table, name), dropped_at=None)


@handles(node.Recover, "PARTITION")
def recover_partition(call: Call[node.Recover]) -> Result:
    """RECOVER PARTITION p [id] [AS new] FROM t; its range must be free."""
    name, to, wanted = call.node.this.name, call.node.args.get("to"), _id(call)

    def change(catalog: Catalog) -> Catalog:
        table = resolve_table(catalog, call.node.args["table"], call.context)
        return catalog.with_table(recovered(table, name, wanted, to.name if to is not None else None))

    return commit(call, change)


_BIN = words("Type Name DbId TableId PartitionId DropTime DataSize RemoteDataSize")


@handles(exp.Show, "CATALOG RECYCLE BIN")
def show_recycle_bin(call: Call[exp.Show]) -> Result:
    """SHOW CATALOG RECYCLE BIN [WHERE NAME = '…' | LIKE '…']: databases, tables, partitions, the latest first."""
    found = sorted(_dropped(call.engine.database.catalog), key=lambda row: -row[5])
    content = [(*row[:5], moment(call.context, row[5]), "0.000", "0.000") for row in found]
    return listed(call.node, _BIN, content, like=1)


Row = tuple[str, str, object, object, object, int]


def _dropped(catalog: Catalog) -> Iterator[Row]:
    for entry in catalog.dropped.values():
        yield "Database", entry.name, entry.id, "", "", entry.dropped_at or 0
    for table in catalog.tables.values():
        if table.dropped_at is not None:
            yield "Table", table.name, table.database_id, table.id, "", table.dropped_at
        for part in table.partitions:
            if part.dropped_at is not None:
                yield "Partition", part.name, table.database_id, table.id, part.id, part.dropped_at
