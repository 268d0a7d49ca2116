"""A small reference model of one changelog table with its streams; pure Python, no SQL, no storage.

It knows four things: the rows, the change records in commit order, the offset of each stream and
partition (a number of commits), and how the three stream types read a range. Everything is computed from the
list of records by the words of the documents, in the slowest and plainest way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

Row = tuple[int | None, int | None, str | None]  # k, v, w; k is the key
Key = int | None
Emitted = tuple[str, Row]  # change type, row

INSERT, UPDATE, DELETE = 0, 1, 2
PENDING = -1  # the initial image is still to be read


@dataclass(frozen=True)
class Record:
    """One change: the number of its commit, its partition, and the images around it."""

    commit: int
    part: str
    op: int
    key: Key
    before: Row | None
    after: Row | None


@dataclass
class Upsert:
    """Write rows; `deleted` are the positions of rows that carry the delete sign."""

    rows: Sequence[Row]
    deleted: frozenset[int] = frozenset()


@dataclass
class Update:
    """Set v of the rows with these keys."""

    keys: frozenset[Key]
    value: int | None


@dataclass
class Delete:
    """Delete the rows with these keys."""

    keys: frozenset[Key]


Statement = Upsert | Update | Delete


@dataclass
class Stream:
    """Where a stream stands: the number of the last consumed commit per partition, or PENDING."""

    type: str
    offsets: dict[str, int]


@dataclass
class Model:
    """The table: `unique` with before images, or a Duplicate Key table."""

    unique: bool
    bounds: Sequence[tuple[str, int | None]]  # partition name, upper bound; None is MAXVALUE
    rows: list[Row] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    streams: dict[str, Stream] = field(default_factory=dict)
    commits: int = 0
    written: dict[str, int] = field(default_factory=dict)  # partition -> number of its last commit

    def part(self, key: Key) -> str:
        """The partition of a key; NULL sorts before every value."""
        return next(name for name, hi in self.bounds if hi is None or key is None or key < hi)

    # -- writes --------------------------------------------------------------------------------------
    def commit(self, statements: Iterable[Statement]) -> None:
        """Apply the statements of one transaction: one commit, records in statement order."""
        self.commits += 1
        for statement in statements:
            if isinstance(statement, Upsert):
                self._upsert(statement)
            elif isinstance(statement, Update):
                for row in [row for row in self.rows if row[0] in statement.keys]:
                    self._put(row[0], (row[0], statement.value, row[2]))
            else:
                self._delete(statement.keys)

    def _upsert(self, statement: Upsert) -> None:
        if not self.unique:
            for row in statement.rows:
                self.rows.append(row)
                self._record(INSERT, row[0], None, row)
            return
        last = {row[0]: position for position, row in enumerate(statement.rows)}  # rows of one key merge, the last wins
        self.written |= {self.part(key): self.commits for key in last}  # also where only absent keys are deleted
        for key, position in last.items():
            self._put(key, None if position in statement.deleted else statement.rows[position])

    def _put(self, key: Key, after: Row | None) -> None:
        """Replace the row of a key in a Unique table; writing an equal row is a change all the same."""
        before = self.get(key)
        if before is not None:
            self.rows.remove(before)
        if after is not None:
            self.rows.append(after)
            self._record(INSERT if before is None else UPDATE, key, before, after)
        elif before is not None:
            self._record(DELETE, key, before, None)

    def _delete(self, keys: frozenset[Key]) -> None:
        if self.unique:
            for row in [row for row in self.rows if row[0] in keys]:
                self._put(row[0], None)
            return
        for row in [row for row in self.rows if row[0] in keys]:  # a Duplicate table records no DELETE
            self.rows.remove(row)
            self.written[self.part(row[0])] = self.commits

    def _record(self, op: int, key: Key, before: Row | None, after: Row | None) -> None:
        part = self.part(key)
        self.records.append(Record(self.commits, part, op, key, before, after))
        self.written[part] = self.commits

    def get(self, key: Key) -> Row | None:
        """The row of a key (Unique tables)."""
        return next((row for row in self.rows if row[0] == key), None)

    # -- streams -------------------------------------------------------------------------------------
    def create_stream(self, name: str, kind: str, initial: bool) -> None:
        """Without initial rows it starts at the last commit; with them, partitions that were written are pending."""
        start = {part: PENDING for part in self.written} if initial else dict(self.written)
        self.streams[name] = Stream(kind, start)

    def read(self, name: str, parts: Sequence[str] | None = None) -> list[Emitted]:
        """What a plain SELECT of the stream gives, in no particular order over partitions."""
        stream, found = self.streams[name], []
        for part, _ in self.bounds:
            if parts is not None and part not in parts:
                continue
            offset = stream.offsets.get(part, 0)
            if offset == PENDING:
                found += [("APPEND", row) for row in self.rows if self.part(row[0]) == part]
            else:
                found += self.emit(stream.type, part, offset, self.commits)
        return found

    def consume(self, name: str, parts: Sequence[str] | None = None) -> None:
        """Move the offsets to the last commit of each partition."""
        stream = self.streams[name]
        for part, _ in self.bounds:
            if parts is None or part in parts:
                stream.offsets[part] = self.written.get(part, 0)

    def emit(self, kind: str, part: str, lo: int, hi: int) -> list[Emitted]:
        """The changes of a partition in (lo, hi] as a stream of that type shows them."""
        window = [record for record in self.records if record.part == part and lo < record.commit <= hi]
        if kind == "append_only" or not self.unique:
            return [("APPEND", record.after) for record in window if record.op == INSERT and record.after]
        if kind == "detail":
            return [emitted for record in window for emitted in _both(record.before, record.after)]
        folded: dict[Key, tuple[Row | None, Row | None]] = {}
        for record in window:
            start = folded[record.key][0] if record.key in folded else record.before
            folded[record.key] = (start, record.after)
        return [emitted for start, now in folded.values() for emitted in _both(start, now)]


def _both(before: Row | None, after: Row | None) -> list[Emitted]:
    """The rows of a change from `before` to `after`; None means that the key is absent."""
    if before is None:
        return [] if after is None else [("APPEND", after)]
    return [("DELETE", before)] if after is None else [("UPDATE_BEFORE", before), ("UPDATE_AFTER", after)]
