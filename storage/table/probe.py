"""Look the rows of a batch up in their table: which of them win, what they replace, what they leave out.

One SELECT over batch `s`, current rows `t` and delete marks `d`, run under the table's write lock; its result,
not a temporary table, is what the statements of storage/table/unique.py write from. Rows that lose against a
higher sequence value are gone from it, columns that a partial update leaves out are filled from the row as it is
now, so that two partial updates of one key both survive (Doris: Concurrency Control for Updates; Partial Column
Update).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from storage import naming
from storage.catalog.model import Column
from storage.catalog.sequence import Sequence, sequence_of
from storage.cursor import Cursor
from storage.naming import DELETE, ROW_ID, quote
from storage.table import flexible, new_key
from storage.table.batch import ORDINAL, Prepared

MARK_ID = naming.PREFIX + "mark_id"  # BIGINT: where the delete mark of the key is


def probe(cursor: Cursor, batch: Prepared) -> Prepared:
    """The winning rows of a batch, complete, with ROW_ID and MARK_ID."""
    if batch.partial is not None and batch.partial.flexible:
        batch = flexible.fold(cursor, batch)
    lookup = Lookup(batch, sequence_of(batch.table))
    found = _completed(batch, cursor.table(lookup.text(cursor.source(batch.rows))))
    if found.partial is not None:
        new_key.check(cursor, found)
    return found


def _completed(batch: Prepared, found: pa.Table) -> Prepared:
    """The batch's own columns of the rows found, and what the lookup adds or replaces.

    The lookup has no order: sorting costs DuckDB as much as joining. The narrower side is put into the other's.
    """
    rows = batch.rows
    places = batch.places(found[ORDINAL])
    if batch.partial is not None:
        rows = rows.take(pa.array(places))
    else:
        rows, found = _in_batch_order(rows, found, places)
    return replace(batch, rows=rows).with_columns({name: found[name] for name in found.column_names[1:]})


def _in_batch_order(rows: pa.Table, found: pa.Table, places: np.ndarray) -> tuple[pa.Table, pa.Table]:
    """The rows that were found, and what was found of them, both in the order of the batch."""
    wins = np.zeros(rows.num_rows, bool)
    wins[places] = True
    order = np.zeros(found.num_rows, np.int64)
    order[(np.cumsum(wins) - 1)[places]] = np.arange(found.num_rows)
    kept = rows if found.num_rows == rows.num_rows else rows.filter(pa.array(wins))
    return kept, found.take(pa.array(order))


@dataclass(frozen=True)
class Lookup:
    """The text of the SELECT; its first column is ORDINAL."""

    batch: Prepared
    sequence: Sequence | None

    def text(self, source: str) -> str:
        table = self.batch.table
        columns = [f"s.{ORDINAL}", f"t.rowid AS {ROW_ID}", *self._fills()]
        joins = f"{source} s LEFT JOIN {naming.current(table.id)} t ON {self.batch.same_key('t', 's')}"
        if self.sequence is not None:
            columns.insert(2, f"d.rowid AS {MARK_ID}")
            joins += f" LEFT JOIN {naming.marks(table.id)} d ON {self.batch.same_key('d', 's')}"
        wins = f" WHERE {self._wins()}" if self._ordered else ""
        return f"SELECT {', '.join(columns)} FROM {joins}{wins}"

    @property
    def _ordered(self) -> bool:
        """Whether the batch brings sequence values; a partial update without them wins."""
        return self.sequence is not None and self.batch.has(self.sequence.physical)

    def _wins(self) -> str:
        assert self.sequence is not None
        own = quote(self.sequence.physical)
        wins = f"{not_lower(f's.{own}', f't.{own}')} AND {not_lower(f's.{own}', f'd.{naming.SEQUENCE}')}"
        flag = naming.given(flexible.uid_of(self.sequence))
        return f"(NOT s.{flag} OR {wins})" if self.batch.has(flag) else wins

    def _fills(self) -> list[str]:
        partial = self.batch.partial
        if partial is None:
            return []
        columns = {naming.physical(column.name): column for column in self.batch.table.columns}
        items = [self._fill(name, text, columns.get(name)) for name, text in partial.defaults.items()]
        hidden = self.sequence is not None and self.sequence.column is None
        if hidden and (partial.flexible or not self.batch.has(naming.SEQUENCE)):
            items.append(self._fill(naming.SEQUENCE, None, None))
        return items

    def _fill(self, name: str, text: str | None, column: Column | None) -> str:
        """The value of one column: as given, else as stored, else what a new key gets."""
        quoted = quote(name)
        flag = naming.given(flexible.uid_of(self.sequence) if column is None else column.uid)
        arms = [f"WHEN s.{flag} THEN s.{quoted}"] if self.batch.has(flag) else []
        if self.sequence is not None and self.sequence.physical == name:
            arms += self._sequence_arms(quoted)
        reset = f" AND NOT s.{flexible.RESET}" if self.batch.has(flexible.RESET) else ""
        arms.append(f"WHEN t.rowid IS NOT NULL{reset} THEN t.{quoted}")
        return f"CASE {' '.join(arms)} ELSE {text or 'NULL'} END AS {quoted}"

    def _sequence_arms(self, quoted: str) -> list[str]:
        """A flexible row, and a delete, take the sequence value of the row or mark that is there."""
        taken = f"THEN coalesce(t.{quoted}, d.{naming.SEQUENCE})"
        if self.batch.has(flexible.RESET):
            return [f"WHEN t.rowid IS NOT NULL OR d.rowid IS NOT NULL {taken}"]
        return [f"WHEN s.{DELETE} {taken}"] if self.batch.has(DELETE) else []


def not_lower(new: str, old: str) -> str:
    """The condition that a sequence value does not lose against another; NULL is lower than all and equal to NULL."""
    return f"coalesce({new} >= {old}, {old} IS NULL)"
