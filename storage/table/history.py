"""Take expired change records away: ended versions from the history, and the mark up to which they are gone.

The rows of t_<id> stay, so what has been purged cannot be seen in them; the mark says it (Doris: Changelog, retention).
"""

from __future__ import annotations

from storage import naming
from storage.catalog.model import Table
from storage.catalog.schema import PURGE
from storage.cursor import Cursor
from storage.naming import END_TSO, TSO
from storage.reader import Reader

SLICE_ROWS = 500_000  # rows that one transaction removes; it holds the table's write lock


def purge(cursor: Cursor, table: Table, tso: int) -> None:
    """Remove the records up to and with `tso`, in the coordinator's transaction and under the table's lock."""
    cursor.execute(f"DELETE FROM {naming.history(table.id)} WHERE {END_TSO} <= {tso}")
    rows = cursor.rows(f"SELECT purged_tso FROM {PURGE.name} WHERE table_id = {table.id} AND purged_tso >= {tso}")
    if not rows:
        cursor.execute(f"DELETE FROM {PURGE.name} WHERE table_id = {table.id}")
        cursor.execute(f"INSERT INTO {PURGE.name} VALUES ({table.id}, {tso})")


def next_slice(reader: Reader, table: Table, horizon: int) -> int | None:
    """Up to which TSO the next purge goes, `horizon` at most; None when nothing has expired since the last one.

    The history lies in the order of its ends, so its first rows are the oldest. The bound is the TSO of a
    record, not the horizon itself: the mark must not forbid starts behind which nothing is missing.
    """
    purged = reader.purged_tso(table.id)
    if purged >= horizon:
        return None
    history, current = naming.history(table.id), naming.current(table.id)
    first = f"SELECT {END_TSO} FROM {history} WHERE {END_TSO} <= {horizon} LIMIT {SLICE_ROWS}"
    ended, count = _row(reader, f"SELECT max({END_TSO}), count(*) FROM ({first})")
    if count == SLICE_ROWS:
        return ended
    (begun,) = _row(reader, f"SELECT max({TSO}) FROM {current} WHERE {TSO} > {purged} AND {TSO} <= {horizon}")
    return max(ended or 0, begun or 0) or None


def _row(reader: Reader, sql: str) -> tuple[int | None, ...]:
    return tuple(reader.table(sql).to_pylist()[0].values())
