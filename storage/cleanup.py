"""Background work, never inside a statement: what has expired goes, large tables are sorted by key.

Each pass is a few ordinary transactions; a failed one is logged and tried again by the next pass.
Reads filter by age themselves and never depend on what is physically there.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from storage.catalog.catalog import Catalog
from storage.catalog.model import Table
from storage.config import (
    CATALOG_TRASH_EXPIRE,
    CLEANUP_INTERVAL,
    DISABLE_AUTO_COMPACTION,
    ENABLE_FEATURE_CHANGELOG,
    ENABLE_TABLE_STREAM,
    OFFSET_CLEANUP_INTERVAL,
    STREAMING_LABEL_KEEP,
)
from storage.errors import DorisError
from storage.table import key_order
from storage.table.history import next_slice
from storage.tso import expired_tso
from storage.work import Purge, Work

if TYPE_CHECKING:
    from storage.database import Database

LOG = logging.getLogger(__name__)

TICK_SECONDS = 1


def empty_trash(catalog: Catalog, before_ms: int) -> Catalog:
    """The catalog without databases, tables and partitions that were dropped before a moment (unix ms)."""
    kept = catalog
    for database in catalog.dropped.values():
        if database.dropped_at is not None and database.dropped_at < before_ms:
            kept = kept.without_database(database.id)
    for table in kept.tables.values():
        if table.dropped_at is not None and table.dropped_at < before_ms:
            kept = kept.without_table(table.id)
            continue
        parts = tuple(p for p in table.partitions if p.dropped_at is None or p.dropped_at >= before_ms)
        if len(parts) < len(table.partitions):
            kept = kept.with_table(replace(table, partitions=parts))
    return kept


def _is_fixed(table: Table) -> bool:
    """Whether the table forbids background work on its rows (Doris: disable_auto_compaction)."""
    return table.is_on("disable_auto_compaction")


class Cleaner:
    """The background thread of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._stop = threading.Event()
        self._offsets_ms = database.clock()  # when stream offsets were last looked through
        self._thread = threading.Thread(target=self._work, name="cleanup", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the thread after its current transaction."""
        self._stop.set()
        self._thread.join()

    def _work(self) -> None:
        """Run a pass whenever the interval is over; it may be changed at any time, so it is looked at each second."""
        waited = 0
        while not self._stop.wait(TICK_SECONDS):
            waited += TICK_SECONDS
            interval = self._database.config[CLEANUP_INTERVAL]
            if interval and waited >= interval:
                self.run()
                waited = 0

    def run(self) -> None:
        """One pass over everything that may have expired; what fails is noted and tried again by the next pass."""
        config, now = self._database.config, self._database.clock()
        before = now - config[CATALOG_TRASH_EXPIRE] * 1000
        self._attempt("recycle bin", lambda: self._empty_trash(before))
        self._attempt("labels", lambda: self._database.forget_labels(now - config[STREAMING_LABEL_KEEP] * 1000))
        self._attempt("stream offsets", lambda: self._forget_offsets(now))
        if not config[DISABLE_AUTO_COMPACTION]:
            self._attempt("key order", lambda: self._sort(now))
        if config[ENABLE_FEATURE_CHANGELOG] and not config[DISABLE_AUTO_COMPACTION]:
            for table in self._database.catalog.tables.values():
                self._attempt(f"changelog of {table.name}", partial(self._purge, table, now))

    def _attempt(self, what: str, job: Callable[[], object]) -> None:
        """One step; the thread outlives whatever it raises, or nothing would ever expire again."""
        try:
            job()
        except DorisError as error:
            LOG.warning("cleanup of %s: %s", what, error.message)
        except Exception:
            LOG.exception("cleanup of %s failed", what)

    def _empty_trash(self, before_ms: int) -> None:
        if empty_trash(self._database.catalog, before_ms) is not self._database.catalog:
            self._database.apply(Work(change=lambda catalog: empty_trash(catalog, before_ms)))

    def _forget_offsets(self, now_ms: int) -> None:
        """Drop the stream offsets of dropped partitions, at an interval of its own."""
        config = self._database.config
        pause = config[OFFSET_CLEANUP_INTERVAL]
        if config[ENABLE_TABLE_STREAM] and pause and now_ms - self._offsets_ms >= pause * 1000:
            self._offsets_ms = now_ms
            self._database.forget_offsets()

    def _sort(self, now_ms: int) -> None:
        """Bring the rows of large tables at rest into the order of their keys, one table a transaction."""
        with closing(self._database.reader()) as reader:
            tables = [table for table in key_order.due(reader, now_ms) if not _is_fixed(table)]
        for table in tables:
            if not self._stop.is_set():
                self._database.sort(table.id)

    def _purge(self, table: Table, now_ms: int) -> None:
        """Remove the expired change records of one table, slice by slice (Doris: Changelog, retention)."""
        if table.changelog is None or _is_fixed(table):
            return
        horizon = expired_tso(now_ms, table.changelog.ttl_seconds)
        while not self._stop.is_set():
            with closing(self._database.reader()) as reader:
                bound = next_slice(reader, table, horizon) if table.id in reader.catalog.tables else None
            if bound is None:
                return
            self._database.apply(Work(purges=(Purge(table.id, bound),)))
