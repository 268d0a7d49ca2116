"""Write to a Duplicate Key table: append rows, or remove rows by a condition.

Runs inside the coordinator's transaction under the table's write lock. DELETE records nothing
(Doris: Changelog, records), but with a changelog the removed rows go to the history, so that their insert
records stay readable until they expire.
"""

from __future__ import annotations

from storage import naming
from storage.catalog.model import Table
from storage.cursor import Cursor
from storage.naming import END_LSN, END_OP, END_TSO, PART, REMOVED
from storage.table.batch import Prepared
from storage.table.insertion import insert
from storage.table.opening import Opening


def append(cursor: Cursor, batch: Prepared, opening: Opening) -> None:
    """Insert the rows of a stamped batch in their order."""
    insert(cursor, batch, opening.take())


def remove(cursor: Cursor, table: Table, condition: str, tso: int, lsn: int) -> dict[int, int]:
    """Delete the visible rows that meet a condition; how many, by partition id."""
    target = naming.current(table.id)
    where = f"({condition}){_visible(table)}"
    if table.changelog is None:
        text = f"WITH d AS (DELETE FROM {target} WHERE {where} RETURNING {PART})"
        return _counts(cursor, f"{text} SELECT {PART}, count(*) FROM d GROUP BY {PART}")
    ended = f"{tso} AS {END_TSO}, {lsn} + row_number() OVER () AS {END_LSN}, {REMOVED} AS {END_OP}"
    return _counts(
        cursor,
        f"WITH d AS (DELETE FROM {target} WHERE {where} RETURNING *),\n"
        f"i AS (INSERT INTO {naming.history(table.id)} BY NAME SELECT d.*, {ended} FROM d RETURNING {PART})\n"
        f"SELECT {PART}, count(*) FROM i GROUP BY {PART}",
    )


def _visible(table: Table) -> str:
    if len(table.visible_partitions) == len(table.partitions):
        return ""
    return f" AND {PART} IN ({', '.join(str(part.id) for part in table.visible_partitions) or 'NULL'})"


def _counts(cursor: Cursor, sql: str) -> dict[int, int]:
    return {part: count for part, count in cursor.rows(sql)}  # type: ignore[misc]
