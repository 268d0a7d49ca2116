"""Commit timestamps grow for ever, whatever the clock does, and numbers are never given twice."""

from __future__ import annotations

import threading

from storage.tso import LEASE_MS, Counter, Timestamps, to_ms, to_tso
from tests.unit.storage.shop import ManualClock


class Leases:
    """Remembers what was persisted."""

    def __init__(self) -> None:
        self.upto: dict[str, int] = {}
        self.writes = 0

    def __call__(self, name: str, upto: int) -> None:
        self.upto[name] = upto
        self.writes += 1


def test_a_tso_holds_the_milliseconds_and_counts_inside_them() -> None:
    clock, leases = ManualClock(), Leases()
    timestamps = Timestamps(0, clock, leases)
    (first,), (second,) = timestamps.allocate(), timestamps.allocate()
    assert to_ms(first) == to_ms(second) == clock.now
    assert (first, second) == (to_tso(clock.now), to_tso(clock.now) + 1)


def test_a_clock_that_steps_back_is_ridden_out() -> None:
    clock = ManualClock()
    timestamps = Timestamps(0, clock, Leases())
    (first,) = timestamps.allocate()
    clock.now -= 3_600_000
    assert timestamps.allocate(2) == range(first + 1, first + 3)
    assert timestamps.reference() == first + 2


def test_the_lease_is_written_ahead_and_rarely() -> None:
    clock, leases = ManualClock(), Leases()
    timestamps = Timestamps(0, clock, leases)
    for _ in range(1000):
        assert timestamps.allocate()[0] < leases.upto["tso"]
    assert leases.writes == 1
    clock.now += LEASE_MS + 1
    assert timestamps.allocate()[0] < leases.upto["tso"]
    assert leases.writes == 2


def test_the_reference_is_not_below_commits_and_later_commits_are_above_it() -> None:
    clock = ManualClock()
    timestamps = Timestamps(0, clock, Leases())
    (tso,) = timestamps.allocate()
    clock.now += 5
    reference = timestamps.reference()
    assert tso <= reference < timestamps.allocate()[0]


def test_settle_waits_for_commits_in_flight_below_the_bound() -> None:
    timestamps = Timestamps(0, ManualClock(), Leases())
    (tso,) = timestamps.allocate()
    assert timestamps.settle(tso - 1, 0)
    assert not timestamps.settle(tso, 0)
    later = threading.Timer(0.05, timestamps.finish, [range(tso, tso + 1)])
    later.start()
    assert timestamps.settle(tso, 10)
    later.join()
    assert not timestamps.inflight


def test_counters_give_each_number_once_from_blocks_persisted_before() -> None:
    leases = Leases()
    counter = Counter("id", 10, 100, leases)
    assert counter.take(3) == range(10, 13)
    assert leases.upto["id"] == 113
    assert counter.take(100) == range(13, 113)
    assert leases.writes == 1
    assert counter.take(1) == range(113, 114)
    assert leases.upto["id"] > 113
