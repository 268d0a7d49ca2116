"""Run a Stream Load: make the batch of an INSERT of the same rows, commit it.

One load is one transaction with one TSO; too many filtered rows fail it (Doris: Stream Load, max_filter_ratio).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sql.bind.binding import Binding
from sql.context import Context
from sql.ingest.auto_increment import numbered
from sql.ingest.auto_partition import complete
from sql.load.batch import load_batch
from sql.load.request import Request
from sql.load.rows import Rejected
from sql.privilege import LOAD, require
from sql.write import anew, commit, new_label
from storage.catalog.catalog import Catalog
from storage.catalog.model import DatabaseEntry, Stream, Table, View
from storage.errors import (
    ACCESS_DENIED,
    LABEL_USED,
    LOAD_DATABASE,
    LOAD_FILTERED,
    LOAD_TABLE,
    STREAM_IS_READ_ONLY,
    VIEW_IS_READ_ONLY,
    DorisError,
)
from storage.work import Batch, Label, Work, Write

if TYPE_CHECKING:
    from sql.engine import Engine

_BEFORE_BEGIN = (LOAD_DATABASE, LOAD_TABLE, ACCESS_DENIED, STREAM_IS_READ_ONLY, VIEW_IS_READ_ONLY, LABEL_USED)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a load that had a transaction; a `failure` stored nothing."""

    label: str
    transaction_id: int
    failure: DorisError | None = None
    good: int = 0  # rows that could be stored
    filtered: int = 0
    unselected: int = 0
    rejected: tuple[Rejected, ...] = ()  # the first of the filtered rows

    @property
    def total(self) -> int:
        """The rows of the body (Doris: NumberTotalRows, of a failed load too)."""
        return self.good + self.filtered + self.unselected

    @property
    def loaded(self) -> int:
        """The rows that were stored."""
        return self.good if self.failure is None else 0


def run(engine: Engine, context: Context, database: str, name: str, request: Request, body: bytes) -> Outcome:
    """Load a body into a table; raises the DorisError of a load that is refused before it has a transaction."""
    context.database = database
    if request.timezone:
        context.variables.set("time_zone", request.timezone)
    try:
        return anew(engine, context, lambda: _run(engine, context, database, name, request, body))
    except DorisError as error:
        if error.kind in _BEFORE_BEGIN:
            raise
        return Outcome(request.label or new_label(), engine.database.reserve_transaction(), error)


def _run(engine: Engine, context: Context, database: str, name: str, request: Request, body: bytes) -> Outcome:
    reader = engine.database.reader()
    try:
        context.running(reader)
        binding = Binding(engine, context, reader, engine.database.reference_tso())
        entry, table = _target(binding.catalog, context, database, name)
        batch = load_batch(binding, table, request, body)
    finally:
        reader.close()
    label = request.label or new_label()
    told = (batch.rows.num_rows, batch.filtered, batch.unselected, batch.rejected)
    if batch.filtered > request.filter_ratio * (batch.filtered + batch.rows.num_rows):
        return Outcome(label, engine.database.reserve_transaction(), LOAD_FILTERED(), *told)
    made = complete(engine, table, numbered(engine.database, table, batch.rows))
    source = made.batch(Batch(made.rows, batch.partial))
    writes = (Write(table.id, table.schema_version, source),) if made.rows.num_rows else ()
    stored = Label(entry.id, request.label) if request.label else None
    done = commit(engine, context, Work(writes, change=made.change(table.id), label=stored))
    return Outcome(label, done.transaction_id, None, *told)


def _target(catalog: Catalog, context: Context, database: str, name: str) -> tuple[DatabaseEntry, Table]:
    entry = catalog.database(database)
    if entry is None:
        raise LOAD_DATABASE(name=database)
    found = catalog.named(entry.id, name)
    if found is None:
        raise LOAD_TABLE(database=database, name=name)
    require(catalog, context, LOAD, database, name)
    if isinstance(found, Stream):
        raise STREAM_IS_READ_ONLY(name=name, statement="Stream Load")
    if isinstance(found, View):
        raise VIEW_IS_READ_ONLY(name=name, statement="Stream Load")
    return entry, found
