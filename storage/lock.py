"""Locks of process memory: catalog (shared by statements, exclusive for DDL), tables, streams, labels.

Whoever commits takes them in one order - catalog, tables, streams, labels, each
ascending - so that no two can wait for each other; they are held from the probe to COMMIT. Readers
take none. Whoever waits is asked again and again whether it still wants to: `ask` raises to give up, and nothing
is held then. This module knows no table and no transaction.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import ExitStack, contextmanager

Ask = Callable[[], None]
ASK_SECONDS = 0.2  # how often a waiting thread is asked


def patient() -> None:
    """The answer of those that wait however long it takes."""


class SharedLock:
    """Many readers or one writer, in turns, so that neither kind starves.

    A waiting writer keeps new readers out; a writer that leaves lets in the readers that waited for it. The thread
    that writes may enter again, as either; one that reads may not.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._readers = 0
        self._writer: int | None = None  # the thread that has it
        self._waiting = 0
        self._queued = 0  # readers that wait
        self._admitted = 0  # how many of them go before the next writer

    @contextmanager
    def shared(self, ask: Ask = patient) -> Iterator[None]:
        if self.is_mine:
            yield
            return
        self._enter_shared(ask)
        try:
            yield
        finally:
            with self._changed:
                self._readers -= 1
                self._changed.notify_all()

    @contextmanager
    def exclusive(self, ask: Ask = patient) -> Iterator[None]:
        if self.is_mine:
            yield
            return
        self._enter_exclusive(ask)
        try:
            yield
        finally:
            with self._changed:
                self._writer = None
                self._admitted = self._queued
                self._changed.notify_all()

    def _enter_shared(self, ask: Ask) -> None:
        with self._changed:
            self._queued += 1
            try:
                self._until(lambda: self._writer is None and (self._admitted > 0 or not self._waiting), ask)
                self._readers += 1
                self._admitted = max(self._admitted - 1, 0)
            finally:
                self._queued -= 1
                if self._admitted > self._queued:  # one gave up: the writer may go
                    self._admitted = self._queued
                    self._changed.notify_all()

    def _enter_exclusive(self, ask: Ask) -> None:
        with self._changed:
            self._waiting += 1
            try:
                self._until(lambda: self._writer is None and not self._readers and not self._admitted, ask)
                self._writer = threading.get_ident()
            finally:
                self._waiting -= 1
                self._changed.notify_all()

    def _until(self, is_free: Callable[[], bool], ask: Ask) -> None:
        while not self._changed.wait_for(is_free, ASK_SECONDS):
            ask()

    @property
    def held(self) -> bool:
        with self._changed:
            return self._writer is not None or self._readers > 0

    @property
    def is_mine(self) -> bool:
        """Whether this thread is the one that writes."""
        return self._writer == threading.get_ident()


class NamedLocks:
    """One mutex per name, made on demand and forgotten when nobody holds or awaits it."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._locks: dict[Hashable, tuple[threading.Lock, int]] = {}

    @contextmanager
    def hold(self, name: Hashable, ask: Ask = patient) -> Iterator[None]:
        with self._guard:
            lock, users = self._locks.get(name, (threading.Lock(), 0))
            self._locks[name] = lock, users + 1
        try:
            with _acquired(lock, ask):
                yield
        finally:
            with self._guard:
                lock, users = self._locks.pop(name)
                if users > 1:
                    self._locks[name] = lock, users - 1

    @property
    def held(self) -> list[Hashable]:
        with self._guard:
            return [name for name, (lock, _) in self._locks.items() if lock.locked()]


@contextmanager
def _acquired(lock: threading.Lock, ask: Ask) -> Iterator[None]:
    while not lock.acquire(timeout=ASK_SECONDS):
        ask()
    try:
        yield
    finally:
        lock.release()


class Locks:
    """The four families of one database."""

    def __init__(self) -> None:
        self.catalog = SharedLock()
        self._tables = NamedLocks()
        self._streams = NamedLocks()
        self._labels = NamedLocks()

    @contextmanager
    def writing(
        self, tables: Iterable[int], streams: Iterable[int], labels: Iterable[tuple[int, str]], ask: Ask = patient
    ) -> Iterator[None]:
        """Hold these table, stream and label locks; the catalog lock must be held already."""
        with ExitStack() as stack:
            for family, names in ((self._tables, tables), (self._streams, streams)):
                for name in sorted(set(names)):
                    stack.enter_context(family.hold(name, ask))
            for label in sorted(set(labels)):
                stack.enter_context(self._labels.hold(label, ask))
            yield

    def held(self) -> list[str]:
        """Every lock somebody holds, in words; empty when the database is at rest (asserted by tests)."""
        found = ["catalog"] if self.catalog.held else []
        for family, locks in (("table", self._tables), ("stream", self._streams), ("label", self._labels)):
            found += [f"{family} {name}" for name in locks.held]
        return found
