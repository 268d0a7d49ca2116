"""Tables: CREATE, CREATE … LIKE, DROP, TRUNCATE.

What a table is made of stands in sql/ddl; this module finds names and commits. Source: Doris:
CREATE TABLE, DROP TABLE, TRUNCATE TABLE; Table Stream, limits; Changelog, database defaults.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from sql.bind.binding import CONCATENATING
from sql.bind.name import existing, find, resolve_table
from sql.ddl.alter_partition import truncated, without
from sql.ddl.commit import commit, stamp
from sql.ddl.show_create import create_table as table_text
from sql.ddl.table import build
from sql.dialect import pipes
from sql.dialect.clause import RollupClause, clause
from sql.dialect.doris import parse
from sql.result import Result
from sql.statement import Call, handles
from sql.statement.new_table import free_database, is_temporary, place
from sql.statement.table_as import create_table_as
from storage.catalog.catalog import Catalog
from storage.catalog.model import Table
from storage.errors import ROLLUP_MISSING
from storage.tso import to_ms


@handles(exp.Create, "TABLE")
def create_table(call: Call[exp.Create]) -> Result:
    """CREATE [TEMPORARY] TABLE with a column list, LIKE another table, or AS SELECT."""
    if call.node.args.get("expression") is not None:
        return create_table_as(call)
    like = clause(call.node, exp.LikeProperty)
    if like is not None:
        return _create_like(call, like.this)
    reference = call.node.this.this
    made = stamp(call.engine)
    definition = pipes.as_concat(call.node) if call.context.variables.has_mode(CONCATENATING) else call.node
    assert isinstance(definition, exp.Create)

    def change(catalog: Catalog) -> Catalog:
        database = free_database(catalog, call, reference)
        if database is None:
            return catalog
        return catalog.with_table(build(definition, place(call, database, reference.name, made)))

    return commit(call, change)


def _create_like(call: Call[exp.Create], source: exp.Table) -> Result:
    """CREATE TABLE … LIKE: the SHOW CREATE TABLE text of the source under the new name."""
    reference, made = call.node.this, stamp(call.engine)

    def change(catalog: Catalog) -> Catalog:
        original = resolve_table(catalog, source, call.context)
        database = free_database(catalog, call, reference)
        if database is None:
            return catalog
        text = table_text(original, catalog.databases[original.database_id], reference.name)
        statement = _like_statement(parse(text)[0].node, call.node)
        return catalog.with_table(build(statement, place(call, database, reference.name, made)))

    return commit(call, change)


def _like_statement(printed: exp.Expr, asked: exp.Create) -> exp.Create:
    """The printed statement, temporary only if that was asked for, with the rollups that WITH ROLLUP names."""
    assert isinstance(printed, exp.Create)
    statement, with_rollup = printed.copy(), clause(asked, RollupClause)
    members = [
        member
        for member in statement.args["properties"].expressions
        if not isinstance(member, (exp.TemporaryProperty, RollupClause))
    ]
    if is_temporary(asked):
        members.append(exp.TemporaryProperty())
    if with_rollup is not None:
        members += _chosen_rollups(clause(statement, RollupClause), [item.name for item in with_rollup.expressions])
    statement.set("properties", exp.Properties(expressions=members))
    return statement


def _chosen_rollups(found: RollupClause | None, names: list[str]) -> list[exp.Expr]:
    """All rollups, or those of these names."""
    rollups = found.expressions if found is not None else []
    known = {rollup.name.lower(): rollup for rollup in rollups}
    for name in names:
        if name.lower() not in known:
            raise ROLLUP_MISSING(name=name)
    chosen = [known[name.lower()] for name in names] or rollups
    return [RollupClause(expressions=chosen)] if chosen else []


@handles(exp.Drop, "TABLE")
def drop_table(call: Call[exp.Drop]) -> Result:
    """DROP TABLE [IF EXISTS] t [FORCE]; without FORCE it waits in the recycle bin, if it is no temporary one."""
    reference, force = call.node.args["tables"][0], bool(call.node.args.get("force"))
    now_ms = to_ms(call.engine.database.reference_tso())

    def change(catalog: Catalog) -> Catalog:
        if call.node.args.get("exists") and find(catalog, reference, call.context) is None:
            return catalog
        found = existing(catalog, reference, call.context, Table, "DROP")
        if force or found.session is not None:
            return catalog.without_table(found.id)
        return catalog.with_table(replace(without(found, found.temporary_partitions), dropped_at=now_ms))

    return commit(call, change)


@handles(exp.TruncateTable)
def truncate_table(call: Call[exp.TruncateTable]) -> Result:
    """TRUNCATE TABLE t [PARTITION (p, …)]: new partitions under the old names and bounds."""
    reference = call.node.expressions[0]
    named = call.node.args.get("partition")
    names = [item.name for item in named.expressions] if named is not None else []
    made = stamp(call.engine)

    def change(catalog: Catalog) -> Catalog:
        return catalog.with_table(truncated(resolve_table(catalog, reference, call.context), names, made))

    return commit(call, change)
