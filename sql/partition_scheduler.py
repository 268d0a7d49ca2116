"""The scheduler of partitions: adds and drops what dynamic_partition.* and partition.retention_count ask for.

A thread of its own, started by the server; each pass looks at every table and commits one change a table that
needs one. Dropped partitions wait in the recycle bin, as if a user had dropped them. The clock is the
database's. What a table should have is decided in sql/ddl. Source: Doris
documentation, "Dynamic partitioning", "Auto partitioning" (lifecycle management).
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace

from sql.ddl.dynamic_partition import is_dynamic, rule_of
from sql.ddl.dynamic_schedule import created, outlived
from sql.ddl.partition import Stamp, partition_columns
from sql.ddl.range_partition import span
from sql.ddl.set_property import RETENTION
from storage.catalog.catalog import Catalog
from storage.catalog.model import Partition, Table
from storage.config import DYNAMIC_PARTITION_ENABLE, DYNAMIC_PARTITION_INTERVAL
from storage.database import Database
from storage.errors import DorisError
from storage.work import Work
from storage.zone import local_time, system_zone, zone_info

LOG = logging.getLogger(__name__)

_TICK = 1.0  # seconds between two looks at a pause that ADMIN SET may have shortened


@dataclass(frozen=True, slots=True)
class Run:
    """What the last pass did to a table: when (unix ms), and what went wrong."""

    at_ms: int
    error: str | None = None


class PartitionScheduler:
    """The background thread of one database; `run` is one pass, for tests without the thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="partitions", daemon=True)
        self.runs: dict[int, Run] = {}  # by table id

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End the thread after its current change."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _work(self) -> None:
        waited = 0.0
        while not self._stop.wait(_TICK):
            waited += _TICK
            if waited >= self._database.config[DYNAMIC_PARTITION_INTERVAL]:
                waited = 0.0
                if self._database.config[DYNAMIC_PARTITION_ENABLE]:
                    self.run()

    def run(self) -> None:
        """One pass over all tables; a table that fails is noted and tried again by the next one."""
        now_ms = self._database.clock()
        for table in list(self._database.catalog.tables.values()):
            if table.dropped_at is None and (is_dynamic(table) or table.property(RETENTION)):
                self._attempt(table, now_ms)

    def _attempt(self, table: Table, now_ms: int) -> None:
        try:
            self._keep_up(table.id, now_ms)
            self.runs[table.id] = Run(now_ms)
        except DorisError as failure:
            LOG.warning("dynamic partitions of table %s (%s): %s", table.name, table.id, failure.message)
            self.runs[table.id] = Run(now_ms, failure.message)
        except Exception:  # a table that cannot be kept up must not end the thread for all others
            LOG.exception("dynamic partitions of table %s (%s)", table.name, table.id)
            self.runs[table.id] = Run(now_ms, "internal error, see fe.log")

    def _keep_up(self, table_id: int, now_ms: int) -> None:
        """Commit what the table lacks or has outlived; nothing at all when there is nothing to do."""
        stamp = Stamp(lambda: self._database.reserve_ids(1)[0], self._database.reference_tso())

        def change(catalog: Catalog) -> Catalog:
            table = catalog.live_table(table_id)
            return catalog if table is None else catalog.with_table(maintained(table, now_ms, stamp))

        known = self._database.catalog.live_table(table_id)
        if known is not None and maintained(known, now_ms, Stamp(lambda: 0, stamp.tso)) is not known:
            self._database.apply(Work(change=change))


def maintained(table: Table, now_ms: int, stamp: Stamp) -> Table:
    """The table as its rules want it now; the same object when they want nothing."""
    rule = rule_of(table)
    new: list[Partition] = []
    old: list[Partition] = []
    if rule is not None and rule.enable:
        now = rule.now(now_ms)
        old += outlived(table, rule, now)
        new += created(_without(table, old, now_ms), rule, now, stamp)
    old += _beyond_retention(table, now_ms)
    if not new and not old:
        return table
    kept = _without(table, old, now_ms)
    return replace(kept, partitions=(*kept.partitions, *new))


def _without(table: Table, gone: Iterable[Partition], now_ms: int) -> Table:
    """The table with some partitions in the recycle bin."""
    ids = {part.id for part in gone}
    parts = (replace(part, dropped_at=now_ms) if part.id in ids else part for part in table.partitions)
    return replace(table, partitions=tuple(parts)) if ids else table


def _beyond_retention(table: Table, now_ms: int) -> list[Partition]:
    """Of the partitions that end before now, all but the newest `partition.retention_count`."""
    count = table.property(RETENTION)
    if count is None:
        return []
    columns = partition_columns(table)
    moment = local_time(now_ms, zone_info(system_zone())).isoformat(sep=" ", timespec="seconds")
    past = [part for part in table.visible_partitions if _ends_before(part, moment)]
    ordered = sorted(past, key=lambda part: span(part, columns))
    return ordered[: -int(count)]


def _ends_before(part: Partition, moment: str) -> bool:
    """Bounds of dates and of datetimes compare as text with the moment, as far as they reach."""
    high = part.hi.values[0] if part.hi is not None else None
    return high is not None and high <= moment[: len(high)]
