"""Keep the rows of a Unique Key table in the order of its keys: zone maps then stand in for an index.

Upserts put their rows at the end, so a large table is copied in order from time to time, in the background
(storage/cleanup.py) and while nobody writes it. Who writes it all the same is not kept waiting: the copy is then
thrown away. Readers keep the copy that they began with. A sorted row group holds no row that is newer than the copy,
so windows of later changes still skip it. Sorted ten million rows answer a point read in about a millisecond,
unsorted ones in thirty (docs/decisions/0004-no-index-on-user-tables.md).
"""

from __future__ import annotations

from storage import naming
from storage.catalog.catalog import Catalog
from storage.catalog.model import Table
from storage.catalog.schema import PART_VERSION, SORTED
from storage.cursor import Cursor
from storage.naming import PART, TSO, sql_name
from storage.reader import Reader
from storage.tso import to_tso
from storage.work import Sort, State

LEAST_ROWS = 250_000  # two row groups: below, a scan is as fast as a lookup
TAIL = 0.25  # part of the rows that may lie behind the sorted ones
IDLE_MS = 10_000  # a table that was written later than that is left alone


def due(reader: Reader, now_ms: int) -> list[Table]:
    """The tables to sort now: large, not written for a while, and with a long tail behind their sorted rows."""
    idle = to_tso(max(0, now_ms - IDLE_MS))
    written = reader.table(
        f"SELECT table_id, coalesce(any_value(s.tso), 0) AS sorted_tso FROM {PART_VERSION.name} v"
        f" LEFT JOIN {SORTED.name} s USING (table_id) GROUP BY ALL"
        f" HAVING max(v.tso) > sorted_tso AND max(v.tso) <= {idle}"
    )
    large = reader.table(f"SELECT table_name FROM duckdb_tables() WHERE estimated_size >= {LEAST_ROWS}")
    names, found = set(large["table_name"].to_pylist()), []
    for table_id, sorted_tso in zip(*written.to_pydict().values(), strict=True):
        table = reader.catalog.live_table(table_id)
        if table is None or not table.is_unique or naming.current(table.id) not in names:
            continue
        if _has_long_tail(reader, table, sorted_tso):
            found.append(table)
    return found


def _has_long_tail(reader: Reader, table: Table, sorted_tso: int) -> bool:
    """The rows are counted: DuckDB's estimate may count removed ones."""
    name = naming.current(table.id)
    counts = reader.table(f"SELECT count(*) FILTER ({TSO} > {sorted_tso}) AS tail, count(*) AS whole FROM {name}")
    (row,) = counts.to_pylist()
    return bool(row["whole"] >= LEAST_ROWS and row["tail"] > TAIL * row["whole"])


def copied(cursor: Cursor, catalog: Catalog, table_id: int) -> Sort:
    """Make a copy in order beside the table, in a transaction of its own and without a lock, to be put in its place.

    That takes seconds, in which others may write: the table is then not as the copy is, and keeps its place.
    """
    table = catalog.live_table(table_id)
    if table is None:
        return Sort(table_id)
    _copy(cursor, table, naming.copy(table_id))
    return Sort(table_id, _state(cursor, table))


def sort(cursor: Cursor, catalog: Catalog, wanted: Sort, tso: int) -> None:
    """Replace t_<id> by a copy in order, in the coordinator's transaction and under the table's lock."""
    table, copy = catalog.live_table(wanted.table_id), naming.copy(wanted.table_id)
    if table is None or wanted.copied not in (None, _state(cursor, table)):
        cursor.execute(f"DROP TABLE IF EXISTS {copy}")
        return
    if wanted.copied is None:
        copy += "_now"  # beside one that is being made without a lock
        _copy(cursor, table, copy)
    name = naming.current(table.id)
    cursor.execute(f"DELETE FROM {SORTED.name} WHERE table_id = {table.id}")
    cursor.execute(f"INSERT INTO {SORTED.name} VALUES ({table.id}, {tso})")
    cursor.execute(f"DROP TABLE {name}")
    cursor.execute(f"ALTER TABLE {copy} RENAME TO {name}")


def drop_copies(cursor: Cursor) -> None:
    """Drop the copies that a killed process left before they had taken their place: each is as large as its table."""
    for (name,) in cursor.rows(
        f"SELECT table_name FROM duckdb_tables() WHERE starts_with(table_name, '{naming.COPY}')"
    ):
        cursor.execute(f"DROP TABLE {name}")


def _copy(cursor: Cursor, table: Table, name: str) -> None:
    """A copy of that name that was never used is replaced."""
    keys = ", ".join([PART, *(sql_name(column.name) for column in table.keys)])
    cursor.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT * FROM {naming.current(table.id)} ORDER BY {keys}")


def _state(cursor: Cursor, table: Table) -> State:
    """All that changes when a table is written or altered."""
    versions = cursor.rows(f"SELECT part_id, tso FROM {PART_VERSION.name} WHERE table_id = ? ORDER BY ALL", (table.id,))
    return table, tuple(versions)
