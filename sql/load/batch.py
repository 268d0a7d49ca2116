"""From the bytes of a load to a batch: decode the rows, convert them, keep apart what cannot be stored.

Rows that cannot be stored are filtered and counted, rows that `where` rejects are only counted (Doris: Stream Load).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc
from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.expression import bind_expression, reference_to
from sql.bind.query import bind_query
from sql.bind.relation import Relation, RelationColumn
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
from storage.catalog.model import Column, Partition, Table
from storage.errors import (
    UNKNOWN_PARTITION,
)
from storage.naming import PREFIX, physical, quote, sql_name
from storage.types import BOOLEAN, STRING
from storage.work import Partial

SELECTED = PREFIX + "selected"
_KEPT = 100  # rejected rows that are shown
_SHOWN = 200  # characters of each


@dataclass(frozen=True, slots=True)
class LoadBatch:
    """The rows that can be stored, and the figures of the others."""

    rows: pa.Table
    partial: Partial | None
    filtered: int
    unselected: int
    rejected: tuple[Rejected, ...]  # the first of the filtered rows


def load_batch(binding: Binding, table: Table, request: Request, body: bytes) -> LoadBatch:
    """Make the batch of a body; raises the errors of bodies and headers that do not fit the table."""
    return _Load(binding, table, request).batch(body)


class _Load:
    """One load on its way from bytes to a batch."""

    def __init__(self, binding: Binding, table: Table, request: Request) -> None:
        self._binding = binding
        self._table = table
        self._request = request
        made = plan(table, request, binding.now)
        self._plan: Plan = replace(made, chosen=replace(made.chosen, computed=computed(table, binding)))

    def batch(self, body: bytes) -> LoadBatch:
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
        partial = self._plan.chosen.partial
        return LoadBatch(good, partial, filtered + len(source.rejected), unselected, rejected[:_KEPT])

    # -- rows of text --------------------------------------------------------------------------------
    def _decoded(self, body: bytes) -> Rows:
        form = self._request.format
        if isinstance(form, Csv):
            return csv.decode(body, form, len(self._plan.fields))
        rows = json_body.decode(body, form, [Field(name, self._default(name)) for name in self._plan.fields])
        return self._with_keys(rows) if self._plan.keys else rows

    def _default(self, name: str) -> str | None:
        """What a row gets that does not have this key: the column's default."""
        if name.upper() == SIGN:
            return SIGN_COLUMN.default
        column = self._table.column(name)
        if column is None or self._plan.keys or self._plan.chosen.position(column) is None:
            return None
        return default_text(column, self._binding.now)

    def _with_keys(self, rows: Rows) -> Rows:
        """Without the rows that lack a key column (flexible partial update)."""
        places = [self._plan.fields.index(name) for name in self._plan.keys]
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
        return tuple(physical(name) for name in self._plan.passed) if self._plan.where is not None else ()

    def _text(self, source: Rows) -> str:
        """The whole batch: fields, computed columns, conversion, condition."""
        relation = self._relation(source)
        extra = [*(self._plan.passed if self._plan.where is not None else ()), *self._plan.chosen.flags.values()]
        more = [exp.column(exp.to_identifier(name, quoted=True)) for name in extra]
        select = exp.Select(expressions=[*self._plan.items, *more]).from_(reference_to(relation))
        bound = bind_query(select, self._binding)
        types = [field.type for field in bound.fields[: len(self._plan.items)]]
        named = self._renamed(bound.sql, extra)
        passed = [quote(name) for name in self._passed]
        text = batch_sql(self._table, self._plan.chosen, named, types, self._binding, passed)
        return text if self._plan.where is None else self._selected(text, self._plan.where)

    def _renamed(self, sql: str, extra: Sequence[str]) -> str:
        """The query with its extra columns under their own names."""
        width = len(self._plan.items)
        names = [f"{PREFIX}i{place}" for place in range(width)] + [sql_name(name) for name in extra]
        return f"SELECT * FROM ({sql}) AS {PREFIX}load({', '.join(names)})"

    def _relation(self, source: Rows) -> Relation:
        """The fields of the body as a relation of text columns."""
        flags = [f"{FLAG}{place}" for place in range(len(source.flags))] if self._plan.chosen.flags else []
        arrays = [*source.columns, *(source.flags if flags else ())]
        table = pa.table(arrays, names=[f"c{place}" for place in range(len(arrays))])
        names = [*self._plan.fields, *flags]
        items = (f"c{place} AS {sql_name(name)}" for place, name in enumerate(names))
        columns = [RelationColumn(name, STRING) for name in self._plan.fields]
        columns += [RelationColumn(name, BOOLEAN) for name in flags]
        text = f"SELECT {', '.join(items)} FROM {quote(self._binding.register(table))}"
        return Relation(self._table.name, self._table.name, tuple(columns), text)

    def _selected(self, batch: str, where: exp.Expr) -> str:
        """The batch with the outcome of `where` over its converted columns and the passed fields."""
        given = [column for column in self._table.columns if _is_there(column, self._plan)]
        columns = [RelationColumn(column.name, column.type) for column in given]
        columns += [RelationColumn(name, STRING) for name in self._plan.passed]
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
