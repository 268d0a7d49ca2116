"""Write one batch to an Aggregate Key table: rows of equal keys become one, with each other and with the stored row.

    batch, merged by key  ->  b        stored rows of its keys  ->  d, removed        insert b merged with d

Merge on write: what is stored is the aggregate, so that reading costs nothing. Runs inside the coordinator's
transaction under the table's write lock and after its mark, in one data-modifying statement (its row ids never
leave it). Sums are added in a wider type and cast to the declared one: what does not fit is an error, never a
wrapped number.
Source: Doris: Aggregate Model; AGG_STATE.
"""

from __future__ import annotations

from collections.abc import Callable

from storage import naming
from storage.catalog.model import Column
from storage.cursor import Cursor
from storage.naming import PART, PREFIX, ROW_ID, sql_name
from storage.state import aggstate
from storage.table.batch import ORDINAL, Prepared
from storage.table.opening import Opening

GENERIC = "GENERIC"

# Aggregates over the rows of one key, in the order of their ordinals: {v} the column, {T} its type.
_OVER_ROWS = {
    "SUM": "sum({v})",
    "MIN": "min({v})",
    "MAX": "max({v})",
    "REPLACE": f"arg_max_null({{v}}, {ORDINAL})",
    "REPLACE_IF_NOT_NULL": f"arg_max({{v}}, {ORDINAL})",
    "BITMAP_UNION": f"{PREFIX}bitmap_union(list({{v}}))",
    "HLL_UNION": f"{PREFIX}hll_union(list({{v}}))",
    "QUANTILE_UNION": f"{PREFIX}quantile_union(list({{v}}))",
}
# The stored value {d} and the batch's {b}; both NULL where there is none.
_OF_TWO = {
    "SUM": "CAST(coalesce({d} + {b}, {d}, {b}) AS {T})",
    "MIN": "least({d}, {b})",
    "MAX": "greatest({d}, {b})",
    "REPLACE": "{b}",
    "REPLACE_IF_NOT_NULL": "coalesce({b}, {d})",
    "BITMAP_UNION": f"CASE WHEN {{d}} IS NULL THEN {{b}} ELSE {PREFIX}bitmap_or({{d}}, {{b}}) END",
    "HLL_UNION": f"CASE WHEN {{d}} IS NULL THEN {{b}} ELSE {PREFIX}hll_union([{{d}}, {{b}}]) END",
    "QUANTILE_UNION": f"CASE WHEN {{d}} IS NULL THEN {{b}} ELSE {PREFIX}quantile_union([{{d}}, {{b}}]) END",
}


def write(cursor: Cursor, batch: Prepared, opening: Opening) -> None:
    """Merge the rows of a batch into the table."""
    if not batch.rows.num_rows:
        return
    opening.run(cursor)
    merge = _Merge(batch, cursor.source(batch.rows))
    states = any(column.aggregation == GENERIC for column in batch.table.values)
    cursor.execute(merge.grouped() if states else merge.paired())


class _Merge:
    """The statement of one write: `b` is the batch, `d` what is stored."""

    def __init__(self, batch: Prepared, source: str) -> None:
        self._batch = batch
        self._source = source
        self._table = batch.table
        self._target = naming.current(self._table.id)
        self._keys = [sql_name(column.name) for column in self._table.keys]
        self._columns = ", ".join([*(sql_name(column.name) for column in self._table.columns), PART])

    def paired(self) -> str:
        """Join each row of the merged batch with the stored row of its key, which the same statement removes.

        DELETE … RETURNING would hand over the stored rows, but reads all their columns: three times as slow.
        """
        items = [*(f"b.{key}" for key in self._keys), *map(_of_two, self._table.values), f"b.{PART}"]
        return (
            f"WITH m AS MATERIALIZED (SELECT {', '.join(items)}, d.rowid AS {ROW_ID}\n"
            f"FROM ({self._merged_batch()}) b LEFT JOIN {self._target} d ON {self._batch.same_key('d', 'b')}),\n"
            f"g AS (DELETE FROM {self._target} WHERE rowid IN (SELECT {ROW_ID} FROM m WHERE {ROW_ID} IS NOT NULL))\n"
            f"INSERT INTO {self._target} BY NAME SELECT {self._columns} FROM m"
        )

    def _merged_batch(self) -> str:
        if self._batch.distinct:
            return f"SELECT {self._columns} FROM {self._source}"
        return f"SELECT {self._aggregated(_over_rows)} FROM {self._source} GROUP BY {self._group()}"

    def grouped(self) -> str:
        """Group stored and new rows together: states can only be merged by an aggregate."""
        keys = ", ".join([*self._keys, PART])
        return (
            f"WITH k AS (SELECT DISTINCT {keys} FROM {self._source}),\n"
            f"d AS MATERIALIZED (SELECT t.*, t.rowid AS {ROW_ID}"
            f" FROM {self._target} t JOIN k ON {self._batch.same_key('t', 'k')}),\n"
            f"g AS (DELETE FROM {self._target} WHERE rowid IN (SELECT {ROW_ID} FROM d))\n"
            f"INSERT INTO {self._target} BY NAME SELECT {self._aggregated(_cast_over_rows)} FROM\n"
            f"(SELECT {self._columns}, -1::BIGINT AS {ORDINAL} FROM d\n"
            f"UNION ALL BY NAME SELECT {self._columns}, {ORDINAL} FROM {self._source}) GROUP BY {self._group()}"
        )

    def _aggregated(self, value: Callable[[Column], str]) -> str:
        return ", ".join([*self._keys, *(f"{value(c)} AS {sql_name(c.name)}" for c in self._table.values), PART])

    def _group(self) -> str:
        return ", ".join([*self._keys, PART])


def _over_rows(column: Column) -> str:
    if column.aggregation == GENERIC:
        return aggstate.merged(column.type, sql_name(column.name))
    return _OVER_ROWS[str(column.aggregation)].format(v=sql_name(column.name))


def _cast_over_rows(column: Column) -> str:
    return f"CAST({_over_rows(column)} AS {column.type.duckdb})"


def _of_two(column: Column) -> str:
    name = sql_name(column.name)
    return _OF_TWO[str(column.aggregation)].format(d=f"d.{name}", b=f"b.{name}", T=column.type.duckdb) + f" AS {name}"
