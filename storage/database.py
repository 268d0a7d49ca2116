"""One open Dorisette database: the facade of storage that sql/ works with.

Opening recovers: DuckDB replays its log, the catalog and the partition versions are read, and TSO
and ids go on above everything that was ever handed out. One process owns a data directory.
"""

from __future__ import annotations

import logging
from contextlib import AbstractContextManager
from pathlib import Path

from storage import offset
from storage.catalog import schema, store
from storage.catalog.catalog import Catalog
from storage.catalog.published import Published
from storage.cleanup import Cleaner
from storage.commit import Coordinator
from storage.config import Config
from storage.cursor import Cursor
from storage.duck import Duck
from storage.errors import DorisError
from storage.lock import Locks
from storage.numbering import Numbering
from storage.reader import Reader
from storage.small import is_small
from storage.step import Step, from_environment
from storage.table import key_order
from storage.together import Together
from storage.tso import Clock, Counter, Timestamps, unix_ms
from storage.work import Commit, Watch, Work, ask_of

LOG = logging.getLogger(__name__)

FIRST_ID = 10_001  # of databases, tables, partitions, streams (Doris starts there as well)
ID_BLOCK = 100
TRANSACTION_BLOCK = 1_000


class Database:
    """Readers, the one write entry, ids and the clock of one data directory."""

    def __init__(self, directory: Path, config: Config, clock: Clock = unix_ms, step: Step | None = None) -> None:
        """Open or create `directory`; DATA_DIRECTORY_LOCKED when another process has it."""
        self.config = config
        self.clock = clock
        self.locks = Locks()
        self._duck = Duck(directory, self._reload)
        try:
            self._recover(step or from_environment())
        except BaseException:
            self._duck.close()
            raise
        self._cleaner = Cleaner(self)
        self._cleaner.start()

    def _recover(self, step: Step) -> None:
        with self._duck.transaction() as cursor:
            schema.install(cursor)
            key_order.drop_copies(cursor)
            self._published = Published(store.load(cursor))
            self._versions = _versions(cursor)
            leases = {str(name): int(str(upto)) for name, upto in cursor.rows(f"SELECT * FROM {schema.LEASE.name}")}
            last = max(leases.get("tso", 0), _last_commit(cursor))
        self.timestamps = Timestamps(last, self.clock, self._persist)
        self._ids = Counter("id", leases.get("id", FIRST_ID), ID_BLOCK, self._persist)
        self.numbering = Numbering(leases, self._persist)
        self._transactions = Counter("transaction", leases.get("transaction", 1), TRANSACTION_BLOCK, self._persist)
        self._coordinator = Coordinator(
            self._duck, self._published, self.locks, self.timestamps, self._transactions, self._versions,
            self.clock, step,
        )  # fmt: skip
        self.together = Together(self._coordinator)

    def _reload(self) -> None:
        """After a fatal error of DuckDB: what is in memory is read again from the file."""
        with self._duck.transaction() as cursor:
            self._published.publish(store.load(cursor))
            self._versions.update(_versions(cursor))

    def _persist(self, name: str, upto: int) -> None:
        with self._duck.transaction() as cursor:
            cursor.execute(f"DELETE FROM {schema.LEASE.name} WHERE name = ?", (name,))
            cursor.execute(f"INSERT INTO {schema.LEASE.name} VALUES (?, ?)", (name, upto))

    @property
    def catalog(self) -> Catalog:
        """The newest committed catalog."""
        return self._published.newest

    def reserve_ids(self, count: int) -> range:
        """Ids for new databases, tables, partitions and streams; never given again, not after a crash either."""
        return self._ids.take(count)

    def reserve_transaction(self) -> int:
        """The id of a transaction that fails before it is applied; no other gets it."""
        return self._transactions.take(1)[0]

    def reference_tso(self) -> int:
        """Now as a TSO: not below any committed one; allocates nothing."""
        return self.timestamps.reference()

    def reader(self) -> Reader:
        """A new read transaction; the caller closes it."""
        return Reader(self._duck.cursor(), self._published)

    def apply(self, work: Work, watch: Watch | None = None) -> Commit:
        """Do all of `work` in one transaction, or nothing; `watch` may stop it until it is irrevocable."""
        if is_small(work) and not self.locks.catalog.is_mine:  # who leads a group would wait for this thread
            return self.together.apply(work, watch)
        return self._coordinator.apply(work, watch)

    def alone(self, watch: Watch | None = None) -> AbstractContextManager[None]:
        """Until the end of the block no other thread writes or defines anything; this one may, and all may read."""
        return self.locks.catalog.exclusive(ask_of(watch))

    def forget_labels(self, before_ms: int) -> None:
        """Let load labels of before that moment be used again."""
        with self._duck.transaction() as cursor:
            if cursor.rows(f"SELECT 1 FROM {schema.LABEL.name} WHERE committed_ms < ? LIMIT 1", (before_ms,)):
                cursor.execute(f"DELETE FROM {schema.LABEL.name} WHERE committed_ms < ?", (before_ms,))

    def forget_offsets(self) -> int:
        """Drop the stream offsets of partitions that are gone, seeing the partitions as no DDL changes them."""
        with self.locks.catalog.shared(), self._duck.transaction() as cursor:
            return offset.forget_dropped(cursor)

    def sort(self, table_id: int) -> None:
        """Bring a table into the order of its keys, unless somebody writes it meanwhile."""
        with self._duck.transaction() as cursor:
            copy = key_order.copied(cursor, self._published.seen_by(cursor), table_id)
        self.apply(Work(sorts=(copy,)))

    def clean_up(self) -> None:
        """Remove now what the background would remove with its next pass."""
        self._cleaner.run()

    def checkpoint(self) -> None:
        """Move the write-ahead log into the database file."""
        self._duck.checkpoint()

    def close(self) -> None:
        """Finish: stop the cleaner, give unused numbers back, end open readers, checkpoint, release the directory."""
        self._cleaner.stop()
        try:
            self._persist("tso", self.timestamps.reference())
            self._persist("id", self._ids.next)
            self._persist("transaction", self._transactions.next)
            self.numbering.give_back(self.catalog.tables)
        except DorisError as error:
            LOG.warning("the next start skips some numbers: %s", error.message)
        finally:
            self._duck.close()


def _versions(cursor: Cursor) -> dict[int, int]:
    rows = cursor.rows(f"SELECT part_id, version FROM {schema.PART_VERSION.name}")
    return {part: version for part, version in rows}  # type: ignore[misc]


def _last_commit(cursor: Cursor) -> int:
    """The highest TSO that a committed row can carry: every commit writes one of these tables."""
    found = cursor.rows(
        f"SELECT greatest((SELECT max(tso) FROM {schema.CATALOG.name}),"
        f" (SELECT max(tso) FROM {schema.TABLE_VERSION.name}), (SELECT max(tso) FROM {schema.PART_VERSION.name}))"
    )[0][0]
    assert isinstance(found, int)
    return found
