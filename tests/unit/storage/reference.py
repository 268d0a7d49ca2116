"""A record-based reference of one keyed table: it keeps what storage derives, and folds records by itself.

Deliberately naive: a dict of current rows, a list of change records with both images, and replay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Key = int | None
Value = str | None
Row = tuple[object, ...]


@dataclass(frozen=True)
class Record:
    """One change: op 0 insert, 1 update, 2 delete, 3 removed without a record; images are values."""

    op: int
    tso: int
    lsn: int
    part: int
    key: Key
    after: Value
    before: Value


@dataclass
class Reference:
    """Current rows by key, and every change in order."""

    history: bool = True
    rows: dict[Key, tuple[Value, int]] = field(default_factory=dict)  # key -> value, partition
    begun: dict[Key, int] = field(default_factory=dict)  # key -> TSO of the current version
    log: list[Record] = field(default_factory=list)
    appended: list[tuple[Key, Value, int, int, int]] = field(
        default_factory=list
    )  # Duplicate: rows with tso, lsn, part

    # -- writes ------------------------------------------------------------------------------
    def put(self, tso: int, lsn: int, rows: list[tuple[Key, Value]], parts: list[int], deletes: set[int]) -> None:
        """One batch whose first row has `lsn`; the last row of a key counts."""
        last = {key: place for place, (key, _) in enumerate(rows)}
        for place, (key, value) in enumerate(rows):
            if last[key] == place:
                self._write(tso, lsn + place, parts[place], key, value, place in deletes)

    def _write(self, tso: int, lsn: int, part: int, key: Key, value: Value, delete: bool, op: int = 2) -> None:
        old = self.rows.get(key)
        if delete:
            if old is not None:
                self.log.append(Record(op, tso, lsn, old[1], key, old[0], old[0]))
                del self.rows[key], self.begun[key]
            return
        self.log.append(Record(1 if old else 0, tso, lsn, part, key, value, old[0] if old else None))
        self.rows[key] = value, part
        self.begun[key] = tso

    def light_delete(self, tso: int, lsn: int, keys: list[Key]) -> None:
        for place, key in enumerate(keys):
            self._write(tso, lsn + place, 0, key, None, True, op=3)

    def forget(self, part: int) -> None:
        """TRUNCATE or DROP PARTITION: rows and records of the partition are gone."""
        self.log = [record for record in self.log if record.part != part]
        for key in [key for key, (_, own) in self.rows.items() if own == part]:
            del self.rows[key], self.begun[key]

    # -- reads -------------------------------------------------------------------------------
    def _inside(self, windows: Mapping[int, tuple[int, int]]) -> list[Record]:
        return [r for r in self.log if r.part in windows and windows[r.part][0] < r.tso <= windows[r.part][1]]

    def append_only(self, windows: Mapping[int, tuple[int, int]]) -> list[Row]:
        return _sorted((r.key, r.after, "APPEND", r.tso, 2 * r.lsn) for r in self._inside(windows) if r.op == 0)

    def detail(self, windows: Mapping[int, tuple[int, int]]) -> list[Row]:
        rows: list[Row] = []
        for r in self._inside(windows):
            before = r.before if self.history else None
            if r.op == 0:
                rows.append((r.key, r.after, "APPEND", r.tso, 2 * r.lsn))
            elif r.op == 1:
                rows.append((r.key, before, "UPDATE_BEFORE", r.tso, 2 * r.lsn))
                rows.append((r.key, r.after, "UPDATE_AFTER", r.tso, 2 * r.lsn + 1))
            elif r.op == 2:
                rows.append((r.key, before, "DELETE", r.tso, 2 * r.lsn))
        return _sorted(rows)

    def min_delta(self, windows: Mapping[int, tuple[int, int]]) -> list[Row]:
        """Fold the records of each key: first record tells the start, last record the end."""
        folded: dict[Key, list[Record]] = {}
        for r in self._inside(windows):
            if r.op < 3:
                folded.setdefault(r.key, []).append(r)
        rows: list[Row] = []
        for key, records in folded.items():
            first, last = records[0], records[-1]
            existed, exists = first.op != 0, last.op != 2
            if existed:
                kind = "UPDATE_BEFORE" if exists else "DELETE"
                rows.append((key, first.before, kind, last.tso, 2 * last.lsn))
            if exists:
                kind = "UPDATE_AFTER" if existed else "APPEND"
                rows.append((key, last.after, kind, last.tso, 2 * last.lsn + int(existed)))
        return _sorted(rows)

    def records(self) -> list[Row]:
        """changelog() with BEFORE columns, or masked without history."""
        rows: list[Row] = []
        for r in self.log:
            if r.op == 3:
                continue
            if self.history:
                rows.append((r.op, r.tso, r.lsn, r.key, r.after, r.before if r.op else None))
            else:
                rows.append((r.op, r.tso, r.lsn, r.key, None if r.op == 2 else r.after))
        return _sorted(rows)

    def image(self, tsos: Mapping[int, int]) -> list[Row]:
        """Replay up to a TSO per partition."""
        rows: dict[Key, Row] = {}
        for r in self.log:
            if r.part in tsos and r.tso <= tsos[r.part]:
                if r.op < 2:
                    rows[r.key] = (r.key, r.after, r.tso)
                else:
                    rows.pop(r.key)
        # a row that was removed without a record later than the bound is missing from past images
        for r in self.log:
            if r.op == 3 and r.part in tsos and r.tso > tsos[r.part] and rows.get(r.key, (0, 0, None))[2] is not None:
                self._drop_if_same_version(rows, r, tsos[r.part])
        return _sorted(rows.values())

    def _drop_if_same_version(self, rows: dict[Key, Row], removed: Record, bound: int) -> None:
        later = [r for r in self.log if r.key == removed.key and r.tso > bound]
        if later and later[0] is removed:
            rows.pop(removed.key, None)

    def current(self) -> list[Row]:
        return _sorted((key, value) for key, (value, _) in self.rows.items())


def _sorted(rows: Iterable[Row]) -> list[Row]:
    return sorted(rows, key=repr)
