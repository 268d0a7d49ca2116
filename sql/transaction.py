"""The staged statements of an explicit transaction (BEGIN … COMMIT).

Nothing is written and no lock is held before COMMIT, which applies all stages under one TSO
(storage/commit.py); reads inside see the last committed state (Doris: explicit transactions).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sql.notice import Written
from storage.catalog.catalog import Catalog
from storage.errors import READ_ONLY_TRANSACTION
from storage.offset import consumed
from storage.work import Change, Label, Move, Work, Write


@dataclass(slots=True)
class Transaction:
    """Stages in statement order; `label` names the whole transaction in every OK packet."""

    label: str
    stored_label: Label | None = None
    read_only: bool = False
    writes: list[Write] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    written: list[Written] = field(default_factory=list)  # told of at COMMIT

    def stage(self, writes: Iterable[Write], moves: Iterable[Move], change: Change | None = None) -> None:
        """Add a statement; consuming one partition of a stream twice fails as a conflict, at once.

        `change` makes the partitions that its rows lack (sql/ingest/auto_partition.py).
        """
        if self.read_only:
            raise READ_ONLY_TRANSACTION()
        moves = list(moves)
        staged = {(move.stream_id, move.part_id): move for move in self.moves}
        for move in moves:
            earlier = staged.get((move.stream_id, move.part_id))
            if earlier is not None:
                raise consumed(move, earlier.to)
        self.writes.extend(writes)
        self.moves.extend(moves)
        self.changes += [] if change is None else [change]

    def work(self) -> Work:
        change = self._change if self.changes else None
        return Work(writes=tuple(self.writes), moves=tuple(self.moves), change=change, label=self.stored_label)

    def _change(self, catalog: Catalog) -> Catalog:
        for change in self.changes:
            catalog = change(catalog)
        return catalog
