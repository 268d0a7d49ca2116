"""The reference model of several sessions: what BEGIN … COMMIT stages, and when a COMMIT must fail.

Beside the model of one table (model.py) it knows the identity of each partition, which TRUNCATE changes, the version of
the schema, and the open transactions. A COMMIT fails when a partition it consumed has moved or is another one now, when
one it writes is another one, or when the columns have changed since; then nothing of it has happened.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.property.model import PENDING, Emitted, Model, Statement, Upsert

CONSUMED = "target offset already consumed"
CHANGED = "altered while|unknown partition"


@dataclass
class Consumption:
    """What one statement read of a stream: per partition its offset, where it will stand, and its identity."""

    stream: str
    moves: dict[str, tuple[int, int, int]]
    emitted: list[Emitted]


@dataclass
class Staged:
    """A write of a transaction with what it was planned on."""

    statement: Statement
    schema: int
    parts: dict[str, int]


@dataclass
class Transaction:
    """The stages of one open transaction."""

    writes: list[Staged] = field(default_factory=list)
    reads: list[Consumption] = field(default_factory=list)


@dataclass
class World:
    """The table, its streams, what their sinks hold, and the sessions that are inside a transaction."""

    model: Model
    identity: dict[str, int] = field(default_factory=dict)
    schema: int = 0
    sinks: dict[str, list[Emitted]] = field(default_factory=dict)
    open: dict[int, Transaction] = field(default_factory=dict)

    def begin(self, session: int) -> None:
        self.open.setdefault(session, Transaction())

    def rollback(self, session: int) -> None:
        self.open.pop(session, None)

    def insert(self, session: int, upsert: Upsert) -> str | None:
        """Write at once, or stage."""
        parts = {self.model.part(row[0]) for row in upsert.rows}
        staged = Staged(upsert, self.schema, {part: self.identity.get(part, 0) for part in parts})
        if session in self.open:
            self.open[session].writes.append(staged)
            return None
        return self._apply(Transaction([staged]))

    def consume(self, session: int, stream: str, parts: Sequence[str] | None) -> str | None:
        """Consume into the stream's sink; the pattern of the error, None for success."""
        read = self._read(stream, parts)
        transaction = self.open.get(session)
        if transaction is None:
            return self._apply(Transaction([], [read]))
        taken = {part for earlier in transaction.reads if earlier.stream == stream for part in earlier.moves}
        if taken & read.moves.keys():
            return CONSUMED
        transaction.reads.append(read)
        return None

    def commit(self, session: int) -> str | None:
        """Apply the transaction or nothing of it."""
        transaction = self.open.pop(session, None)
        return None if transaction is None else self._apply(transaction)

    def truncate(self, part: str) -> None:
        """Rows, records and offsets of the partition go; it has another identity from now on."""
        model = self.model
        model.rows = [row for row in model.rows if model.part(row[0]) != part]
        model.records = [record for record in model.records if record.part != part]
        model.written.pop(part, None)
        for stream in model.streams.values():
            stream.offsets.pop(part, None)
        self.identity[part] = self.identity.get(part, 0) + 1

    def pending(self, stream: str) -> dict[str, bool]:
        """Which partitions have something that the stream has not consumed."""
        return {part: part in self._read(stream, [part]).moves for part, _ in self.model.bounds}

    def _read(self, stream: str, parts: Sequence[str] | None) -> Consumption:
        offsets, moves = self.model.streams[stream].offsets, {}
        for part in parts or [name for name, _ in self.model.bounds]:
            latest, offset = self.model.written.get(part, 0), offsets.get(part, 0)
            if latest and (offset == PENDING or offset != latest):
                moves[part] = (offset, latest, self.identity.get(part, 0))
        return Consumption(stream, moves, self.model.read(stream, parts))

    def _apply(self, transaction: Transaction) -> str | None:
        if any(self.identity.get(part, 0) != own for _, part, (_, _, own) in _moves(transaction)):
            return CONSUMED
        for staged in transaction.writes:
            if staged.schema != self.schema or any(self.identity.get(p, 0) != own for p, own in staged.parts.items()):
                return CHANGED
        for stream, part, (offset, _, _) in _moves(transaction):
            if self.model.streams[stream].offsets.get(part, 0) != offset:
                return CONSUMED
        self._do(transaction)
        return None

    def _do(self, transaction: Transaction) -> None:
        for stream, part, (_, latest, _) in _moves(transaction):
            self.model.streams[stream].offsets[part] = latest
        for read in transaction.reads:
            self.sinks.setdefault(read.stream, []).extend(read.emitted)
        if transaction.writes:
            self.model.commit([staged.statement for staged in transaction.writes])


def _moves(transaction: Transaction) -> list[tuple[str, str, tuple[int, int, int]]]:
    return [(read.stream, part, move) for read in transaction.reads for part, move in read.moves.items()]
