"""Write one batch to a Unique Key table: end the versions its keys have, insert the new ones.

Runs inside the coordinator's transaction, under the table's write lock. The forms that read row ids have the
transaction write its mark before (storage/table/opening.py), the others together with the rows. Never UPDATE, MERGE
or ON CONFLICT. Inserts go BY NAME, since ADD COLUMN puts columns in another place.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa

from storage import naming
from storage.catalog.model import LIGHT_DELETE
from storage.catalog.sequence import sequence_of
from storage.cells import truths
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
    REMOVED,
    ROW_ID,
    STORED,
    SUPERSEDED,
    TSO,
)
from storage.table.batch import ORDINAL, Prepared
from storage.table.insertion import insert
from storage.table.key_bound import KeyBounds
from storage.table.mark import settle_marks
from storage.table.match import matched
from storage.table.opening import Opening
from storage.table.probe import probe

LOG = logging.getLogger(__name__)

RETURNED_ROWS = 20_000  # up to how many `Upsert.returned` is the faster form (docs/decisions/0011-write-forms.md)


def write(cursor: Cursor, batch: Prepared, opening: Opening, bounds: KeyBounds, *, statement_delete: bool) -> None:
    """Write the rows of a stamped batch, each key at most once.

    `statement_delete`: deleted rows come from a DELETE statement, which records nothing on a table
    with enable_mow_light_delete (Doris: Changelog, records).
    """
    if not batch.rows.num_rows:
        return
    light = statement_delete and batch.table.is_on(LIGHT_DELETE)
    sought = bounds.sought(cursor, batch)
    if batch.partial is not None or sequence_of(batch.table) is not None:
        opening.run(cursor)
        probed = probe(cursor, batch)
        Upsert(cursor, probed, probed, opening, light=light).probed()
        return
    upsert = Upsert(cursor, batch, sought, opening, light=light)
    if not sought.rows.num_rows:
        upsert.append()
    elif batch.table.changelog is None:
        upsert.plain()
    elif batch.rows.num_rows <= RETURNED_ROWS:
        upsert.returned()
    else:
        upsert.fetched()


def check_met(cursor: Cursor, batch: Prepared) -> None:
    """Compare the versions that an UPDATE or DELETE inside BEGIN met with those of now; ROW_CHANGED if one is gone.

    Before any batch is written: what it read was committed, never its own.
    """
    if not batch.has(MET_TSO):
        return
    joined = f"{cursor.source(batch.rows)} s LEFT JOIN {naming.current(batch.table.id)} t"
    rows = cursor.rows(
        f"SELECT count(*) FROM {joined} ON {batch.same_key('t', 's')}"
        f" WHERE NOT coalesce(t.{TSO} = s.{MET_TSO} AND t.{LSN} = s.{MET_LSN}, false)"
    )
    if rows != [(0,)]:
        raise ROW_CHANGED(table=batch.table.name)


class Upsert:
    """The forms of one write; one of them is run. In SQL `t` is the current table and `s` the rows that are sought.

    `sought`: those of the batch whose keys the table may have.
    """

    def __init__(self, cursor: Cursor, batch: Prepared, sought: Prepared, opening: Opening, *, light: bool) -> None:
        self.cursor = cursor
        self.batch = batch
        self.sought = sought
        self.opening = opening
        self.current = naming.current(batch.table.id)
        self.history = naming.history(batch.table.id)
        self.deleted = REMOVED if light else DELETED

    @cached_property
    def source(self) -> str:
        """The rows that are sought, in SQL."""
        return self.cursor.source(self.sought.rows)

    def append(self) -> None:
        """New keys end no version; a row that deletes one of them leaves nothing."""
        self._insert()

    def plain(self) -> None:
        """Without changelog nothing is kept: delete by key, insert. The begin code is not needed there."""
        self.cursor.execute(self._delete_by_key())
        self._insert()

    def returned(self) -> None:
        """Have the deleted rows returned, then keep them and insert: no row id, and only they are read."""
        old = self.cursor.table(f"{self._delete_by_key()} RETURNING {STORED}.*")
        if old.num_rows:
            self._replace(old, matched(self.cursor, self.batch, old))
        else:
            self._insert()

    def _delete_by_key(self) -> str:
        return f"DELETE FROM {self.current} {STORED} WHERE {self.sought.has_key(STORED, self.source)}"

    def fetched(self) -> None:
        """Look the versions that end up, with their row ids, and delete by these."""
        self.opening.run(self.cursor)
        old = self.cursor.table(
            f"SELECT t.*, t.rowid AS {ROW_ID}, s.{ORDINAL}"
            f" FROM {self.current} t JOIN {self.source} s ON {self.sought.same_key('t', 's')}"
        )
        if old.num_rows:
            self._delete_rows(self.cursor.source(old.select([ROW_ID])), old.num_rows)
            self._replace(old.drop_columns([ROW_ID, ORDINAL]), self.batch.places(old[ORDINAL]))
        else:
            self._insert()

    def _replace(self, old: pa.Table, places: np.ndarray) -> None:
        """Keep the versions that the batch rows at these places end, and insert."""
        begun = np.zeros(len(self.batch.rows), np.int8)
        begun[places] = 1
        source = self.cursor.source(self._with_ends(old, places))
        self._insert(begun, [f"INSERT INTO {self.history} BY NAME SELECT * FROM {source}"])

    def _with_ends(self, old: pa.Table, places: np.ndarray) -> pa.Table:
        """The versions with how they end; `_ended` says the same in SQL, where a join is needed anyway."""
        rows = self.batch.rows
        for name, stamp in ((END_TSO, TSO), (END_LSN, LSN)):
            old = old.append_column(name, pa.array(rows[stamp].to_numpy()[places]))
        ops = np.full(len(places), SUPERSEDED, np.int8)
        if self.batch.has(DELETE):
            ops[truths(rows[DELETE]).to_numpy()[places]] = self.deleted
        return old.append_column(END_OP, pa.array(ops))

    def probed(self) -> None:
        """Keep, delete and insert by the row ids that storage/table/probe.py found."""
        row_ids = self.batch.rows[ROW_ID]
        if self.batch.table.changelog is not None:
            joined = f"{self.current} t JOIN {self.source} s ON t.rowid = s.{ROW_ID}"
            self.cursor.execute(f"INSERT INTO {self.history} BY NAME SELECT {self._ended()} FROM {joined}")
        self._delete_rows(self.source, len(row_ids) - row_ids.null_count)
        if self.batch.rows.num_rows:
            self._insert(row_ids.is_valid().to_numpy().astype(np.int8))
            settle_marks(self.cursor, self.batch, self.source)

    def _ended(self) -> str:
        """The columns of an ended version, from a join of the current table with the batch."""
        end_op = str(SUPERSEDED)
        if self.batch.has(DELETE):
            end_op = f"CASE WHEN s.{DELETE} THEN {self.deleted} ELSE {SUPERSEDED} END"
        return f"t.*, s.{TSO} AS {END_TSO}, s.{LSN} AS {END_LSN}, {end_op} AS {END_OP}"

    def _delete_rows(self, source: str, probed: int) -> None:
        """Delete by row id; other than as many rows as were probed means that ids have moved."""
        found = f"SELECT {ROW_ID} FROM {source} WHERE {ROW_ID} IS NOT NULL"
        deleted = self.cursor.execute(f"DELETE FROM {self.current} WHERE rowid IN ({found})") if probed else 0
        if deleted != probed:
            table = self.batch.table
            LOG.critical("table %s: %s rows probed, %s deleted; rolled back", table.id, probed, deleted)
            raise STORAGE_FAILURE(reason=f"write to table [{table.name}] met moving row ids, please retry")

    def _insert(self, begun: np.ndarray | None = None, before: Sequence[str] = ()) -> None:
        """Insert the new versions together with the opening and `before`; `begun` is 1 where the key had a row."""
        insert(self.cursor, self.batch, [*self.opening.take(), *before], begun)
