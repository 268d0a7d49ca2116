"""Commit timestamps (TSO) and the leases that keep every handed-out number from coming back.

A TSO is ``unix_ms << 18 | counter`` (apache/doris: TSOTimestamp), strictly increasing over all
tables, also across restarts, crashes and a clock that steps back. This is the only module that
reads the clock; it may not know what the numbers are used for.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

LOGICAL_BITS = 18
LEASE_MS = 2_000  # how far ahead of the clock the persisted lease runs

Clock = Callable[[], int]
Persist = Callable[[str, int], None]  # durable when it returns: no number of this name below the limit comes back


def unix_ms() -> int:
    """The wall clock in milliseconds."""
    return time.time_ns() // 1_000_000


def to_tso(milliseconds: int) -> int:
    """The first TSO of a millisecond."""
    return milliseconds << LOGICAL_BITS


def to_ms(tso: int) -> int:
    """The physical part of a TSO: Unix milliseconds."""
    return tso >> LOGICAL_BITS


def expired_tso(now_ms: int, ttl_seconds: int) -> int:
    """The newest TSO that is expired: physical(tso) <= now - ttl (Doris: Changelog); the TTL may be any BIGINT."""
    edge = now_ms - ttl_seconds * 1000
    return to_tso(edge + 1) - 1 if edge > 0 else 0


class Timestamps:
    """Hands out commit TSOs and knows which of them are still in flight."""

    def __init__(self, last: int, clock: Clock, persist: Persist) -> None:
        """`last` = no TSO at or below it is given again."""
        self._last = last
        self._limit = 0
        self._clock = clock
        self._persist = persist
        self._changed = threading.Condition()
        self._inflight: set[int] = set()

    def reference(self) -> int:
        """Now as a TSO: not below any TSO handed out, and below all later ones; allocates nothing."""
        with self._changed:
            self._last = max(self._last, to_tso(self._clock()))
            return self._last

    def allocate(self, count: int = 1) -> range:
        """The TSOs of as many commits; call `finish` with them once the commits are visible or given up."""
        with self._changed:
            first = max(self._last + 1, to_tso(self._clock()))
            self._last = first + count - 1
            if self._last >= self._limit:
                self._extend(self._last)
            tsos = range(first, first + count)
            self._inflight.update(tsos)
            return tsos

    def _extend(self, tso: int) -> None:
        limit = tso + to_tso(LEASE_MS)
        self._persist("tso", limit)
        self._limit = limit

    def finish(self, tsos: range) -> None:
        """Let go what `allocate` gave."""
        with self._changed:
            self._inflight.difference_update(tsos)
            self._changed.notify_all()

    def settle(self, bound: int, timeout_seconds: float) -> bool:
        """Wait for the commits in flight at or below `bound`; False when they are not done in time.

        Reads with an explicit upper time call this first, else a commit below the bound might show
        up after the read.
        """
        with self._changed:
            pending = {tso for tso in self._inflight if tso <= bound}
            return self._changed.wait_for(lambda: not pending & self._inflight, timeout_seconds)

    @property
    def inflight(self) -> frozenset[int]:
        with self._changed:
            return frozenset(self._inflight)


class Counter:
    """Ids that are never reused: numbers from blocks whose end is persisted before the first is given."""

    def __init__(self, name: str, start: int, block: int, persist: Persist) -> None:
        self._name = name
        self._next = start
        self._limit = start
        self._block = block
        self._persist = persist
        self._lock = threading.Lock()

    def take(self, count: int) -> range:
        """`count` consecutive numbers."""
        with self._lock:
            if self._next + count > self._limit:
                limit = self._next + count + self._block
                self._persist(self._name, limit)
                self._limit = limit
            taken = range(self._next, self._next + count)
            self._next += count
            return taken

    @property
    def next(self) -> int:
        """The next number, for an orderly stop that wastes none."""
        return self._next
