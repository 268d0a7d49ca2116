"""What a Unique Key table must hold: rows applied one by one in the order of writing, each against what is there.

The reference has no batches: a row meets the stored row of its key or the mark of its deletion, and wins or loses
by its sequence value. Change records are the difference that a whole statement makes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Key = int | None
Cells = Mapping[str, object]  # column -> value, of those that are given
DEFAULTS: dict[str, object] = {"a": 7, "b": None, "s": None}


@dataclass(frozen=True)
class Given:
    """One row of a statement: its key, the columns it names, whether it deletes."""

    key: Key
    cells: Cells
    delete: bool = False


@dataclass(frozen=True)
class Record:
    """One change: 0 insert, 1 update, 2 delete, and the images around it."""

    op: int
    key: Key
    before: Cells | None
    after: Cells | None


@dataclass
class UniqueModel:
    """The rows by key, and with a sequence column `s` the sequence values of deleted keys."""

    sequence: bool
    rows: dict[Key, Cells] = field(default_factory=dict)
    marks: dict[Key, object] = field(default_factory=dict)
    records: list[Record] = field(default_factory=list)

    def write(self, statement: Iterable[Given], partial: bool = False, flexible: bool = False) -> None:
        """One statement: columns that a row does not name are kept (`partial`), or become their defaults.

        A `flexible` row that names no sequence value takes that of the row or mark it meets.
        """
        before = dict(self.rows)
        touched = [row.key for row in statement if self._apply(row, partial, flexible)]
        for key in dict.fromkeys(touched):
            self._record(key, before.get(key), self.rows.get(key))

    def _apply(self, row: Given, partial: bool, flexible: bool) -> bool:
        live, known = self.rows.get(row.key), row.key in self.rows or row.key in self.marks
        top = live["s"] if live is not None else self.marks.get(row.key)
        if self.sequence and known and "s" in row.cells and not _not_lower(row.cells["s"], top):
            return False
        self.marks.pop(row.key, None)
        if row.delete:
            self.rows.pop(row.key, None)
            if self.sequence:
                self.marks[row.key] = row.cells.get("s", top)
        else:
            taken = {"s": top} if flexible and self.sequence and known else {}
            self.rows[row.key] = {**(live if partial and live is not None else DEFAULTS), **taken, **row.cells}
        return True

    def _record(self, key: Key, before: Cells | None, after: Cells | None) -> None:
        if before is not None or after is not None:
            op = 0 if before is None else 2 if after is None else 1
            self.records.append(Record(op, key, before, after))

    def replayed(self) -> dict[Key, Cells]:
        """The rows that the change records give."""
        rows: dict[Key, Cells] = {}
        for record in self.records:
            rows.pop(record.key, None)
            if record.after is not None:
                rows[record.key] = record.after
        return rows


def _not_lower(new: object, old: object) -> bool:
    """NULL is lower than every value and equal to NULL."""
    if old is None or new is None:
        return old is None
    return new >= old  # type: ignore[operator, no-any-return]
