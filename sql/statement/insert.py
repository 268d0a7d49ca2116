"""INSERT INTO … VALUES | query: one batch, and the offsets of every stream the query reads.

The source is evaluated once, in the reader's snapshot, without any lock; the commit then takes the
target's lock, so that of two consumers the later committer fails (Doris: Table Stream, consumption).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.query import bind_query, known_types
from sql.ddl.overwrite import replaced
from sql.ddl.stream import INTERNAL_PREFIX
from sql.dialect.clause import LiteralRows, target
from sql.ingest.auto_increment import numbered
from sql.ingest.auto_partition import Made, complete
from sql.ingest.batch import batch_sql, placed, settle
from sql.ingest.direct import direct
from sql.ingest.generated import computed
from sql.ingest.partial import insert_targets, is_partial, overwrite_targets
from sql.ingest.target import Targets
from sql.ingest.values import cells, is_default, literal_rows_source, values_source
from sql.read import open_binding
from sql.result import Result
from sql.rewrite.table import chosen_partitions
from sql.statement import Call, handles, transactional
from sql.write import anew, explicit_label, info, load, loaded, refuse_streams, target_table
from storage.catalog.model import Table
from storage.config import ENABLE_FEATURE_CHANGELOG
from storage.errors import (
    COLUMN_COUNT,
    CONSUME_SWITCHED_OFF,
    GENERATED_GIVEN,
    IN_TRANSACTION,
    INTERNAL_STREAM,
    LABEL_IN_TRANSACTION,
)
from storage.types import DorisType
from storage.work import Batch, Change, Move, Partial, Work, Write

if TYPE_CHECKING:
    from sql.engine import Engine


transactional(exp.Insert)


@dataclass(frozen=True, slots=True)
class Prepared:
    """What an INSERT is going to write: its table and rows, the partitions they lack, the offsets it moves."""

    table: Table
    made: Made
    filtered: int
    moves: tuple[Move, ...]
    partial: Partial | None = None

    @property
    def count(self) -> int:
        return int(self.made.rows.num_rows)

    @property
    def writes(self) -> tuple[Write, ...]:
        batch = self.made.batch(Batch(self.made.rows, self.partial))
        return (Write(self.table.id, self.table.schema_version, batch),) if self.count else ()

    @property
    def change(self) -> Change | None:
        return self.made.change(self.table.id)


@handles(exp.Insert)
def insert(call: Call[exp.Insert]) -> Result:
    """Write all rows or none; affected rows are those written, before rows of one key are merged."""
    form = overwrite if call.node.args.get("overwrite") else append
    try:
        return anew(call.engine, call.context, lambda: form(call))
    finally:
        if isinstance(call.node.expression, LiteralRows):
            call.node.expression.let_go()


def append(call: Call[exp.Insert]) -> Result:
    """Write the rows at once, or stage them inside BEGIN … COMMIT."""
    _refuse_own_label(call)
    prepared = prepare(call)
    transaction, change = call.context.transaction, prepared.change
    if transaction is not None:
        transaction.stage(prepared.writes, prepared.moves, change)
        return loaded(prepared.count, prepared.filtered, info(transaction.label, "PREPARE", 0))
    label = explicit_label(call.node.args.get("label"), prepared.table.database_id)
    if not prepared.count and not prepared.moves and label is None:
        return loaded(0, prepared.filtered, "")
    return load(call, Work(prepared.writes, prepared.moves, change, label), prepared.count, prepared.filtered)


def _refuse_own_label(call: Call[exp.Insert]) -> None:
    """A transaction is one load with one label, that of its BEGIN."""
    label = call.node.args.get("label")
    if label is not None and call.context.transaction is not None:
        raise LABEL_IN_TRANSACTION(label=label.name)


def overwrite(call: Call[exp.Insert]) -> Result:
    """Replace the rows of whole partitions: new partitions under the old names take the rows, the old ones go."""
    if call.context.transaction is not None:
        raise IN_TRANSACTION()
    prepared = prepare(call, consuming=False)
    label = explicit_label(call.node.args.get("label"), prepared.table.database_id)
    table, clause = prepared.table, call.node.args.get("partition")
    replacement = replaced(call.engine, table, clause, chosen_partitions(table, call.node), prepared.made)
    write = Write(table.id, table.schema_version, Batch(replacement.rows))
    work = Work((write,) if prepared.count else (), change=replacement.change, label=label)
    return load(call, work, prepared.count, prepared.filtered)


def prepare(call: Call[exp.Insert], consuming: bool = True) -> Prepared:
    """Evaluate the source into a batch; `consuming` False refuses streams, whose offsets would not move.

    Named partitions take their own rows only, so that nothing is created.
    """
    plain = _plain(call) if consuming else None
    if plain is not None:
        return plain
    binding = open_binding(call)
    try:
        return _evaluated(call, binding, consuming)
    finally:
        binding.reader.close()


def _evaluated(call: Call[exp.Insert], binding: Binding, consuming: bool) -> Prepared:
    reference, listed = target(call.node)
    names = [item.name for item in listed]
    table = target_table(binding.catalog, reference, call.context, "INSERT")
    chosen = _chosen(call, table, names or _ordinary(call.node, table), binding, consuming)
    sql = _batch_text(call.node, table, chosen, binding)
    if consuming:
        _check_streams(call.engine, binding)
    else:
        refuse_streams(binding, "INSERT OVERWRITE")
    variables, parts = call.context.variables, chosen_partitions(table, call.node)
    create = parts is None and (consuming or variables.is_on("enable_auto_create_when_overwrite"))
    batch = settle(placed(table, binding.reader.table(sql), parts, create), variables)
    made = complete(call.engine, table, numbered(call.engine.database, table, batch.rows))
    return Prepared(table, made, batch.filtered, tuple(binding.moves.values()), chosen.partial)


def _chosen(call: Call[exp.Insert], table: Table, names: Sequence[str], binding: Binding, consuming: bool) -> Targets:
    """Where the columns of the source go, and what is computed beside them."""
    if consuming:
        chosen = insert_targets(table, names, call.context.variables, binding.now)
    else:
        chosen = overwrite_targets(table, names, call.context.variables)
    _check_generated(call.node, table, chosen)
    return replace(chosen, computed=computed(table, binding))


def _plain(call: Call[exp.Insert]) -> Prepared | None:
    """The same for a few rows of plain literals, without a reader; None where more is needed (sql/ingest/direct.py)."""
    node, variables, catalog = call.node, call.context.variables, call.engine.database.catalog
    if not isinstance(node.expression, LiteralRows) or node.args.get("partition") or is_partial(variables):
        return None
    reference, listed = target(node)
    table = target_table(catalog, reference, call.context, "INSERT")
    rows = direct(table, [item.name for item in listed], node.expression.args["columns"])
    if rows is None:
        return None
    call.context.analysed = catalog
    return Prepared(table, Made(rows), 0, ())


def _ordinary(node: exp.Insert, table: Table) -> list[str]:
    """The implied column list: all columns, or those that are not generated if that many values come."""
    ordinary = [column.name for column in table.columns if column.generated is None]
    source = node.expression
    if len(ordinary) == len(table.columns) or not isinstance(source, exp.Values | LiteralRows):
        return ordinary if len(ordinary) < len(table.columns) else []
    width = len(cells(source.expressions[0]) if isinstance(source, exp.Values) else source.args["columns"])
    return ordinary if width == len(ordinary) else []


def _check_generated(node: exp.Insert, table: Table, chosen: Targets) -> None:
    """A generated column takes no value but DEFAULT."""
    rows = node.expression.expressions if isinstance(node.expression, exp.Values) else None
    for place, column in enumerate(chosen.columns):
        if column.generated is not None and (rows is None or not all(is_default(cells(row)[place]) for row in rows)):
            raise GENERATED_GIVEN(name=column.name, table=table.name)


def _batch_text(node: exp.Insert, table: Table, chosen: Targets, binding: Binding) -> str:
    """DuckDB text of the batch."""
    source, types = _source(node, chosen, binding)
    if len(types) != chosen.width:
        raise COLUMN_COUNT()
    return batch_sql(table, chosen, source, types, binding)


def _source(node: exp.Insert, chosen: Targets, binding: Binding) -> tuple[str, Sequence[DorisType | None]]:
    """DuckDB text of the rows, and the type of each column."""
    if isinstance(node.expression, LiteralRows):
        return literal_rows_source(node.expression, chosen, binding)
    if isinstance(node.expression, exp.Values):
        return values_source(node.expression, chosen, binding)
    query = node.expression
    if with_ := node.args.get("with_"):
        query = query.copy()
        own = query.args.get("with_")
        merged = [*with_.copy().expressions, *(own.expressions if own is not None else [])]
        query.set("with_", exp.With(expressions=merged))
    bound = bind_query(query, binding)
    return bound.sql, known_types(query, bound, binding)


def _check_streams(engine: Engine, binding: Binding) -> None:
    """Consumption needs the feature switched on; streams of incremental views are not for users."""
    for stream in binding.streams:
        if stream.name.lower().startswith(INTERNAL_PREFIX):
            raise INTERNAL_STREAM(name=stream.name)
        if not engine.config[ENABLE_FEATURE_CHANGELOG]:
            raise CONSUME_SWITCHED_OFF()
