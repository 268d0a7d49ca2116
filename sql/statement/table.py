"""Tables: CREATE, CREATE … LIKE, DROP, TRUNCATE, RECOVER.

What a table is made of stands in sql/ddl; this module finds names and commits. Source: types-and-ddl
R13 to R17, table-stream R14, changelog R1 to R16.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from sql.bind.name import find, resolve_database, resolve_table, split
from sql.ddl import changelog
from sql.ddl.alter import check_free, renamed
from sql.ddl.alter_partition import truncated
from sql.ddl.commit import commit, stamp
from sql.ddl.partition import Stamp
from sql.ddl.show_create import create_table as table_text
from sql.ddl.table import Place, build
from sql.dialect import node
from sql.dialect.clause import PartitionClause, RollupClause, clause
from sql.dialect.doris import parse
from sql.result import Result
from sql.statement import Call, handles
from sql.statement.table_as import create_table_as
from storage.catalog.model import Catalog, DatabaseEntry, Stream, Table, View
from storage.config import ENABLE_FEATURE_CHANGELOG
from storage.errors import NOT_A_TABLE, NOT_SUPPORTED_YET, RECOVER_MISSING, TABLE_EXISTS, UNKNOWN_TABLE

_OWN_IDS = 2  # of the table, and of the partition of an unpartitioned one


@handles(exp.Create, "TABLE")
def create_table(call: Call[exp.Create]) -> Result:
    """CREATE TABLE with a column list, or LIKE another table."""
    if call.node.args.get("expression") is not None:
        return create_table_as(call)
    like = clause(call.node, exp.LikeProperty)
    if like is not None:
        return _create_like(call, like.this)
    reference = call.node.this.this
    made = stamp(call.engine, _OWN_IDS + _partition_count(call.node))

    def change(catalog: Catalog) -> Catalog:
        database = _place(catalog, call, reference)
        return catalog if database is None else catalog.with_table(_built(call, call.node, database, made))

    return commit(call, change)


def _partition_count(statement: exp.Create) -> int:
    ranges = clause(statement, PartitionClause)
    return 0 if ranges is None else len(ranges.args.get("partitions") or ())


def _place(catalog: Catalog, call: Call[exp.Create], reference: exp.Table) -> DatabaseEntry | None:
    """The database of the new table; None when IF NOT EXISTS finds the name taken."""
    database_name, name = split(reference, call.context)
    database = resolve_database(catalog, database_name)
    if catalog.named(database.id, name) is None:
        return database
    if call.node.args.get("exists"):
        return None
    raise TABLE_EXISTS(name=name)


def _built(call: Call[exp.Create], statement: exp.Create, database: DatabaseEntry, made: Stamp) -> Table:
    switched_on = call.engine.config[ENABLE_FEATURE_CHANGELOG]
    target = statement.this.this
    states_on = call.context.variables.is_on("enable_agg_state")
    return build(statement, Place(database, target.name, switched_on, made, states_on))


def _create_like(call: Call[exp.Create], source: exp.Table) -> Result:
    """CREATE TABLE … LIKE: the SHOW CREATE TABLE text of the source under the new name (R12, R16)."""
    if clause(call.node, RollupClause) is not None:
        raise NOT_SUPPORTED_YET(what="CREATE TABLE … LIKE … WITH ROLLUP")
    reference = call.node.this
    snapshot = call.engine.database.catalog
    made = stamp(call.engine, _OWN_IDS + len(resolve_table(snapshot, source, call.context).partitions))

    def change(catalog: Catalog) -> Catalog:
        original = resolve_table(catalog, source, call.context)
        database = _place(catalog, call, reference)
        if database is None:
            return catalog
        text = table_text(original, catalog.databases[original.database_id], reference.name)
        statement = parse(text)[0].node
        assert isinstance(statement, exp.Create)
        return catalog.with_table(_built(call, statement, database, made))

    return commit(call, change)


@handles(exp.Drop, "TABLE")
def drop_table(call: Call[exp.Drop]) -> Result:
    """DROP TABLE [IF EXISTS] t [FORCE]; without FORCE it waits in the recycle bin."""
    reference, force = call.node.args["tables"][0], bool(call.node.args.get("force"))
    now_ms = call.engine.database.reference_tso() >> 18

    def change(catalog: Catalog) -> Catalog:
        found = find(catalog, reference, call.context)
        if isinstance(found, Stream):
            owner = catalog.databases[found.database_id].name
            raise NOT_A_TABLE(database=owner, name=found.name, instead="DROP STREAM")
        if isinstance(found, View):
            owner = catalog.databases[found.database_id].name
            raise NOT_A_TABLE(database=owner, name=found.name, instead="DROP VIEW")
        if found is None:
            if call.node.args.get("exists"):
                return catalog
            raise UNKNOWN_TABLE(name=reference.name)
        return catalog.without_table(found.id) if force else catalog.with_table(replace(found, dropped_at=now_ms))

    return commit(call, change)


@handles(exp.TruncateTable)
def truncate_table(call: Call[exp.TruncateTable]) -> Result:
    """TRUNCATE TABLE t [PARTITION (p, …)]: new partitions under the old names and bounds."""
    reference = call.node.expressions[0]
    named = call.node.args.get("partition")
    names = [item.name for item in named.expressions] if named is not None else []
    known = resolve_table(call.engine.database.catalog, reference, call.context)
    made = stamp(call.engine, len(known.visible_partitions), known.name)

    def change(catalog: Catalog) -> Catalog:
        return catalog.with_table(truncated(resolve_table(catalog, reference, call.context), names, made))

    return commit(call, change)


@handles(node.Recover, "TABLE")
def recover_table(call: Call[node.Recover]) -> Result:
    """RECOVER TABLE [db.]t [id] [AS new]: the latest dropped table of that name, with data and identity."""
    database_name, name = split(call.node.this, call.context)
    wanted, to = call.node.args.get("id"), call.node.args.get("to")

    def change(catalog: Catalog) -> Catalog:
        database = resolve_database(catalog, database_name)
        dropped = [t for t in catalog.tables.values() if t.database_id == database.id and t.name == name]
        found = [t for t in dropped if t.dropped_at is not None and (wanted is None or t.id == int(wanted.name))]
        if not found:
            raise RECOVER_MISSING(database=database_name, name=name)
        newest = max(found, key=lambda table: (table.dropped_at or 0, table.id))
        return catalog.with_table(_recovered(catalog, database, newest, to.name if to is not None else name))

    return commit(call, change)


def _recovered(catalog: Catalog, database: DatabaseEntry, table: Table, name: str) -> Table:
    check_free(catalog, database.id, name)
    if table.changelog is not None:
        changelog.check_database(name, database)
    return replace(renamed(table, name), dropped_at=None)
