"""QUANTILE_STATE: exact up to 2048 values, close beyond, the bytes of Doris while exact, NULL of nothing."""

from __future__ import annotations

import base64
import math

import numpy as np
import pyarrow as pa
import pytest

from storage.state import quantile

RANKS = (0, 0.001, 0.01, 0.25, 0.5, 0.75, 0.99, 0.999, 1)


def _state(values: list[float | None], compression: float | None = 2048) -> bytes:
    column = pa.array([values], pa.list_(pa.float64()))
    made: bytes = quantile.build(column, pa.array([compression], pa.float64()))[0].as_py()
    return made


def _united(*states: bytes) -> bytes:
    found: bytes = quantile.union(pa.array([states], pa.list_(pa.binary())))[0].as_py()
    return found


def _at(state: bytes | None, rank: float | None) -> float | None:
    found: float | None = quantile.at(pa.array([state], pa.binary()), pa.array([rank], pa.float64()))[0].as_py()
    return found


@pytest.mark.parametrize(
    ("state", "text"), [(quantile.EMPTY, "AAAARQA="), (_state([1]), "AAAARQEAAAAAAADwPw==")], ids=["empty", "one"]
)
def test_the_bytes_are_those_that_doris_shows(state: bytes, text: str) -> None:
    """Doris: QUANTILE_STATE_TO_BASE64, examples."""
    assert base64.b64encode(state).decode() == text


@pytest.mark.parametrize("size", [1, 2, 3, 2047, 2048])
def test_up_to_2048_values_quantiles_are_exact(size: int) -> None:
    values = np.random.default_rng(size).normal(size=size)
    state = _state(values.tolist())
    assert [_at(state, rank) for rank in RANKS] == pytest.approx(np.quantile(values, RANKS).tolist(), rel=1e-12)


@pytest.mark.parametrize("size", [2049, 10_000, 100_000])
@pytest.mark.parametrize("parts", [1, 7])
def test_of_more_the_rank_is_right_within_a_quarter_percent(size: int, parts: int) -> None:
    values = np.random.default_rng(size).permutation(size).astype(float)
    states = [_state(part.tolist()) for part in np.array_split(values, parts)]
    assert len(_united(*states)) < 100_000  # bytes
    for rank in RANKS:
        found = _at(_united(*states), rank)
        assert found is not None and abs(found - rank * (size - 1)) <= 0.0025 * size
    assert (_at(_united(*states), 0), _at(_united(*states), 1)) == (0, size - 1)


def test_a_state_grown_value_by_value_stays_close() -> None:
    state = _state([float(number) for number in range(3000)])
    for number in range(3000, 4000):
        state = _united(state, _state([float(number)]))
    assert (_at(state, 0), _at(state, 1)) == (0, 3999)
    assert _at(state, 0.5) == pytest.approx(2000, abs=10)


def test_the_order_of_a_union_does_not_count() -> None:
    states = [_state([float(n) for n in range(start, start + 1500)]) for start in (0, 9000, 4000)]
    many = [_state([float(n) for n in range(start, start + 2500)]) for start in (5, 70)]
    everything = [*states, *many, _state([8.0]), quantile.EMPTY]
    assert _united(*everything) == _united(*reversed(everything))


def test_null_and_nan_are_no_values() -> None:
    assert _state([None, math.nan]) == _state([]) == _united() == _united(quantile.EMPTY, quantile.EMPTY)
    assert _state([None, 2.0, math.nan, 1.0]) == _state([1.0, 2.0])
    assert _state([-0.0]) == _state([0.0]) and _state([-0.0, 0.0]) == _state([0.0, -0.0])
    nothing = quantile.singles(pa.array([None, math.nan], pa.float64()), pa.array([4000.0, 4000.0])).to_pylist()
    assert nothing == [quantile.EMPTY, quantile.EMPTY]
    assert _at(quantile.EMPTY, 0.5) is None and _at(None, 0.5) is None and _at(_state([1]), None) is None
    assert quantile.union(pa.array([None], pa.list_(pa.binary()))).to_pylist() == [quantile.EMPTY]


def test_infinities_are_values() -> None:
    state = _state([math.inf, 1.0, -math.inf])
    assert [_at(state, rank) for rank in (0, 0.25, 0.5, 1)] == [-math.inf, -math.inf, 1.0, math.inf]
    assert _at(_state([math.inf, -math.inf]), 0.5) is None


@pytest.mark.parametrize(
    ("asked", "kept"), [(None, 2048), (1, 2048), (2048, 2048), (4096, 4096), (10_000, 10_000), (10_001, 2048)]
)
def test_the_compression_is_2048_unless_one_between_2048_and_10000_is_asked_for(
    asked: float | None, kept: float
) -> None:
    one = quantile.singles(pa.array([1.0]), pa.array([asked], pa.float64()))[0].as_py()
    assert one == _state([1], asked) == _state([1], kept)
    assert _united(one, _state([2])) == _state([1, 2], max(kept, 2048))
    larger = len(_state([float(n) for n in range(50_000)], asked)) - len(_state([float(n) for n in range(50_000)]))
    assert larger > 0 if kept > 2048 else larger == 0
