"""States of statistics: merging in any grouping gives what the whole gives, without loss of digits."""

from __future__ import annotations

import math
import statistics

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.state import statistic
from storage.text import hashing


def _of(value: float) -> dict[str, float]:
    return {"n": 1, "mean": value, "m2": 0.0}


def _merge(items: list[dict[str, float]]) -> dict[str, float]:
    found: dict[str, float] = statistic.moments(pa.array([items], pa.list_(statistic.MOMENTS)))[0].as_py()
    return found


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30), st.integers(1, 29))
def test_moments_do_not_depend_on_the_grouping(values: list[float], cut: int) -> None:
    parts = [_merge([_of(value) for value in part]) for part in (values[:cut], values[cut:])]
    merged = _merge(parts)
    assert merged["n"] == len(values)
    assert math.isclose(merged["m2"] / len(values), statistics.pvariance(values), rel_tol=1e-9, abs_tol=1e-6)


def test_a_large_mean_does_not_swallow_a_small_spread() -> None:
    merged = _merge([_of(1e9 + step) for step in (0.0, 1.0, 2.0)])
    assert merged["m2"] / 3 == pytest.approx(2 / 3, rel=1e-9)


def test_nothing_has_no_moments() -> None:
    assert _merge([]) == {"n": 0, "mean": 0.0, "m2": 0.0}


def test_percentiles_are_interpolated() -> None:
    found = statistic.percentiles(pa.array([[1.0, 2.0, 10.0], [], None], pa.list_(pa.float64())), pa.array([0.75] * 3))
    assert found.to_pylist() == [6.0, None, None]


def test_topn_counts_and_breaks_ties_by_text() -> None:
    found = statistic.tops(pa.array([["b", "a", "c", "c"], []], pa.list_(pa.string())), pa.array([2, 2]))
    assert found.to_pylist() == ['{"c":2,"a":1}', None]


def test_joining_leaves_nulls_out() -> None:
    found = statistic.joined(pa.array([["a", None, "b"], [None], []], pa.list_(pa.string())), pa.array([";"] * 3))
    assert found.to_pylist() == ["a;b", None, None]


def test_murmur_numbers_texts_as_doris_does() -> None:
    """The documented value of BITMAP_HASH('hello')."""
    assert hashing.of_text("hello") == 1321743225
