"""The numbers of AUTO_INCREMENT columns: unique and increasing, also over restarts and crashes.

One counter a column, with a lease as for ids (storage/tso.py). Numbers of rows that are never written are lost,
as in Doris; numbers that a client writes itself are not looked at.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping

from storage.catalog.model import Column, Table
from storage.tso import Counter, Persist

BLOCK = 10_000  # numbers that a crash may skip


class Numbering:
    """All counters of one database, made when they are first asked for."""

    def __init__(self, leases: Mapping[str, int], persist: Persist) -> None:
        """`leases`: the persisted ends by name."""
        self._leases = dict(leases)
        self._persist = persist
        self._counters: dict[str, Counter] = {}
        self._lock = threading.Lock()

    def take(self, table: Table, column: Column, count: int) -> range:
        """The next `count` numbers of a column."""
        name = f"{prefix(table)}{column.uid}"
        with self._lock:
            counter = self._counters.get(name)
            if counter is None:
                first = 1 if column.auto_increment is None else column.auto_increment
                start = self._leases.get(name, first)
                counter = self._counters[name] = Counter(name, start, BLOCK, self._persist)
        return counter.take(count)

    def give_back(self) -> None:
        """Persist what comes next, so that an orderly stop skips no number."""
        for name, counter in list(self._counters.items()):
            self._persist(name, counter.next)


def prefix(table: Table) -> str:
    """What the names of a table's leases start with."""
    return f"auto_{table.id}_"
