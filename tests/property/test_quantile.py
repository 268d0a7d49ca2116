"""Up to 2048 values a QUANTILE_STATE is the sorted values, however they were split and merged."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.state import quantile

numbers = st.one_of(st.none(), st.floats(-1e12, 1e12), st.integers(-3, 3).map(float))
groups = st.lists(st.lists(numbers, max_size=8), max_size=12)


def _states(values: list[list[float | None]]) -> list[bytes]:
    compressions = pa.array([2048.0] * len(values), pa.float64())
    states: list[bytes] = quantile.build(pa.array(values, pa.list_(pa.float64())), compressions).to_pylist()
    return states


def _united(states: list[bytes]) -> bytes:
    found: bytes = quantile.union(pa.array([states], pa.list_(pa.binary())))[0].as_py()
    return found


@given(groups, st.randoms(use_true_random=False), st.floats(0, 1))
@settings(max_examples=200)
def test_splits_and_orders_do_not_count(groups: list[list[float | None]], random: object, rank: float) -> None:
    """One state and any tree of unions of its parts are the same bytes; the quantile is that of the values."""
    whole = [value for group in groups for value in group]
    states = _states(groups)
    random.shuffle(states)  # type: ignore[attr-defined]
    while len(states) > 1:
        states = [_united(states[:2]), *states[2:]]
        random.shuffle(states)  # type: ignore[attr-defined]
    assert _united(states) == _states([whole])[0]
    known = [value for value in whole if value is not None]
    found = quantile.at(pa.array([_united(states)], pa.binary()), pa.array([rank]))[0].as_py()
    assert found == (pytest.approx(float(np.quantile(known, rank)), rel=1e-9, abs=1e-9) if known else None)
