"""INSERT INTO … VALUES | query: one batch, and the offsets of every stream the query reads.

The source is evaluated once, in the reader's snapshot, without any lock; the commit then takes the
target's lock, so that of two consumers the later committer fails (Doris: Table Stream, consumption).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.query import bind_query, known_types
from sql.ddl.overwrite import replaced
from sql.dialect.node import LiteralRows
from sql.ingest.batch import Batched, batch_sql, settle
from sql.ingest.complex import NESTED
from sql.ingest.partial import insert_targets
from sql.ingest.target import Targets, targets
from sql.ingest.values import literal_rows_source, values_source
from sql.read import open_binding
from sql.result import Done, Result
from sql.rewrite.table import chosen_partitions
from sql.statement import Call, handles, transactional
from sql.write import commit, explicit_label, info, new_label, target_table
from storage.catalog.model import Table
from storage.config import ENABLE_FEATURE_CHANGELOG
from storage.errors import COLUMN_COUNT, CONSUME_SWITCHED_OFF, IN_TRANSACTION, INTERNAL_STREAM, STREAM_CLAUSE
from storage.types import DorisType
from storage.work import Batch, Move, Partial, Work, Write

if TYPE_CHECKING:
    from sql.engine import Engine

INTERNAL_PREFIX = "__doris_ivm_stream_"

transactional(exp.Insert)


@dataclass(frozen=True, slots=True)
class Prepared:
    """What an INSERT is going to write: its table and batch, and the offsets it moves."""

    table: Table
    batch: Batched
    moves: tuple[Move, ...]
    partial: Partial | None = None

    @property
    def write(self) -> Write:
        return Write(self.table.id, self.table.schema_version, Batch(self.batch.rows, self.partial))


@handles(exp.Insert)
def insert(call: Call[exp.Insert]) -> Result:
    """Write all rows or none; affected rows are those written, before rows of one key are merged."""
    if call.node.args.get("overwrite"):
        return overwrite(call)
    prepared = prepare(call)
    label = explicit_label(call, call.node.args.get("label"))
    name = label.name if label else new_label()
    transaction, rows = call.context.transaction, prepared.batch.rows.num_rows
    if transaction is not None:
        transaction.stage([prepared.write] if rows else [], prepared.moves)
        return _done(prepared, info(transaction.label, "PREPARE", 0))
    if not rows and not prepared.moves:
        return _done(prepared, "")
    writes = (prepared.write,) if rows else ()
    done = commit(call.engine, call.context, Work(writes, prepared.moves, label=label))
    return _done(prepared, info(name, "VISIBLE", done.transaction_id))


def _done(prepared: Prepared, text: str) -> Done:
    batch = prepared.batch
    return Done(batch.rows.num_rows, info=text, warnings=batch.filtered, filtered=batch.filtered)


def overwrite(call: Call[exp.Insert]) -> Result:
    """Replace the rows of whole partitions: new partitions under the old names take the rows, the old ones go."""
    if call.context.transaction is not None:
        raise IN_TRANSACTION()
    prepared = prepare(call, consuming=False)
    label = explicit_label(call, call.node.args.get("label"))
    replacement = replaced(call.engine, prepared.table, call.node.args.get("partition"), prepared.batch.rows)
    rows = replacement.rows
    write = Write(prepared.table.id, prepared.table.schema_version, Batch(rows))
    work = Work((write,) if rows.num_rows else (), change=replacement.change, label=label)
    done = commit(call.engine, call.context, work)
    return _done(prepared, info(label.name if label else new_label(), "VISIBLE", done.transaction_id))


def prepare(call: Call[exp.Insert], consuming: bool = True) -> Prepared:
    """Evaluate the source into a batch; `consuming` False refuses streams, whose offsets would not move."""
    binding = open_binding(call)
    try:
        reference, names = _target(call.node)
        table = target_table(binding.catalog, reference, call.context, "INSERT")
        variables = call.context.variables
        chosen = insert_targets(table, names, variables) if consuming else targets(table, names)
        sql = _batch_text(call.node, table, chosen, binding)
        check_streams(call.engine, binding, "INSERT OVERWRITE" if not consuming else None)
        rows = binding.reader.table(sql)
        ratio = float(str(variables.get("insert_max_filter_ratio")))
        batch = settle(rows, variables.is_on("enable_insert_strict"), ratio)
        return Prepared(table, batch, tuple(binding.moves.values()), chosen.partial)
    finally:
        binding.reader.close()


def _target(node: exp.Insert) -> tuple[exp.Table, list[str]]:
    """Table reference and column list."""
    this = node.this
    if isinstance(this, exp.Schema):
        return this.this, [item.name for item in this.expressions]
    return this, []


def _batch_text(node: exp.Insert, table: Table, chosen: Targets, binding: Binding) -> str:
    source, types = _source(node, chosen, binding)
    if len(types) != chosen.width:
        raise COLUMN_COUNT()
    return batch_sql(table, chosen, source, types, chosen_partitions(table, node))


def _source(node: exp.Insert, chosen: Targets, binding: Binding) -> tuple[str, Sequence[DorisType | None]]:
    """DuckDB text of the rows, and the type of each column."""
    if isinstance(node.expression, LiteralRows):
        return literal_rows_source(node.expression, chosen, binding)
    if isinstance(node.expression, exp.Values):
        return values_source(node.expression, chosen, binding)
    query = node.expression
    if with_ := node.args.get("with_"):
        query = query.copy()
        query.set("with_", with_.copy())
    bound = bind_query(query, binding)
    nested = [place for place, column in enumerate(chosen.columns) if column.type.name in NESTED]
    return bound.sql, known_types(bound, binding, nested)


def check_streams(engine: Engine, binding: Binding, refused: str | None) -> None:
    """Consumption needs the feature switched on; streams of incremental views are not for users.

    `refused` names a statement that cannot consume: it may not read a stream either.
    """
    for stream in binding.streams:
        if refused is not None:
            raise STREAM_CLAUSE(clause=refused, name=stream.name)
        if stream.name.startswith(INTERNAL_PREFIX):
            raise INTERNAL_STREAM(name=stream.name)
        if not engine.config[ENABLE_FEATURE_CHANGELOG]:
            raise CONSUME_SWITCHED_OFF()
