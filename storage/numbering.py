"""The numbers of AUTO_INCREMENT columns: unique and increasing, also over restarts and crashes.

One counter a column, with a lease as for ids (storage/tso.py). Numbers of rows that are never written are lost,
as in Doris; numbers that a client writes itself are not looked at.
"""

from __future__ import annotations

import threading
from collections.abc import Container, Mapping

from storage.catalog.model import Column, Table
from storage.tso import Counter, Persist

BLOCK = 10_000  # numbers that a crash may skip


class Numbering:
    """All counters of one database, made when they are first asked for."""

    def __init__(self, leases: Mapping[str, int], persist: Persist) -> None:
        """`leases`: the persisted ends by name."""
        self._leases = dict(leases)
        self._persist = persist
        self._counters: dict[tuple[int, str], Counter] = {}  # by table id and name
        self._lock = threading.Lock()

    def take(self, table: Table, column: Column, count: int) -> range:
        """The next `count` numbers of a column."""
        name = f"{prefix(table)}{column.uid}"
        with self._lock:
            counter = self._counters.get((table.id, name))
            if counter is None:
                first = 1 if column.auto_increment is None else column.auto_increment
                start = self._leases.get(name, first)
                counter = self._counters[table.id, name] = Counter(name, start, BLOCK, self._persist)
        return counter.take(count)

    def give_back(self, tables: Container[int]) -> None:
        """Persist what comes next, so that an orderly stop skips no number; `tables` are those that are still there."""
        for (table_id, name), counter in list(self._counters.items()):
            if table_id in tables:
                self._persist(name, counter.next)


def prefix(table: Table) -> str:
    """What the names of a table's leases start with."""
    return f"auto_{table.id}_"
