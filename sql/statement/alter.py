"""ALTER TABLE and SHOW ALTER TABLE: finds the table and commits what sql/ddl/alter.py makes of the catalog."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sql.alteration import Alteration, Kind
from sql.bind.name import resolve_table
from sql.ddl.alter import Step, altered
from sql.ddl.commit import stamp
from sql.dialect import node
from sql.listing import listed, words
from sql.privilege import sees
from sql.result import Done, Result
from sql.statement import Call, handles
from sql.statement.show import database_of, moment
from sql.write import commit
from storage.catalog.catalog import Catalog
from storage.work import Work


@handles(node.AlterTable)
def alter_table(call: Call[node.AlterTable]) -> Result:
    """ALTER TABLE t action, …: all actions or none."""
    actions, made, ids = call.node.args["actions"], stamp(call.engine), list[int]()
    database = call.engine.database
    began = database.clock()

    def change(catalog: Catalog) -> Catalog:
        table = resolve_table(catalog, call.node.this, call.context)
        ids.append(table.id)
        return altered(Step(catalog, table, made), actions)

    done = commit(call.engine, call.context, Work(change=change))
    after = database.catalog.tables.get(ids[-1])
    if after is not None:
        call.engine.alterations.note(after, actions, done.transaction_id, began, database.clock())
    return Done()


_COLUMN_JOB = words(
    "JobId TableName CreateTime FinishTime IndexName IndexId OriginIndexId SchemaVersion TransactionId State Msg "
    "Progress Timeout"
)
_ROLLUP_JOB = words(
    "JobId TableName CreateTime FinishTime BaseIndexName RollupIndexName RollupId TransactionId State Msg Progress "
    "Timeout"
)


@handles(exp.Show, "ALTER TABLE COLUMN")
def show_alter_column(call: Call[exp.Show]) -> Result:
    """SHOW ALTER TABLE COLUMN [FROM db] [WHERE …] [ORDER BY …]: column changes, each finished with its statement."""
    return listed(call.node, _COLUMN_JOB, list(_column_jobs(call)), like=1)


def _column_jobs(call: Call[exp.Show]) -> Iterator[tuple[object, ...]]:
    for found in _seen_jobs(call, "COLUMN"):
        times = (moment(call.context, found.began_ms), moment(call.context, found.ended_ms))
        middle = (found.index, found.table_id, found.table_id, f"{found.schema_version}:0", found.transaction_id)
        yield (found.id, found.table, *times, *middle, "FINISHED", "", None, found.timeout_seconds)


def _seen_jobs(call: Call[exp.Show], kind: Kind) -> list[Alteration]:
    """The alterations of a database, of tables that the user sees."""
    catalog, database = call.engine.database.catalog, database_of(call)
    entry = catalog.database(database)
    found = call.engine.alterations.of(entry.id, kind) if entry is not None else ()
    return [one for one in found if sees(catalog, call.context, database, one.table)]


@handles(exp.Show, "ALTER TABLE ROLLUP", "ALTER TABLE MATERIALIZED VIEW")
def show_alter_rollup(call: Call[exp.Show]) -> Result:
    """SHOW ALTER TABLE ROLLUP [FROM db] [WHERE …] [ORDER BY …]: rollups, each finished with its statement."""
    return listed(call.node, _ROLLUP_JOB, list(_rollup_jobs(call)), like=1)


def _rollup_jobs(call: Call[exp.Show]) -> Iterator[tuple[object, ...]]:
    for found in _seen_jobs(call, "ROLLUP"):
        times = (moment(call.context, found.began_ms), moment(call.context, found.ended_ms))
        middle = (found.table, found.index, found.id, found.transaction_id)
        yield (found.id, found.table, *times, *middle, "FINISHED", "", None, found.timeout_seconds)
