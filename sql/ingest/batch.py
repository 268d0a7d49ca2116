"""The batch of an INSERT or a load: convert each column and find rejects in one DuckDB SELECT, then choose partitions.

    source (q0, q1, …)  ->  converted columns  ->  + __doris_delete, __doris_reject  ->  + __doris_part

Row-level rejects are part of the conversion: strict mode fails on the first one, otherwise they are
dropped and counted (Doris: INSERT, enable_insert_strict). Used by INSERT and by every load.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import pyarrow as pa
import pyarrow.compute as pc

from sql.bind.binding import Binding
from sql.ingest.convert import Check, checks, converted
from sql.ingest.default import default
from sql.ingest.generated import with_computed
from sql.ingest.partition import KEY, missing_keys, partition_ids
from sql.ingest.target import SIGN_COLUMN, Targets, targets
from sql.variable import Variables
from storage.catalog.model import Column, Partition, Table
from storage.catalog.sequence import sequence_of
from storage.errors import FILTERED_IN_STRICT_MODE, FILTERED_TOO_MANY
from storage.naming import DELETE, HIDDEN_UID, PART, PREFIX, SEQUENCE, given, physical, sql_name
from storage.types import DorisType

REJECT = PREFIX + "reject"

__all__ = ["REJECT", "Batched", "Targets", "batch_sql", "placed", "settle", "targets"]


def batch_sql(
    table: Table,
    chosen: Targets,
    source: str,
    types: Sequence[DorisType | None],
    binding: Binding,
    passed: Sequence[str] = (),
) -> str:
    """DuckDB text of the whole batch over `source`, a SELECT whose columns stand in the order of `chosen`.

    Columns that it leaves out receive their defaults at the moment of the statement.
    Columns of the source behind those of `chosen` that are named in `passed` come out as they are. The rows have no
    partition yet (`placed`).
    """
    columns = _Columns(chosen, types, binding)
    for column in table.columns:
        columns.add(column)
    columns.add_computed()
    columns.add_hidden(table)
    inner = f"SELECT *, {', '.join(columns.items)} FROM ({source}) AS {PREFIX}src({', '.join(columns.inputs)})"
    names = ", ".join([*columns.names, *passed])
    return f"SELECT {names}, {_reject(columns.tests)} AS {REJECT} FROM ({with_computed(inner, chosen.computed)})"


def placed(
    table: Table, rows: pa.Table, partitions: Sequence[Partition] | None = None, create: bool = False
) -> pa.Table:
    """The rows of a batch with their partitions; one that finds none is rejected.

    With `create`, rows without partition of an AUTO table are good rows with a KEY (sql/ingest/auto_partition.py).
    """
    parts = partition_ids(table, rows, partitions)
    rows = rows.append_column(PART, parts)
    if not parts.null_count:
        return rows
    if create and table.partitioning is not None and table.partitioning.auto:
        return rows.append_column(KEY, missing_keys(table, rows, parts))
    place, reasons = rows.schema.get_field_index(REJECT), rows.column(REJECT)
    homeless = pc.if_else(parts.is_null(), f"no partition for this tuple in table {table.name}", None)
    return rows.set_column(place, REJECT, pc.coalesce(reasons, homeless))


@dataclass(slots=True)
class _Columns:
    """The columns of a batch while they are collected: select items, their names, and what rejects a row."""

    chosen: Targets
    types: Sequence[DorisType | None]
    binding: Binding
    items: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    tests: list[Check] = field(default_factory=list)

    @property
    def inputs(self) -> list[str]:
        return [_input(position) for position in range(self.chosen.width)]

    def add(self, column: Column) -> None:
        """A declared column: converted, or what it gets when the source leaves it out."""
        if column.generated is not None:
            return
        position, name = self.chosen.position(column), sql_name(column.name)
        if position is not None:
            self._convert(position, column, name)
        elif (text := _left_out(column, self.chosen, self.binding.now)) is not None:
            self._put(text, name)
        if flag := self.chosen.flags.get(given(column.uid)):
            self._put(flag, given(column.uid))

    def add_computed(self) -> None:
        """Generated columns; their values are added around the others (with_computed)."""
        for one in self.chosen.computed:
            self.names.append(one.name)
            self.tests += one.tests

    def add_hidden(self, table: Table) -> None:
        """The delete sign, and a sequence value that no declared column holds."""
        sequence, chosen = sequence_of(table), self.chosen
        if sequence is not None and sequence.column is None:
            if chosen.sequence is not None:
                self._convert(chosen.sequence, chosen.columns[chosen.sequence], SEQUENCE)
            elif chosen.partial is None or chosen.partial.flexible:
                self._put(f"CAST(NULL AS {sequence.type.duckdb})", SEQUENCE)
            if flag := chosen.flags.get(given(HIDDEN_UID)):
                self._put(flag, given(HIDDEN_UID))
        if chosen.sign is not None:
            self._convert(chosen.sign, SIGN_COLUMN, DELETE, "({}) <> 0")
        elif chosen.partial is not None and chosen.partial.flexible:
            self._put("FALSE", DELETE)

    def _put(self, text: str, name: str) -> None:
        self.items.append(f"{text} AS {name}")
        self.names.append(name)

    def _convert(self, position: int, column: Column, name: str, form: str = "{}") -> None:
        value = _input(position)
        kind, lenient = self.types[position], self.chosen.lenient
        conversion = form.format(converted(value, kind, column.type, self.binding.zone, lenient))
        self._put(conversion, name)
        outcome = value if conversion == value else name  # the checks read the column, not its long expression
        checked = replace(column, nullable=True) if column.auto_increment is not None else column
        found = checks(value, outcome, checked, lenient)
        self.tests += _under(self.chosen.flags.get(given(column.uid)), found)


def _input(position: int) -> str:
    return f"{PREFIX}q{position}"


def _under(flag: str | None, found: Iterable[Check]) -> list[Check]:
    """The checks of a column that only some rows name."""
    return [replace(check, condition=f"{flag} AND ({check.condition})") if flag else check for check in found]


def _left_out(column: Column, chosen: Targets, now: datetime.datetime) -> str | None:
    """What a column gets that the source does not give; None when a partial update fills it under the lock."""
    partial = chosen.partial
    if partial is None or physical(column.name) not in partial.defaults or column.auto_increment is not None:
        return default(column, now)
    return f"CAST(NULL AS {column.type.duckdb})" if partial.flexible else None


def _reject(tests: Sequence[Check]) -> str:
    """The reason that rejects a row, NULL for a good one."""
    arms = [f"WHEN {test.condition} THEN {test.text()}" for test in tests]
    return f"CASE {' '.join(arms)} END" if arms else "CAST(NULL AS VARCHAR)"


@dataclass(frozen=True, slots=True)
class Batched:
    """Good rows, how many were rejected, and why the first one was."""

    rows: pa.Table
    filtered: int
    reason: str = ""


def settle(rows: pa.Table, variables: Variables) -> Batched:
    """Split good rows from rejects; in strict mode the first reject fails the statement.

    Else FILTERED_TOO_MANY when the rejects are more than the part insert_max_filter_ratio of all rows.
    """
    strict, ratio = variables.is_on("enable_insert_strict"), float(str(variables.get("insert_max_filter_ratio")))
    batch = split(rows)
    if batch.filtered and strict:
        raise FILTERED_IN_STRICT_MODE(reason=f"first error: {batch.reason}")
    if batch.filtered > ratio * rows.num_rows:
        raise FILTERED_TOO_MANY(filtered=batch.filtered, total=rows.num_rows, ratio=ratio, reason=batch.reason)
    return batch


def split(rows: pa.Table) -> Batched:
    """Part the good rows from the rejects."""
    reasons = rows.column(REJECT)
    rows = rows.drop_columns([REJECT])
    filtered = len(reasons) - reasons.null_count
    if not filtered:
        return Batched(rows, 0)
    first = reasons.drop_null()[0].as_py()
    return Batched(rows.filter(pc.is_null(reasons)), filtered, first)
