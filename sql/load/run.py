"""Run a Stream Load: decode the body, make the batch of an INSERT of the same rows, commit it.

One load is one transaction with one TSO. Rows that cannot be stored are filtered and counted, rows that `where`
rejects are only counted; too many filtered ones fail the load (Doris: Stream Load, max_filter_ratio).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.expression import bind_expression, reference_to
from sql.bind.query import bind_query
from sql.bind.relation import Relation, RelationColumn
from sql.context import Context
from sql.ingest.auto_increment import numbered
from sql.ingest.auto_partition import complete
from sql.ingest.batch import REJECT, batch_sql, placed
from sql.ingest.default import default_text
from sql.ingest.generated import computed
from sql.ingest.target import SIGN, SIGN_COLUMN
from sql.load import csv, json_body
from sql.load.compress import unpacked
from sql.load.json_body import Field
from sql.load.plan import FLAG, Plan, plan
from sql.load.request import Csv, Request
from sql.load.rows import Rejected, Rows
from sql.privilege import LOAD, require
from sql.write import anew, commit, new_label
from storage.catalog.catalog import Catalog
from storage.catalog.model import Column, DatabaseEntry, Partition, Stream, Table, View
from storage.errors import (
    ACCESS_DENIED,
    LABEL_USED,
    LOAD_DATABASE,
    LOAD_FILTERED,
    LOAD_TABLE,
    STREAM_IS_READ_ONLY,
    UNKNOWN_PARTITION,
    VIEW_IS_READ_ONLY,
    DorisError,
)
from storage.naming import PREFIX, physical, quote, sql_name
from storage.types import BOOLEAN, STRING
from storage.work import Batch, Label, Work, Write

if TYPE_CHECKING:
    from sql.engine import Engine

SELECTED = PREFIX + "selected"
_BEFORE_BEGIN = (LOAD_DATABASE, LOAD_TABLE, ACCESS_DENIED, STREAM_IS_READ_ONLY, VIEW_IS_READ_ONLY, LABEL_USED)
_KEPT = 100  # rejected rows that are shown
_SHOWN = 200  # characters of each


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
        load = _Load(binding, table, request)
        batch = load.batch(body)
    finally:
        reader.close()
    label = request.label or new_label()
    told = (batch.rows.num_rows, batch.filtered, batch.unselected, batch.rejected)
    if batch.filtered > request.filter_ratio * (batch.filtered + batch.rows.num_rows):
        return Outcome(label, engine.database.reserve_transaction(), LOAD_FILTERED(), *told)
    made = complete(engine, table, numbered(engine.database, table, batch.rows))
    source = made.batch(Batch(made.rows, load.plan.chosen.partial))
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


@dataclass(frozen=True, slots=True)
class _Batch:
    rows: pa.Table
    filtered: int
    unselected: int
    rejected: tuple[Rejected, ...]


class _Load:
    """One load on its way from bytes to a batch."""

    def __init__(self, binding: Binding, table: Table, request: Request) -> None:
        self._binding = binding
        self._table = table
        self._request = request
        made = plan(table, request, binding.now)
        self.plan: Plan = replace(made, chosen=replace(made.chosen, computed=computed(table, binding)))

    def batch(self, body: bytes) -> _Batch:
        """The good rows of a body, and the figures of the others."""
        source = self._decoded(unpacked(body, self._request.compression))
        parts = self._partitions()
        rows = placed(self._table, self._binding.reader.table(self._text(source)), parts, create=parts is None)
        bad = pc.is_valid(rows[REJECT])
        chosen = pc.invert(bad)
        if SELECTED in rows.column_names:
            chosen = pc.and_(chosen, pc.equal(rows[SELECTED], 1))
        filtered = pc.sum(bad).as_py() or 0
        good = rows.filter(chosen)
        good = good.drop_columns([name for name in (REJECT, SELECTED, *self._passed) if name in good.column_names])
        unselected = rows.num_rows - filtered - good.num_rows
        rejected = (*source.rejected, *self._rejected(source, rows[REJECT], bad))
        return _Batch(good, filtered + len(source.rejected), unselected, rejected[:_KEPT])

    # -- rows of text --------------------------------------------------------------------------------
    def _decoded(self, body: bytes) -> Rows:
        form = self._request.format
        if isinstance(form, Csv):
            return csv.decode(body, form, len(self.plan.fields))
        rows = json_body.decode(body, form, [Field(name, self._default(name)) for name in self.plan.fields])
        return self._with_keys(rows) if self.plan.keys else rows

    def _default(self, name: str) -> str | None:
        """What a row gets that does not have this key: the column's default."""
        if name.upper() == SIGN:
            return SIGN_COLUMN.default
        column = self._table.column(name)
        if column is None or self.plan.keys or self.plan.chosen.position(column) is None:
            return None
        return default_text(column, self._binding.now)

    def _with_keys(self, rows: Rows) -> Rows:
        """Without the rows that lack a key column (flexible partial update)."""
        places = [self.plan.fields.index(name) for name in self.plan.keys]
        whole = pa.array([True] * rows.count, pa.bool_())
        for place in places:
            whole = pc.and_(whole, rows.flags[place])
        missing = rows.count - (pc.sum(whole).as_py() or 0)
        if not missing:
            return rows
        lost = (Rejected("flexible partial update needs all key columns in each row", ""),) * missing
        columns = tuple(column.filter(whole) for column in rows.columns)
        flags = tuple(flag.filter(whole) for flag in rows.flags)
        return Rows(columns, rows.count - missing, (*rows.rejected, *lost), flags)

    def _rejected(self, source: Rows, reasons: pa.ChunkedArray, bad: pa.ChunkedArray) -> list[Rejected]:
        places = pc.indices_nonzero(bad)[:_KEPT]
        texts = zip(*(column.take(places).to_pylist() for column in source.columns), strict=True)
        lines = (",".join("\\N" if text is None else text for text in row)[:_SHOWN] for row in texts)
        return [Rejected(*pair) for pair in zip(reasons.take(places).to_pylist(), lines, strict=True)]

    # -- DuckDB text ---------------------------------------------------------------------------------
    @property
    def _passed(self) -> tuple[str, ...]:
        return tuple(physical(name) for name in self.plan.passed) if self.plan.where is not None else ()

    def _text(self, source: Rows) -> str:
        """The whole batch: fields, computed columns, conversion, condition."""
        relation = self._relation(source)
        extra = [*(self.plan.passed if self.plan.where is not None else ()), *self.plan.chosen.flags.values()]
        more = [exp.column(exp.to_identifier(name, quoted=True)) for name in extra]
        select = exp.Select(expressions=[*self.plan.items, *more]).from_(reference_to(relation))
        bound = bind_query(select, self._binding)
        types = [field.type for field in bound.fields[: len(self.plan.items)]]
        named = self._renamed(bound.sql, extra)
        passed = [quote(name) for name in self._passed]
        text = batch_sql(self._table, self.plan.chosen, named, types, self._binding, passed)
        return text if self.plan.where is None else self._selected(text, self.plan.where)

    def _renamed(self, sql: str, extra: Sequence[str]) -> str:
        """The query with its extra columns under their own names."""
        width = len(self.plan.items)
        names = [f"{PREFIX}i{place}" for place in range(width)] + [sql_name(name) for name in extra]
        return f"SELECT * FROM ({sql}) AS {PREFIX}load({', '.join(names)})"

    def _relation(self, source: Rows) -> Relation:
        """The fields of the body as a relation of text columns."""
        flags = [f"{FLAG}{place}" for place in range(len(source.flags))] if self.plan.chosen.flags else []
        arrays = [*source.columns, *(source.flags if flags else ())]
        table = pa.table(arrays, names=[f"c{place}" for place in range(len(arrays))])
        names = [*self.plan.fields, *flags]
        items = (f"c{place} AS {sql_name(name)}" for place, name in enumerate(names))
        columns = [RelationColumn(name, STRING) for name in self.plan.fields]
        columns += [RelationColumn(name, BOOLEAN) for name in flags]
        text = f"SELECT {', '.join(items)} FROM {quote(self._binding.register(table))}"
        return Relation(self._table.name, self._table.name, tuple(columns), text)

    def _selected(self, batch: str, where: exp.Expr) -> str:
        """The batch with the outcome of `where` over its converted columns and the passed fields."""
        given = [column for column in self._table.columns if _is_there(column, self.plan)]
        columns = [RelationColumn(column.name, column.type) for column in given]
        columns += [RelationColumn(name, STRING) for name in self.plan.passed]
        relation = Relation(self._table.name, self._table.name, tuple(columns), batch)
        condition = bind_expression(where, reference_to(relation), self._binding).sql
        holds = f"CASE WHEN {condition} THEN 1 ELSE 0 END"  # BOOLEAN would arrive as an extension type
        return f"SELECT *, {holds} AS {SELECTED} FROM ({batch})"

    def _partitions(self) -> list[Partition] | None:
        if not self._request.partitions:
            return None
        return [self._partition(name) for name in self._request.partitions]

    def _partition(self, name: str) -> Partition:
        found = self._table.partition(name, temporary=self._request.temporary)
        if found is None:
            raise UNKNOWN_PARTITION(name=name, table=self._table.name)
        return found


def _is_there(column: Column, wanted: Plan) -> bool:
    """Whether the batch has a column: all but those that a partial update fills later."""
    return wanted.chosen.partial is None or wanted.chosen.position(column) is not None
