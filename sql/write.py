"""The common end of INSERT, UPDATE and DELETE: commit at once, or stage inside BEGIN … COMMIT."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.name import find, usable
from sql.context import Context
from sql.read import open_binding
from sql.result import Done
from sql.rewrite.modifier import refuse_modifiers
from sql.statement import Call
from storage.catalog.catalog import Catalog
from storage.catalog.model import Stream, Table, View
from storage.errors import (
    NO_SUCH_TABLE,
    NOT_SUPPORTED,
    STREAM_CLAUSE,
    STREAM_IS_READ_ONLY,
    TABLE_CHANGED,
    UNKNOWN_PARTITION_ID,
    UNKNOWN_TABLE_ID,
    VIEW_IS_READ_ONLY,
    DorisError,
)
from storage.work import Batch, Commit, Label, Predicate, Query, Work, Write

if TYPE_CHECKING:
    from sql.engine import Engine

E = TypeVar("E", bound=exp.Expr)
T = TypeVar("T")
MOST_ATTEMPTS = 3
OVERTAKEN = (TABLE_CHANGED, UNKNOWN_TABLE_ID, UNKNOWN_PARTITION_ID)
READING = "UPDATE and DELETE reading a stream"


def target_table(catalog: Catalog, reference: exp.Table, context: Context, statement: str) -> Table:
    """The table to be written; a stream raises STREAM_IS_READ_ONLY (Doris: Table Stream, limits)."""
    found = find(catalog, reference, context)
    if isinstance(found, Stream):
        raise STREAM_IS_READ_ONLY(name=found.name, statement=statement)
    if isinstance(found, View):
        raise VIEW_IS_READ_ONLY(name=found.name, statement=statement)
    if found is None:
        raise NO_SUCH_TABLE(name=reference.name)
    refuse_modifiers(reference, f"the target of {statement}", among=("changes", "version"))
    return usable(catalog, found)


def commit(engine: Engine, context: Context, work: Work) -> Commit:
    """Apply a work; KILL stops it until its COMMIT."""
    return engine.database.apply(work, context)


def load(call: Call[exp.Expr], work: Work, rows: int, filtered: int) -> Done:
    """Commit the rows of an INSERT in any form; the answer names its label and transaction (Doris: INSERT, result)."""
    done = commit(call.engine, call.context, work)
    label = work.label.name if work.label is not None else new_label()
    return loaded(rows, filtered, info(label, "VISIBLE", done.transaction_id))


def loaded(rows: int, filtered: int, text: str) -> Done:
    """The answer of an INSERT: rows written, and rows dropped, each of them a warning."""
    return Done(rows, info=text, warnings=filtered, filtered=filtered)


def anew(engine: Engine, context: Context, attempt: Callable[[], T]) -> T:
    """Run a statement that plans on the catalog; again when a definition overtook it between plan and lock.

    The last attempt keeps everybody else waiting from its plan to its end, so that it cannot be overtaken.
    """
    for _ in range(MOST_ATTEMPTS - 1):
        try:
            return attempt()
        except DorisError as error:
            if error.kind not in OVERTAKEN:
                raise
    with engine.database.alone(context):
        return attempt()


def run_bound(call: Call[E], statement: Callable[[Call[E], Binding], int]) -> int:
    """Bind and run an UPDATE or DELETE, in as many attempts as it takes."""

    def attempt() -> int:
        binding = open_binding(call)
        try:
            return statement(call, binding)
        finally:
            binding.reader.close()

    return anew(call.engine, call.context, attempt)


def refuse_streams(binding: Binding, statement: str) -> None:
    """Only INSERT … SELECT moves offsets; a statement that cannot may not read a stream (Doris: Table Stream)."""
    if binding.streams:
        raise STREAM_CLAUSE(clause=statement, name=binding.streams[0].name)


def stage_or_commit(call: Call[exp.Expr], binding: Binding, table: Table, rows: str) -> int:
    """Write the rows of an UPDATE or DELETE, given as DuckDB text; gives the number of rows.

    Autocommit evaluates the text under the table lock; a transaction evaluates it now and stages the rows
    together with the versions they met.
    """
    transaction = call.context.transaction
    if transaction is not None:
        met = binding.reader.table(rows)
        if met.num_rows:
            transaction.stage([Write(table.id, table.schema_version, Batch(met))], ())
        return len(met)
    return commit_bound(call, binding, table, Query(rows))


def commit_bound(call: Call[exp.Expr], binding: Binding, table: Table, source: Query | Predicate) -> int:
    """Have a bound text run under the table lock, on tables that are still as it knows them."""
    if binding.reads_arrow:
        raise NOT_SUPPORTED(what="reading information_schema in UPDATE or DELETE")
    binding.reader.close()
    write = Write(table.id, table.schema_version, source, tuple(binding.tables.values()))
    return commit(call.engine, call.context, Work((write,))).affected[0]


def explicit_label(label: exp.Expr | None, database_id: int) -> Label | None:
    """The label a client gave, in the database it writes to; stored with the write, it may be used there once."""
    return None if label is None else Label(database_id, label.name)


def new_label() -> str:
    """The label of an INSERT that names none (Doris: label_<hex>)."""
    return f"label_{uuid.uuid4().hex[:16]}_{uuid.uuid4().hex[:16]}"


def info(label: str, status: str, transaction_id: int) -> str:
    """The info text of the OK packet (Doris: INSERT, result)."""
    return f"{{'label':'{label}', 'status':'{status}', 'txnId':'{transaction_id}'}}"
