"""Resolve object names against a catalog snapshot (Doris: USE; FE Configuration, lower_case_table_names).

A table name is `t`, `db.t` or `internal.db.t`; database and table names are case-sensitive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from sqlglot import exp

from storage.catalog.catalog import Catalog
from storage.catalog.model import DatabaseEntry, Stream, Table, View
from storage.errors import (
    BINLOG_TABLE,
    NO_DATABASE,
    NO_SUCH_TABLE,
    NOT_A_TABLE,
    UNKNOWN_CATALOG,
    UNKNOWN_DATABASE,
    UNKNOWN_TABLE,
    WRONG_OBJECT,
)

if TYPE_CHECKING:
    from sql.context import Context

CATALOG = "internal"
INSIDE_VIEW = "inside_view"  # meta key of a reference in the query of a view: the privilege was checked on the view
SYSTEM_DATABASES = ("information_schema", "mysql", "__internal_schema")


def is_system(database: str) -> bool:
    """Whether a database is one of the server's own, whose names are written in any case."""
    return database.lower() in SYSTEM_DATABASES


def of_system(table: exp.Table, context: Context) -> bool:
    """Whether a reference means a table of one of the server's own databases, by its words or by USE."""
    return is_system(split(table, context)[0])


def split(table: exp.Table, context: Context) -> tuple[str, str]:
    """Give database and object name of a reference; the current database fills in."""
    check_catalog(table.catalog)
    return table.db or current_database(context), table.name


def check_catalog(name: str) -> None:
    """Refuse every catalog but `internal`; an empty name stands for it."""
    if name and name != CATALOG:
        raise UNKNOWN_CATALOG(name=name)


def current_database(context: Context) -> str:
    if context.database is None:
        raise NO_DATABASE()
    return context.database


def resolve_database(catalog: Catalog, name: str) -> DatabaseEntry:
    entry = catalog.database(name)
    if entry is None:
        raise UNKNOWN_DATABASE(name=name)
    return entry


def resolve_table(catalog: Catalog, reference: exp.Table, context: Context) -> Table:
    """The live table of that name; errors as of `as_table`."""
    return usable(catalog, as_table(catalog, find(catalog, reference, context), reference.name))


def as_table(catalog: Catalog, found: Table | Stream | View | None, name: str) -> Table:
    """What was found, else NO_SUCH_TABLE (1146) with the name alone, as Doris prints it, or NOT_A_TABLE."""
    if found is None:
        raise NO_SUCH_TABLE(name=name)
    if not isinstance(found, Table):
        raise NOT_A_TABLE(name=qualified(catalog, found), kind=_WORDS[type(found)])
    return found


def find(catalog: Catalog, reference: exp.Table, context: Context) -> Table | Stream | View | None:
    """The table, stream or view of that name, or None; the database must exist.

    A temporary table of the session hides others of its name, but for what the query of a view names.
    """
    database, name = split(reference, context)
    entry = resolve_database(catalog, database)
    if context.has_temporary and not reference.meta.get(INSIDE_VIEW):
        own = catalog.temporary_table(entry.id, name, context.connection_id)
        if own is not None:
            return own
    return catalog.named(entry.id, name)


_WORDS: dict[type[Table | Stream | View], str] = {Table: "TABLE", Stream: "STREAM", View: "VIEW"}
Named = TypeVar("Named", Table, Stream, View)


def only(catalog: Catalog, found: Table | Stream | View | None, wanted: type[Named], command: str) -> Named | None:
    """What was found, if it is of the kind that a command is for; the hint of WRONG_OBJECT names the one for others."""
    if found is None or isinstance(found, wanted):
        return found
    instead = f"{command} {_WORDS[type(found)]} {found.name}"
    raise WRONG_OBJECT(name=qualified(catalog, found), wanted=_WORDS[wanted], instead=instead)


def existing(catalog: Catalog, reference: exp.Table, context: Context, wanted: type[Named], command: str) -> Named:
    """What has that name, of the kind that a command is for; else UNKNOWN_TABLE, or the errors of `find` and `only`."""
    found = only(catalog, find(catalog, reference, context), wanted, command)
    if found is None:
        raise UNKNOWN_TABLE(name=reference.name)
    return found


def usable(catalog: Catalog, table: Table) -> Table:
    """The table, unless an early build made it, whose change records nobody can read."""
    if any(key == "binlog.format" and value.upper() == "ROW" for key, value in table.properties):
        raise BINLOG_TABLE(table=qualified(catalog, table))
    return table


def qualified(catalog: Catalog, item: Table | Stream | View) -> str:
    """`db.name`, for messages."""
    return f"{catalog.databases[item.database_id].name}.{item.name}"
