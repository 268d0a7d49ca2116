"""Streams: CREATE, ALTER, DROP, SHOW STREAMS and SHOW CREATE STREAM.

The rules stand in sql/ddl/stream.py. Source: Doris: Table Stream, creating and showing.
"""

from __future__ import annotations

from sqlglot import exp

from sql.bind.name import existing, find, of_system, resolve_database, split
from sql.ddl import stream
from sql.ddl.commit import commit, stamp
from sql.ddl.show_create import create_stream as stream_text
from sql.dialect import node
from sql.dialect.clause import pairs
from sql.listing import rows
from sql.result import Result
from sql.statement import Call, handles
from storage.catalog.catalog import Catalog
from storage.catalog.model import DatabaseEntry, Stream, Table
from storage.config import ENABLE_TABLE_STREAM
from storage.errors import (
    NO_SUCH_TABLE,
    STREAM_BASE_KIND,
    STREAM_ONLY_COMMENT,
    STREAM_REPLACE,
    STREAM_SWITCHED_OFF,
)


@handles(node.CreateStream)
def create_stream(call: Call[node.CreateStream]) -> Result:
    """CREATE STREAM [IF NOT EXISTS] s ON TABLE t [COMMENT] [PROPERTIES]."""
    if not call.engine.config[ENABLE_TABLE_STREAM]:
        raise STREAM_SWITCHED_OFF()
    if call.node.args.get("replace"):
        raise STREAM_REPLACE()
    database_name, name = split(call.node.this, call.context)
    stream.check_name(name)
    made = stamp(call.engine, 1)
    identity = made.take_id()

    def change(catalog: Catalog) -> Catalog:
        database = resolve_database(catalog, database_name)
        if call.node.args.get("exists") and catalog.stream(database.id, name) is not None:
            return catalog
        stream.check_free(catalog, database, name)
        return catalog.with_stream(_made(catalog, call, database, identity, made.tso))

    return commit(call, change)


def _made(catalog: Catalog, call: Call[node.CreateStream], database: DatabaseEntry, identity: int, tso: int) -> Stream:
    wanted = stream.options(pairs(call.node.args.get("properties")))
    comment = call.node.args.get("comment")
    return Stream(
        id=identity,
        database_id=database.id,
        name=call.node.this.name,
        base_id=_base(catalog, call, wanted).id,
        type=wanted.type,
        show_initial_rows=wanted.show_initial_rows,
        comment=comment.name if comment is not None else "",
        created_tso=tso,
    )


def _base(catalog: Catalog, call: Call[node.CreateStream], wanted: stream.Options) -> Table:
    reference = call.node.args["base"]
    if of_system(reference, call.context):
        raise STREAM_BASE_KIND(kind="SCHEMA", type=wanted.type.value)
    found = find(catalog, reference, call.context)
    if found is None:
        raise NO_SUCH_TABLE(name=reference.name)
    return stream.check_base(found, wanted.type, reference.name)


@handles(node.AlterStream)
def alter_stream(call: Call[node.AlterStream]) -> Result:
    """ALTER STREAM s SET COMMENT 'text': the only alteration."""
    comment = call.node.args.get("comment")
    if comment is None:
        raise STREAM_ONLY_COMMENT(name=call.node.this.name)

    def change(catalog: Catalog) -> Catalog:
        found = existing(catalog, call.node.this, call.context, Stream, "ALTER")
        return stream.commented(catalog, found, comment.name)

    return commit(call, change)


@handles(node.DropStream)
def drop_stream(call: Call[node.DropStream]) -> Result:
    """DROP STREAM [IF EXISTS] s [FORCE]; base table and changelog are untouched."""

    def change(catalog: Catalog) -> Catalog:
        if call.node.args.get("exists") and find(catalog, call.node.this, call.context) is None:
            return catalog
        found = existing(catalog, call.node.this, call.context, Stream, "DROP")
        return stream.dropped(catalog, found, bool(call.node.args.get("force")))

    return commit(call, change)


@handles(exp.Show, "CREATE STREAM")
def show_create_stream(call: Call[exp.Show]) -> Result:
    catalog = call.engine.database.catalog
    found = existing(catalog, call.node.args["target"], call.context, Stream, "SHOW CREATE")
    return rows(("Stream", "Create Stream"), [(found.name, stream_text(found, catalog))])
