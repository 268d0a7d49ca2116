"""Patterns of events: what matches, where occurrences end, what is no pattern."""

from __future__ import annotations

import pytest

from storage.errors import DorisError
from storage.state.sequence import matches, pattern_of

A, B, C = 1, 2, 4


@pytest.mark.parametrize(
    ("pattern", "events", "count"),
    [
        ("(?1)(?2)", [(0, A), (1, B)], 1),
        ("(?1)(?2)", [(0, A), (1, C), (2, B)], 0),
        ("(?1).*(?2)", [(0, A), (1, C), (2, B)], 1),
        ("(?1).(?2)", [(0, A), (1, C), (2, B)], 1),
        ("(?1)(?2)", [(0, A), (1, B), (2, A), (3, B)], 2),
        ("(?1)(?1)", [(0, A), (1, A), (2, A)], 1),
        ("(?1)(?t>5)(?2)", [(0, A), (1, B), (9, B)], 1),
        ("(?1)(?t<=5)(?2)", [(0, A), (6, B)], 0),
        ("(?1)(?t == 3)(?2)", [(0, A), (3, A | B)], 1),
        (".*", [], 0),
        ("(?1)(?2)", [(0, A | B)], 0),
        ("(?1)(?t>=0)", [(0, A)], 0),
    ],
)
def test_occurrences_are_counted_one_behind_the_other(pattern: str, events: list[tuple[int, int]], count: int) -> None:
    assert sum(1 for _ in matches(pattern_of(pattern, 3), events, once=False)) == count
    assert sum(1 for _ in matches(pattern_of(pattern, 3), events, once=True)) == min(count, 1)


def test_many_stars_take_no_exponential_time() -> None:
    """A state that failed is not tried again."""
    steps = pattern_of("(?1)" + ".*(?1)" * 12 + "(?2)", 2)
    assert list(matches(steps, [(second, A) for second in range(60)], once=True)) == []


@pytest.mark.parametrize("pattern", ["", "x", "(?0)", "(?4)", "(?1", "(?t>)", "(?t>-1)(?1)", "(?1)*"])
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(DorisError, match=r"Malformed pattern|out of range"):
        pattern_of(pattern, 3)
