"""CREATE TABLE … AS SELECT: the table and its rows in one transaction, or neither.

The columns have the query's types, and NOT NULL where they are columns of tables that have it; a first one of STRING is
a VARCHAR, which can be a key. Without a key clause the table is DUPLICATE KEY by the usual rule
(Doris: CREATE TABLE AS SELECT). A stream cannot be the source: its offset would not move.
"""

from __future__ import annotations

from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.name import resolve_database, split
from sql.bind.query import Bound, bind_query, typed
from sql.bind.type import spelled
from sql.ddl.auto_partition import added
from sql.ddl.commit import stamp
from sql.ddl.table import build
from sql.dialect.clause import target
from sql.ingest.auto_partition import complete
from sql.ingest.batch import Batched, batch_sql, placed, settle, targets
from sql.read import open_binding
from sql.result import Done, Field, Result
from sql.statement import Call
from sql.statement.new_table import free_database, place
from sql.write import load, refuse_streams
from storage.catalog.catalog import Catalog
from storage.catalog.model import Table
from storage.errors import COLUMN_COUNT, TABLE_EXISTS
from storage.types import STRING, VARCHAR
from storage.work import Batch, Work, Write


def create_table_as(call: Call[exp.Create]) -> Result:
    """Create and fill; affected rows are the rows written."""
    reference, _ = target(call.node)
    binding = open_binding(call)
    try:
        if free_database(binding.catalog, call, reference) is None:
            return Done()
        bound = typed(bind_query(call.node.expression, binding), binding)
        refuse_streams(binding, "CREATE TABLE AS SELECT")
        table = _table(call, bound, reference.name)
        batch = _batch(call, table, bound, binding)
        made = complete(call.engine, table, batch.rows)
        table = added(table, made.partitions)
    finally:
        binding.reader.close()

    def change(catalog: Catalog) -> Catalog:
        if free_database(catalog, call, reference) is None:
            raise TABLE_EXISTS(name=reference.name)
        return catalog.with_table(table)

    writes = (Write(table.id, table.schema_version, Batch(made.rows)),) if made.rows.num_rows else ()
    return load(call, Work(writes, change=change), made.rows.num_rows, batch.filtered)


def _table(call: Call[exp.Create], bound: Bound, name: str) -> Table:
    """The table of the statement once it has column definitions."""
    statement = call.node.copy()
    reference, listed = target(statement)
    if listed and len(listed) != len(bound.fields):
        raise COLUMN_COUNT()
    names = [item.name for item in listed] or [field.name for field in bound.fields]
    columns = [_column(*both, first=not place) for place, both in enumerate(zip(names, bound.fields, strict=True))]
    statement.set("this", exp.Schema(this=reference, expressions=columns))
    database = resolve_database(call.engine.database.catalog, split(reference, call.context)[0])
    return build(statement, place(call, database, name, stamp(call.engine)))


def _column(name: str, field: Field, *, first: bool) -> exp.ColumnDef:
    kind = VARCHAR if first and field.type in (STRING, None) else field.type or STRING
    rules = [] if field.nullable else [exp.ColumnConstraint(kind=exp.NotNullColumnConstraint())]
    return exp.ColumnDef(this=exp.to_identifier(name, quoted=True), kind=spelled(kind), constraints=rules)


def _batch(call: Call[exp.Create], table: Table, bound: Bound, binding: Binding) -> Batched:
    chosen = targets(table, [])
    types = [field.type for field in bound.fields]
    rows = binding.reader.table(batch_sql(table, chosen, bound.sql, types, binding))
    return settle(placed(table, rows, create=True), call.context.variables)
