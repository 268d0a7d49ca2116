"""Funnels and sequences against a plain search of every chain, and in large groups."""

from __future__ import annotations

import itertools
import random
from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pytest

from storage.state import behaviour

_START = datetime(2024, 1, 1, tzinfo=UTC).replace(tzinfo=None)
_EVENTS = pa.list_(pa.struct([("t", pa.timestamp("us")), ("e", pa.int64())]))

Rows = list[tuple[int, int]]


def column(rows: Rows) -> pa.Array:
    return pa.array([[{"t": _START + timedelta(seconds=second), "e": held} for second, held in rows]], _EVENTS)


def funnel(rows: Rows, window: int, mode: str) -> int | None:
    found: list[int | None] = behaviour.window_funnel(column(rows), pa.array([window]), pa.array([mode])).to_pylist()
    return found[0]


def longest(rows: Rows, window: int, rising: bool, conditions: int) -> int:
    """Every choice of rows in order is tried."""
    best = 0
    for length in range(1, conditions + 1):
        for chain in itertools.combinations(rows, length):
            in_order = all(held >> place & 1 for place, (_, held) in enumerate(chain))
            in_time = chain[-1][0] - chain[0][0] <= window
            rises = not rising or all(one[0] < other[0] for one, other in itertools.pairwise(chain))
            best = length if in_order and in_time and rises else best
    return best


@pytest.mark.parametrize("seed", range(150))
def test_the_longest_chain_is_found_in_one_pass(seed: int) -> None:
    chance = random.Random(seed)
    rows = sorted((chance.randrange(8), chance.randrange(8)) for _ in range(9))
    window = chance.randrange(9)
    ordered = sorted(rows, key=lambda row: row[0])
    assert funnel(ordered, window, "default") == longest(ordered, window, rising=False, conditions=3)
    assert funnel(ordered, window, "increase") == longest(ordered, window, rising=True, conditions=3)


@pytest.mark.parametrize("mode", ["default", "increase", "deduplication", "fixed"])
def test_a_large_group_takes_one_pass(mode: str) -> None:
    """Twenty thousand beginnings of chains that never end would take minutes one by one."""
    rows = [(second, 1 if second % 2 else 2) for second in range(40_000)]
    assert funnel(rows, 100_000, mode) == 2


@pytest.mark.parametrize("pattern", ["(?1).*(?3)", "(?1)(?t>5).*(?3)", "(?1)(?t>=5)(?3)", "(?1).*(?2).*(?3)"])
def test_a_large_group_is_searched_once(pattern: str) -> None:
    rows = [(second, 1 if second % 2 else 2) for second in range(20_000)]
    found = behaviour.sequence_count(column(rows), pa.array([pattern]), pa.array([3]))
    assert found.to_pylist() == [0]
