"""The batch of an INSERT or a load: convert each column, find rejects, choose the partition, in one DuckDB SELECT.

    source (q0, q1, …)  ->  converted columns  ->  + __doris_part, __doris_delete, __doris_reject

Row-level rejects are part of the conversion: strict mode fails on the first one, otherwise they are
dropped and counted (types-and-ddl R6, section 6). Used by INSERT and by every load.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from sql.ingest.convert import Check, checks, constant, converted
from sql.ingest.partition import partition_id
from storage.catalog.model import Column, Partition, Table
from storage.errors import COLUMN_TWICE, DELETE_SIGN_TARGET, FILTERED_IN_STRICT_MODE, NO_DEFAULT, UNKNOWN_TARGET_COLUMN
from storage.naming import DELETE, PART, PREFIX, literal, physical, quote
from storage.types import TINYINT, DorisType

SIGN = "__DORIS_DELETE_SIGN__"
REJECT = PREFIX + "reject"


@dataclass(frozen=True, slots=True)
class Targets:
    """Which source column feeds which table column; `sign` is the source column of the delete sign."""

    columns: tuple[Column, ...]
    sign: int | None
    width: int  # number of source columns

    def position(self, column: Column) -> int | None:
        """Source position of a column, None when it was not given."""
        return self.columns.index(column) if column in self.columns else None


def targets(table: Table, names: Sequence[str]) -> Targets:
    """Resolve a column list (empty: all visible columns in order)."""
    if not names:
        return Targets(table.columns, None, len(table.columns))
    columns: list[Column] = []
    sign = None
    padding = Column(-1, SIGN, TINYINT)
    for position, name in enumerate(names):
        if name.upper() == SIGN:
            if not table.is_unique:
                raise DELETE_SIGN_TARGET(table=table.name)
            sign = position
            columns.append(padding)
            continue
        column = table.column(name)
        if column is None:
            raise UNKNOWN_TARGET_COLUMN(name=name, table=table.name)
        if column in columns:
            raise COLUMN_TWICE(name=name)
        columns.append(column)
    return Targets(tuple(columns), sign, len(names))


def batch_sql(
    table: Table,
    chosen: Targets,
    source: str,
    types: Sequence[DorisType | None],
    partitions: Sequence[Partition] | None = None,
) -> str:
    """DuckDB text of the whole batch over `source`, a SELECT whose columns stand in the order of `chosen`."""
    inputs = [f"{PREFIX}q{position}" for position in range(chosen.width)]
    items: list[str] = []
    tests: list[Check] = []
    for column in table.columns:
        position = chosen.position(column)
        name = quote(physical(column.name))
        if position is None:
            items.append(f"{default(column)} AS {name}")
            continue
        conversion = converted(inputs[position], types[position], column.type)
        items.append(f"{conversion} AS {name}")
        tests += _checks(inputs[position], conversion, name, column)
    if chosen.sign is not None:
        items.append(f"COALESCE(TRY_CAST({inputs[chosen.sign]} AS INTEGER), 0) <> 0 AS {DELETE}")
    names = [quote(physical(column.name)) for column in table.columns] + ([DELETE] if chosen.sign is not None else [])
    inner = f"SELECT *, {', '.join(items)} FROM ({source}) AS {PREFIX}src({', '.join(inputs)})"
    routed = f"SELECT *, {partition_id(table, partitions)} AS {PART} FROM ({inner})"
    return f"SELECT {', '.join(names)}, {PART}, {_reject(table, tests)} AS {REJECT} FROM ({routed})"


def _checks(value: str, conversion: str, name: str, column: Column) -> Iterable[Check]:
    """The checks of a column, over the converted column rather than its long expression."""
    outcome = value if conversion == value else name
    return checks(value, outcome, column)


def _reject(table: Table, tests: Sequence[Check]) -> str:
    """The reason that rejects a row, NULL for a good one."""
    arms = [f"WHEN {test.condition} THEN {literal(test.reason)}" for test in tests]
    if table.partitioning is not None:
        arms.append(f"WHEN {PART} IS NULL THEN {literal('no partition for this tuple in table ' + table.name)}")
    return f"CASE {' '.join(arms)} END" if arms else "CAST(NULL AS VARCHAR)"


def default(column: Column) -> str:
    """What a column that the statement leaves out receives; NO_DEFAULT when there is nothing."""
    if column.default is None:
        if not column.nullable:
            raise NO_DEFAULT(name=column.name)
        return f"CAST(NULL AS {column.type.duckdb})"
    if column.default_is_function:
        return converted("CAST(now() AS TIMESTAMP)", DorisType("datetime", scale=6), column.type)
    return constant(column.default, column.type)


@dataclass(frozen=True, slots=True)
class Batched:
    """Good rows, and how many were rejected."""

    rows: pa.Table
    filtered: int


def settle(rows: pa.Table, strict: bool) -> Batched:
    """Split good rows from rejects; in strict mode the first reject fails the statement."""
    reasons = rows.column(REJECT)
    rows = rows.drop_columns([REJECT])
    filtered = len(reasons) - reasons.null_count
    if not filtered:
        return Batched(rows, 0)
    if strict:
        first = next(reason for reason in reasons.to_pylist() if reason is not None)
        raise FILTERED_IN_STRICT_MODE(reason=f"first error: {first}")
    return Batched(rows.filter(pc.is_null(reasons)), filtered)
