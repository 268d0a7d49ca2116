"""Locks: shared and exclusive in turns, ascending order, nothing left behind."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager

import pytest

from storage.lock import Ask, Locks, NamedLocks, SharedLock
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


def test_a_leaving_writer_lets_the_readers_in_before_the_next_writer() -> None:
    lock = SharedLock()
    order: list[str] = []

    def writer() -> None:
        with lock.exclusive():
            order.append("writer")

    def reader() -> None:
        with lock.shared():
            order.append("reader")

    with ThreadPoolExecutor(3) as pool:
        with lock.exclusive():
            futures = [pool.submit(reader), pool.submit(reader)]
            wait(lambda: lock._queued == 2)
            futures.append(pool.submit(writer))
            wait(lambda: lock._waiting)
            with pytest.raises(_GivenUpError):
                _in_a_thread(lock.shared(_give_up))
        for future in futures:
            future.result(10)
    assert order == ["reader", "reader", "writer"]
    assert not lock.held


def test_the_writer_may_enter_again() -> None:
    lock = SharedLock()
    with lock.exclusive():
        with lock.shared(_give_up), lock.exclusive(_give_up):
            assert lock.is_mine
        with pytest.raises(_GivenUpError):
            _in_a_thread(lock.exclusive(_give_up))
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


class _GivenUpError(Exception):
    """The answer of one that is asked and does not want to wait any more."""


def _give_up() -> None:
    raise _GivenUpError


def _in_a_thread(entry: AbstractContextManager[None]) -> None:
    def enter() -> None:
        with entry:
            pass

    with ThreadPoolExecutor(1) as pool:
        pool.submit(enter).result(10)


@pytest.mark.parametrize(
    "enter",
    [
        lambda locks, ask: locks.writing([1, 2], [], [], ask),
        lambda locks, ask: locks.writing([1], [7], [], ask),
        lambda locks, ask: locks.writing([], [], [(1, "l")], ask),
        lambda locks, ask: locks.catalog.exclusive(ask),
    ],
)
def test_who_gives_up_waiting_holds_nothing(enter: Callable[[Locks, Ask], AbstractContextManager[None]]) -> None:
    locks = Locks()
    with locks.catalog.shared(), locks.writing([2], [7], [(1, "l")]):
        held = locks.held()
        with pytest.raises(_GivenUpError), enter(locks, _give_up):
            pytest.fail("it got in")
        assert locks.held() == held
        with locks.catalog.shared(_give_up), locks.writing([1], [], [], _give_up):
            """Nobody is in the way, so nobody is asked."""
    assert locks.held() == []


def test_a_reader_gives_up_on_a_writer() -> None:
    lock = SharedLock()
    with lock.exclusive(), pytest.raises(_GivenUpError):
        _in_a_thread(lock.shared(_give_up))
    assert not lock.held
