"""Locks: shared and exclusive with writer preference, ascending order, nothing left behind."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from storage.lock import Locks, NamedLocks, SharedLock
from tests.waiting import wait


def test_readers_share_and_a_waiting_writer_goes_first() -> None:
    lock = SharedLock()
    order: list[str] = []
    inside, waiting = threading.Event(), threading.Event()

    def writer() -> None:
        waiting.set()
        with lock.exclusive():
            order.append("writer")

    def late_reader() -> None:
        with lock.shared():
            order.append("late reader")

    with ThreadPoolExecutor(2) as pool:
        with lock.shared(), lock.shared():
            inside.set()
            futures = [pool.submit(writer)]
            assert waiting.wait(10)
            wait(lambda: lock._waiting)
            futures.append(pool.submit(late_reader))
        for future in futures:
            future.result(10)
    assert order == ["writer", "late reader"]
    assert not lock.held


def test_named_locks_exclude_by_name_and_are_forgotten() -> None:
    locks = NamedLocks()
    inside = 0
    most = 0

    def enter() -> None:
        nonlocal inside, most
        for _ in range(200):
            with locks.hold("a"):
                inside += 1
                most = max(most, inside)
                inside -= 1

    with ThreadPoolExecutor(4) as pool:
        for future in [pool.submit(enter) for _ in range(4)]:
            future.result()
    assert most == 1
    assert locks.held == []
    assert not locks._locks


def test_an_error_inside_releases_everything() -> None:
    locks = Locks()
    with pytest.raises(RuntimeError), locks.catalog.shared(), locks.writing([3, 1, 3], [7], [(1, "l")]):
        assert locks.held() == ["catalog", "table 1", "table 3", "stream 7", "label (1, 'l')"]
        raise RuntimeError
    assert locks.held() == []


def test_opposite_wishes_do_not_block_each_other() -> None:
    locks = Locks()

    def work(tables: list[int]) -> None:
        for _ in range(300):
            with locks.catalog.shared(), locks.writing(tables, [], []):
                pass

    with ThreadPoolExecutor(2) as pool:
        for future in [pool.submit(work, [1, 2]), pool.submit(work, [2, 1])]:
            future.result(20)
    assert locks.held() == []
