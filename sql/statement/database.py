"""Databases: CREATE, ALTER, DROP, USE, SWITCH, and what SHOW tells of them.

Source: Doris: CREATE DATABASE, ALTER DATABASE, USE, SWITCH; Changelog, database defaults.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sqlglot import exp

from sql.bind.name import CATALOG, SYSTEM_DATABASES, check_catalog, is_system, resolve_database
from sql.ddl import changelog, table_property
from sql.ddl.commit import commit, stamp
from sql.ddl.name import check_object
from sql.ddl.show_create import create_database as database_text
from sql.dialect import node
from sql.dialect.clause import pairs
from sql.listing import listed, rows
from sql.privilege import require_database, sees_database
from sql.result import Done, Result
from sql.statement import Call, handles
from storage.catalog.catalog import Catalog
from storage.catalog.model import DatabaseEntry
from storage.errors import (
    DATABASE_BOTH_LOGS,
    DATABASE_DENIED,
    DATABASE_EXISTS,
    DATABASE_HAS_CHANGELOG,
    DATABASE_MISSING,
    UNKNOWN_DATABASE,
)
from storage.tso import to_ms

Pairs = Iterable[tuple[str, str]]

_OTHER_PROPERTIES = ("replication_allocation", "replication_num", "storage_vault_name")


@handles(exp.Create, "DATABASE")
def create_database(call: Call[exp.Create]) -> Result:
    """CREATE DATABASE [IF NOT EXISTS] d [PROPERTIES (…)]."""
    name, exists = _name(call.node.this), bool(call.node.args.get("exists"))
    given = pairs(call.node.args.get("properties"))
    made = stamp(call.engine, 1)
    entry = created(DatabaseEntry(made.take_id(), check_object("database", name)), given)

    def change(catalog: Catalog) -> Catalog:
        if catalog.database(name) is not None or is_system(name):
            if exists:
                return catalog
            raise DATABASE_EXISTS(name=name)
        return catalog.with_database(entry)

    return commit(call, change)


def _name(reference: exp.Expr) -> str:
    """The database of a reference `[internal.]d`: its name stands where a table's would."""
    assert isinstance(reference, exp.Table)
    check_catalog(reference.db)
    return reference.name


def created(entry: DatabaseEntry, given: Pairs) -> DatabaseEntry:
    """Give a database more properties, each checked; later ones win."""
    wanted = dict(given)
    changelog.check_names(wanted)
    others = {key: value for key, value in wanted.items() if not changelog.is_log_property(key)}
    unknown = {key: value for key, value in others.items() if key not in _OTHER_PROPERTIES}
    if unknown:
        raise table_property.unknown_properties(unknown)
    if changelog.TTL in wanted:
        changelog.ttl_seconds(wanted[changelog.TTL])
    merged = {**dict(entry.properties), **wanted}
    if all(merged.get(key, "").lower() == "true" for key in (changelog.ENABLE, changelog.BINLOG)):
        raise DATABASE_BOTH_LOGS(database=entry.name)
    return replace(entry, properties=tuple(merged.items()))


@handles(node.AlterDatabase)
def alter_database(call: Call[node.AlterDatabase]) -> Result:
    """ALTER DATABASE d SET PROPERTIES (…): defaults of later tables only; or RENAME."""
    name, to = _name(call.node.this), call.node.args.get("to")
    if call.node.args.get("quota"):
        return Done()  # Doris: quotas bound disk use of a cluster; accepted, without effect
    given = pairs(call.node.args.get("properties"))

    def change(catalog: Catalog) -> Catalog:
        entry = resolve_database(catalog, name)
        if to is not None:
            return catalog.with_database(_renamed(catalog, entry, to.name))
        return catalog.with_database(_altered(catalog, entry, given))

    done = commit(call, change)
    if to is not None and call.context.database == name:
        call.context.database = to.name
    return done


def _renamed(catalog: Catalog, entry: DatabaseEntry, to: str) -> DatabaseEntry:
    check_object("database", to)
    if catalog.database(to) is not None or is_system(to):
        raise DATABASE_EXISTS(name=to)
    return replace(entry, name=to)


def _altered(catalog: Catalog, entry: DatabaseEntry, given: Pairs) -> DatabaseEntry:
    altered = created(entry, given)
    if dict(altered.properties).get(changelog.BINLOG, "").lower() == "true":
        for table in catalog.tables_of(entry.id):
            if table.changelog is not None:
                raise DATABASE_HAS_CHANGELOG(database=entry.name, table=table.name)
    return altered


@handles(exp.Drop, "DATABASE")
def drop_database(call: Call[exp.Drop]) -> Result:
    """DROP DATABASE [IF EXISTS] d [FORCE]; without FORCE it waits in the recycle bin.

    Its streams go, streams elsewhere on its tables stay.
    """
    name, exists = _name(call.node.args["tables"][0]), bool(call.node.args.get("exists"))
    force, now_ms = bool(call.node.args.get("force")), to_ms(call.engine.database.reference_tso())
    if is_system(name):
        raise DATABASE_DENIED(user=call.context.user, host=call.context.host, name=name)

    def change(catalog: Catalog) -> Catalog:
        entry = catalog.database(name)
        if entry is None:
            if exists:
                return catalog
            raise DATABASE_MISSING(name=name)
        return catalog.without_database(entry.id) if force else catalog.recycled(entry.id, now_ms)

    done = commit(call, change)
    if call.context.database == name:
        call.context.database = None
    return done


@handles(exp.Use)
def use(call: Call[exp.Use]) -> Result:
    """USE [internal.]d."""
    catalog = call.engine.database.catalog
    name = known_database(catalog, _name(call.node.this))
    require_database(catalog, call.context, name)
    call.context.database = name
    return Done()


def known_database(catalog: Catalog, name: str) -> str:
    """The name of a database, also of one without tables of its own (those in any case)."""
    if is_system(name):
        return name.lower()
    if catalog.database(name) is None:
        raise UNKNOWN_DATABASE(name=name)
    return name


@handles(node.Switch)
def switch(call: Call[node.Switch]) -> Result:
    """SWITCH internal: the only catalog."""
    check_catalog(call.node.name)
    return Done()


@handles(exp.Show, "DATABASES")
def show_databases(call: Call[exp.Show]) -> Result:
    """SHOW DATABASES [FROM internal] [LIKE | WHERE]."""
    source = call.node.args.get("db")
    check_catalog(source.name if source is not None else "")
    catalog = call.engine.database.catalog
    own = [entry.name for entry in catalog.databases.values() if sees_database(catalog, call.context, entry.name)]
    return listed(call.node, ("Database",), [(name,) for name in sorted((*own, *SYSTEM_DATABASES))])


@handles(exp.Show, "CREATE DATABASE")
def show_create_database(call: Call[exp.Show]) -> Result:
    name = call.node.args["target"].name
    if is_system(name):
        entry = DatabaseEntry(0, name.lower())
    else:
        catalog = call.engine.database.catalog
        require_database(catalog, call.context, name)
        entry = resolve_database(catalog, name)
    return rows(("Database", "Create Database"), [(entry.name, database_text(entry))])


@handles(exp.Show, "CATALOGS")
def show_catalogs(call: Call[exp.Show]) -> Result:
    columns = ("CatalogId", "CatalogName", "Type", "IsCurrent", "CreateTime", "LastUpdateTime", "Comment")
    return listed(call.node, columns, [(0, CATALOG, CATALOG, "yes", "UNRECORDED", None, "Doris internal catalog")], 1)
