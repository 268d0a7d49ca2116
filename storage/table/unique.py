"""Write one batch to a Unique Key table: end the versions its keys have, insert the new ones.

Runs inside the coordinator's transaction, under the table's write lock and after that transaction has
written its mark; only then is a row id safe (docs/duckdb.md). Never
UPDATE, MERGE or ON CONFLICT. Inserts go BY NAME, since ADD COLUMN puts columns in another place.
"""

from __future__ import annotations

import logging

import numpy as np
import pyarrow as pa

from storage import naming
from storage.catalog.model import LIGHT_DELETE
from storage.catalog.sequence import sequence_of
from storage.cursor import Cursor
from storage.errors import ROW_CHANGED, STORAGE_FAILURE
from storage.naming import (
    DELETE,
    DELETED,
    END_LSN,
    END_OP,
    END_TSO,
    LSN,
    MET_LSN,
    MET_TSO,
    OP,
    PART,
    REMOVED,
    ROW_ID,
    SUPERSEDED,
    TSO,
    VERSION,
    quote,
)
from storage.table.batch import ORDINAL, Prepared
from storage.table.key_bound import KeyBounds
from storage.table.mark import settle_marks
from storage.table.probe import FOUND, probe
from storage.table.stamp import Stamp

LOG = logging.getLogger(__name__)

OLD = naming.PREFIX + "old"  # the versions that a batch ends, registered as Arrow
EXISTED = naming.PREFIX + "existed"
# Up to how many rows a form is the fastest (docs/decisions/0011-write-forms.md).
ONE_STATEMENT_ROWS = 200
RETURNED_ROWS = 20_000


def write(
    cursor: Cursor, batch: Prepared, source: str, stamp: Stamp, bounds: KeyBounds, *, statement_delete: bool
) -> None:
    """Write the rows registered as `source`, each key at most once.

    `statement_delete`: deleted rows come from a DELETE statement, which records nothing on a table
    with enable_mow_light_delete (Doris: Changelog, records).
    """
    if not batch.rows.num_rows:
        return
    light = statement_delete and batch.table.is_on(LIGHT_DELETE)
    upsert = Upsert(batch, source, stamp, light=light)
    only_new = bounds.only_new(cursor, batch)
    if batch.partial is not None or sequence_of(batch.table) is not None:
        Upsert(probe(cursor, batch, source), FOUND, stamp, light=light).probed(cursor)
    elif only_new:
        upsert.append(cursor)
    elif batch.table.changelog is None:
        upsert.plain(cursor)
    elif batch.rows.num_rows <= ONE_STATEMENT_ROWS:
        upsert.one_statement(cursor)
    elif batch.rows.num_rows <= RETURNED_ROWS:
        upsert.returned(cursor)
    else:
        upsert.fetched(cursor)


def check_met(cursor: Cursor, batch: Prepared, source: str) -> None:
    """Compare the versions that an UPDATE or DELETE inside BEGIN met with those of now; ROW_CHANGED if one is gone.

    Before the first write of the transaction: what it read was committed, never its own.
    """
    if not batch.has(MET_TSO):
        return
    rows = cursor.rows(
        f"SELECT count(*) FROM {source} s LEFT JOIN {naming.current(batch.table.id)} t ON {batch.same_key('t', 's')}"
        f" WHERE NOT coalesce(t.{TSO} = s.{MET_TSO} AND t.{LSN} = s.{MET_LSN}, false)"
    )
    if rows != [(0,)]:
        raise ROW_CHANGED(table=batch.table.name)


