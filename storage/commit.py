"""The one write entry: `Coordinator.apply` turns a `Work` into one DuckDB transaction, or into nothing.

The trip of a commit, in the order of the code; each step has a name (storage/step.py) at which a
crash test may end the process:

1. Batches are numbered and merged per key (storage/table/batch.py).
2. Locks: catalog (shared, exclusive with a change), then tables, then streams, then labels, ascending; who is
   stopped while it waits for one leaves.
3. The change is computed; what the writes were planned on is compared with the newest catalog.
4. The TSO is allocated. Lock order = TSO order = commit order of a table, so no
   reader of its partitions ever sees a gap.
5. storage/transaction.py: BEGIN, offsets, label, change, writes (storage/table/write.py), COMMIT. The mark, the new
   rows of `part_version`, goes with the first write or before it (storage/table/opening.py).
6. The new catalog is published; TSO and locks are let go.

Any error rolls everything back. Small writes of one table that wait at the same time take the same trip as a
group (storage/together.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import replace

from storage import offset
from storage.catalog.catalog import Catalog
from storage.catalog.model import Table
from storage.catalog.published import Published
from storage.cursor import Cursor
from storage.duck import Duck
from storage.errors import TABLE_CHANGED, UNKNOWN_TABLE_ID
from storage.lock import Ask, Locks
from storage.step import Step
from storage.table.batch import Prepared, prepare
from storage.table.key_bound import KeyBounds
from storage.transaction import Planned, Transaction
from storage.tso import Clock, Counter, Timestamps
from storage.work import Batch, Commit, Watch, Work, Write, ask_of


class Coordinator:
    """Orders the steps of every commit; one per open database."""

    def __init__(
        self, duck: Duck, published: Published, locks: Locks, timestamps: Timestamps, transactions: Counter,
        versions: dict[int, int], clock: Clock, step: Step,
    ) -> None:  # fmt: skip
        """`versions`: partition id to visible version, a mirror of part_version that is kept here."""
        self.duck = duck
        self.published = published
        self.locks = locks
        self.timestamps = timestamps
        self.transactions = transactions
        self.versions = versions
        self.clock = clock
        self.step = step
        self.bounds = KeyBounds()

    def apply(self, work: Work, watch: Watch | None = None) -> Commit:
        """Do all of `work` or nothing of it; the module tells the order, storage/work.py the values."""
        with closing(self.duck.cursor()) as cursor:
            if watch is not None:
                watch.running(cursor)
            early = _prepared(work, self.published.newest)
            ask = ask_of(watch)
            with self._catalog_lock(work, ask), self._write_locks(work, ask):
                self.step("locked")
                old = self.published.newest
                new = old if work.change is None else work.change(old)
                if new is not old:
                    new = replace(new, version=old.version + 1)
                offset.check(new, work.moves)
                planned = [_plan(new, place, write, early) for place, write in enumerate(work.writes)]
                return self.commit(cursor, work, old, new, planned, watch)

    def commit(
        self, cursor: Cursor, work: Work, old: Catalog, new: Catalog, planned: list[Planned], watch: Watch | None
    ) -> Commit:
        """The rest of the trip, from the TSO on, with every lock held."""
        number = self.transactions.take(1)[0]
        with self.stamps(1) as (tso,):
            self.step("tso")
            transaction = Transaction(cursor, tso, number, self.versions, self.bounds, self.clock(), self.step)
            affected = transaction.run(work, old, new, planned, watch)
            self.versions.update(transaction.new_versions)
            if new is not old:
                self.published.publish(new)
            self.step("published")
        return Commit(tso, number, affected)

    def _catalog_lock(self, work: Work, ask: Ask) -> AbstractContextManager[None]:
        return self.locks.catalog.shared(ask) if work.change is None else self.locks.catalog.exclusive(ask)

    def _write_locks(self, work: Work, ask: Ask) -> AbstractContextManager[None]:
        labels = [(work.label.database_id, work.label.name)] if work.label else []
        tables = [write.table_id for write in work.writes]
        tables += [purge.table_id for purge in work.purges] + [sort.table_id for sort in work.sorts]
        return self.locks.writing(tables, (move.stream_id for move in work.moves), labels, ask)

    @contextmanager
    def stamps(self, count: int) -> Iterator[range]:
        """TSOs of commits that begin now, in flight until the end of the block."""
        tsos = self.timestamps.allocate(count)
        try:
            yield tsos
        finally:
            self.timestamps.finish(tsos)


def _prepared(work: Work, catalog: Catalog) -> dict[int, Prepared]:
    """Prepare the batches whose table is known already, by place in the work.

    Beside a change nothing is known before it has run: it may make the table, or its partitions.
    """
    early: dict[int, Prepared] = {}
    if work.change is not None:
        return early
    for place, write in enumerate(work.writes):
        table = catalog.live_table(write.table_id)
        if table is not None and isinstance(write.source, Batch):
            early[place] = prepare(table, write.source.rows, write.source.partial)
    return early


def _plan(catalog: Catalog, place: int, write: Write, early: dict[int, Prepared]) -> Planned:
    """Bind a write to the newest state of its table; a table that this work creates is prepared only here."""
    table = bound_table(catalog, write)
    if not isinstance(write.source, Batch):
        return Planned(table, write.source)
    if place in early:
        return Planned(table, on_newest(table, early[place]))
    batch = write.source
    prepared = prepare(table, batch.rows if batch.route is None else batch.route(table), batch.partial)
    return Planned(table, prepared)


def bound_table(catalog: Catalog, write: Write) -> Table:
    """The table of a write as it is now; it must still have the columns that the write was planned on."""
    for read in write.reads:
        if catalog.live_table(read.id) != read:
            raise TABLE_CHANGED(table=read.name)
    table = catalog.live_table(write.table_id)
    if table is None:
        raise UNKNOWN_TABLE_ID(id=write.table_id)
    if table.schema_version != write.schema_version:
        raise TABLE_CHANGED(table=table.name)
    return table


def on_newest(table: Table, prepared: Prepared) -> Prepared:
    """A batch that was prepared before the locks, with the table as it is now."""
    if prepared.table is table:
        return prepared
    prepared = replace(prepared, table=table)
    prepared.check_partitions()
    return prepared
