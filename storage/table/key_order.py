"""Keep the rows of a Unique Key table in the order of its keys: zone maps then stand in for an index.

Upserts put their rows at the end, so a large table is copied in order from time to time, in the background
(storage/cleanup.py) and while nobody writes it. Readers keep the copy that they began with. A sorted row group
holds no row that is newer than the copy, so windows of later changes still skip it. Sorted ten million rows answer
a point read in about a millisecond, unsorted ones in thirty (docs/decisions/0004-no-index-on-user-tables.md).
"""

from __future__ import annotations

from storage import naming
from storage.catalog.catalog import Catalog
from storage.catalog.model import Table
from storage.catalog.schema import PART_VERSION, SORTED
from storage.duck import Cursor
from storage.naming import PART, TSO, quote
from storage.reader import Reader
from storage.tso import to_tso

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


def sort(cursor: Cursor, catalog: Catalog, table_id: int, tso: int) -> None:
    """Replace t_<id> by a copy in order, in the coordinator's transaction and under the table's lock."""
    table = catalog.live_table(table_id)
    if table is None:
        return
    name, copy = naming.current(table.id), f"{naming.PREFIX}copy_{table.id}"
    keys = ", ".join([PART, *(quote(naming.physical(column.name)) for column in table.keys)])
    cursor.execute(f"DELETE FROM {SORTED.name} WHERE table_id = {table.id}")
    cursor.execute(f"INSERT INTO {SORTED.name} VALUES ({table.id}, {tso})")
    cursor.execute(f"CREATE TABLE {copy} AS SELECT * FROM {name} ORDER BY {keys}")
    cursor.execute(f"DROP TABLE {name}")
    cursor.execute(f"ALTER TABLE {copy} RENAME TO {name}")