class Upsert:
    """The statements of one write. `t` is the current table, `h` the history, `s` the batch, `d` what was deleted."""

    def __init__(self, batch: Prepared, source: str, stamp: Stamp, *, light: bool) -> None:
        self.batch = batch
        self.table = batch.table
        self.source = source
        self.stamp = stamp
        self.current = naming.current(self.table.id)
        self.history = naming.history(self.table.id)
        self.delete = f"coalesce(s.{DELETE}, false)" if batch.has(DELETE) else ""
        self.deleted = REMOVED if light else DELETED

    def same_key(self, left: str, right: str) -> str:
        return self.batch.same_key(left, right)

    def end_op(self) -> str:
        return f"CASE WHEN {self.delete} THEN {self.deleted} ELSE {SUPERSEDED} END" if self.delete else str(SUPERSEDED)

    def _ended(self, version: str) -> str:
        """The columns of a history row: the version as it was, and how it ended."""
        number = self.stamp.number("s")
        return f"{version}.*, {self.stamp.tso} AS {END_TSO}, {number} AS {END_LSN}, {self.end_op()} AS {END_OP}"

    def _inserted(self, source: str, begun: str) -> str:
        """The INSERT of the new versions; `begun` is 1 where the key had a row before, else 0."""
        version, join = self.stamp.version("s", self.batch.parts)
        columns = [f"s.{quote(naming.physical(column.name))}" for column in self.table.columns]
        columns += [f"s.{naming.SEQUENCE}"] if self.batch.has(naming.SEQUENCE) else []
        columns += [
            f"{self.stamp.tso} AS {TSO}",
            f"{self.stamp.number('s')} AS {LSN}",
            f"{begun} AS {OP}",
            f"{version} AS {VERSION}",
            f"s.{PART}",
        ]
        where = f" WHERE NOT {self.delete}" if self.delete else ""
        return f"INSERT INTO {self.current} BY NAME SELECT {', '.join(columns)} FROM {source}{join}{where}"

    def append(self, cursor: Cursor) -> None:
        """New keys end no version; a row that deletes one of them leaves nothing."""
        cursor.execute(self._inserted(f"{self.source} s", "0"))

    def one_statement(self, cursor: Cursor) -> None:
        """Delete, keep and insert in one data-modifying statement; it reads no row id."""
        source = f"{self.source} s"
        cursor.execute(
            f"WITH d AS (DELETE FROM {self.current} t USING {source} WHERE {self.same_key('t', 's')} RETURNING t.*),\n"
            f"i AS (INSERT INTO {self.history} BY NAME SELECT {self._ended('d')}"
            f" FROM d JOIN {source} ON {self.same_key('d', 's')} RETURNING {END_OP})\n"
            + self._inserted(f"{source} LEFT JOIN d ON {self.same_key('d', 's')}", f"(d.{TSO} IS NOT NULL)::TINYINT")
            + f" ORDER BY s.{ORDINAL}"
        )

    def returned(self, cursor: Cursor) -> None:
        """Have the deleted rows returned, as Arrow, then keep them and insert: no row id, and only they are read."""
        old = cursor.table(f"{self._delete_by_key()} RETURNING t.*")
        if not old.num_rows:
            self.append(cursor)
            return
        cursor.register(OLD, old)
        source = f"{self.source} s"
        keep = f"INSERT INTO {self.history} BY NAME SELECT {self._ended('d')}"
        insert = self._inserted(
            f"{source} LEFT JOIN {OLD} d ON {self.same_key('d', 's')}", f"(d.{TSO} IS NOT NULL)::TINYINT"
        )
        cursor.execute(f"WITH i AS ({keep} FROM {OLD} d JOIN {source} ON {self.same_key('d', 's')}) {insert}")

    def fetched(self, cursor: Cursor) -> None:
        """Fetch the versions that end, once, as Arrow; then keep, delete by row id, and insert without a join."""
        old = cursor.table(
            f"SELECT {self._ended('t')}, t.rowid AS {ROW_ID}, s.{ORDINAL}"
            f" FROM {self.current} t JOIN {self.source} s ON {self.same_key('t', 's')}"
        )
        if old.num_rows:
            cursor.register(OLD, old)
            cursor.execute(f"INSERT INTO {self.history} BY NAME SELECT * EXCLUDE ({ROW_ID}, {ORDINAL}) FROM {OLD}")
            self._delete_rows(cursor, OLD, old.num_rows)
            cursor.unregister(OLD)
            self._mark_existing(cursor, old)
        cursor.execute(self._inserted(f"{self.source} s", f"s.{EXISTED}" if old.num_rows else "0"))

    def _mark_existing(self, cursor: Cursor, old: pa.Table) -> None:
        """Tell the batch rows whose key had a version: by an array, not by a second join."""
        existed = np.zeros(self.batch.affected, np.int8)
        existed[old[ORDINAL].to_numpy()] = 1
        rows = self.batch.rows
        cursor.unregister(self.source)
        cursor.register(self.source, rows.append_column(EXISTED, pa.array(existed[rows[ORDINAL].to_numpy()])))

    def probed(self, cursor: Cursor) -> None:
        """Keep, delete and insert by the row ids that storage/table/probe.py found."""
        if self.table.changelog is not None:
            cursor.execute(
                f"INSERT INTO {self.history} BY NAME SELECT {self._ended('t')}"
                f" FROM {self.current} t JOIN {self.source} s ON t.rowid = s.{ROW_ID}"
            )
        self._delete_rows(cursor, self.source, len(self.batch.rows) - self.batch.rows[ROW_ID].null_count)
        if self.batch.rows.num_rows:
            cursor.execute(self._inserted(f"{self.source} s", f"(s.{ROW_ID} IS NOT NULL)::TINYINT"))
            settle_marks(cursor, self.batch, self.source, self.stamp)
        cursor.unregister(self.source)

    def _delete_rows(self, cursor: Cursor, source: str, probed: int) -> None:
        """Delete by row id; other than as many rows as were probed means that ids have moved."""
        found = f"SELECT {ROW_ID} FROM {source} WHERE {ROW_ID} IS NOT NULL"
        deleted = cursor.execute(f"DELETE FROM {self.current} WHERE rowid IN ({found})") if probed else 0
        if deleted != probed:
            LOG.critical("table %s: %s rows probed, %s deleted; rolled back", self.table.id, probed, deleted)
            raise STORAGE_FAILURE(reason=f"write to table [{self.table.name}] met moving row ids, please retry")

    def plain(self, cursor: Cursor) -> None:
        """Without changelog nothing is kept: delete by key, insert. The begin code is not needed there."""
        cursor.execute(self._delete_by_key())
        cursor.execute(self._inserted(f"{self.source} s", "0"))

    def _delete_by_key(self) -> str:
        """EXISTS reads the keys only, USING all columns."""
        found = f"SELECT 1 FROM {self.source} s WHERE {self.same_key('t', 's')}"
        return f"DELETE FROM {self.current} t WHERE EXISTS ({found})"
