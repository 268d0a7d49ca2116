"""Delete marks: the sequence value of deleted keys outlives their rows, so that a late, lower one still loses.

d_<id> exists only for tables with a sequence column; a key is in t_ or in d_, never in both. Marks are kept until
their key is written again or their partition goes (Doris may forget them earlier;
docs/decisions/0014-delete-marks-and-probed-upserts.md).
"""

from __future__ import annotations

from storage import naming
from storage.catalog.sequence import sequence_of
from storage.cursor import Cursor
from storage.naming import DELETE, PART, TSO, VERSION, quote
from storage.table.batch import Prepared
from storage.table.probe import MARK_ID


def settle_marks(cursor: Cursor, batch: Prepared, source: str) -> None:
    """Take away the marks of the keys that a stamped batch writes, and leave one of each that it deletes."""
    sequence = sequence_of(batch.table)
    if sequence is None:
        return
    marks = naming.marks(batch.table.id)
    if batch.rows[MARK_ID].null_count < len(batch.rows):
        cursor.execute(
            f"DELETE FROM {marks} WHERE rowid IN (SELECT {MARK_ID} FROM {source} WHERE {MARK_ID} IS NOT NULL)"
        )
    if batch.has(DELETE):
        columns = [f"s.{name}" for name in (*map(quote, batch.keys), TSO, VERSION, PART)]
        columns.append(f"s.{quote(sequence.physical)} AS {naming.SEQUENCE}")
        cursor.execute(f"INSERT INTO {marks} BY NAME SELECT {', '.join(columns)} FROM {source} s WHERE s.{DELETE}")
