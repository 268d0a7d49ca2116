"""Where a new table goes, for CREATE TABLE, … LIKE and … AS SELECT: its name must be free, and what is switched on.

A temporary table has the name space of its session to itself. Source: Doris: CREATE TABLE;
Doris documentation, "Temporary table".
"""

from __future__ import annotations

from sqlglot import exp

from sql.bind.name import resolve_database, split
from sql.ddl.partition import Stamp
from sql.ddl.table import Place
from sql.dialect.clause import clause
from sql.statement import Call
from storage.catalog.catalog import Catalog
from storage.catalog.model import DatabaseEntry
from storage.config import ENABLE_FEATURE_CHANGELOG
from storage.errors import TABLE_EXISTS


def is_temporary(statement: exp.Create) -> bool:
    """Whether the statement says TEMPORARY."""
    return clause(statement, exp.TemporaryProperty) is not None


def free_database(catalog: Catalog, call: Call[exp.Create], reference: exp.Table) -> DatabaseEntry | None:
    """The database of the new table; None when IF NOT EXISTS finds the name taken, else TABLE_EXISTS."""
    database_name, name = split(reference, call.context)
    database = resolve_database(catalog, database_name)
    session = call.context.connection_id
    if is_temporary(call.node):
        taken = catalog.temporary_table(database.id, name, session) is not None
    else:
        taken = catalog.named(database.id, name) is not None
    if not taken:
        return database
    if call.node.args.get("exists"):
        return None
    raise TABLE_EXISTS(name=name)


def place(call: Call[exp.Create], database: DatabaseEntry, name: str, made: Stamp) -> Place:
    """What a table is made with besides its statement; a temporary one is noted in the session."""
    variables = call.context.variables
    if is_temporary(call.node):
        call.context.has_temporary = True
    return Place(
        database=database,
        name=name,
        feature_on=call.engine.config[ENABLE_FEATURE_CHANGELOG],
        stamp=made,
        states_on=variables.is_on("enable_agg_state"),
        nullable_partitions=variables.is_on("allow_partition_column_nullable"),
        session=call.context.connection_id,
    )
