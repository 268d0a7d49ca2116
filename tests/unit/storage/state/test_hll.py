"""HLL: exact for few values, close for many, the same for 1 and '1', merged like one sketch."""

from __future__ import annotations

import pyarrow as pa
import pytest

from storage.state import hll


def _estimate(texts: list[str | None]) -> int:
    counted: int = hll.count(hll.build(pa.array([texts], pa.list_(pa.string()))))[0].as_py()
    return counted


@pytest.mark.parametrize("start", range(0, 5000, 500))
@pytest.mark.parametrize("size", [0, 1, 2, 159, 160])
def test_up_to_160_values_the_count_is_exact(start: int, size: int) -> None:
    assert _estimate([f"user{start + number}" for number in range(size)]) == size


@pytest.mark.parametrize("start", range(0, 200_000, 20_000))
def test_ten_thousand_values_are_counted_within_two_percent(start: int) -> None:
    assert abs(_estimate([str(start + number) for number in range(10_000)]) - 10_000) <= 200


@pytest.mark.parametrize("parts", [2, 7])
def test_a_union_estimates_like_one_sketch(parts: int) -> None:
    lists = [[str(number) for number in range(10_000) if number % parts == part] for part in range(parts)]
    sketches = hll.build(pa.array(lists, pa.list_(pa.string()))).to_pylist()
    united = pa.array([sketches], pa.list_(pa.binary()))
    assert abs(hll.union_count(united)[0].as_py() - 10_000) <= 200
    assert hll.count(hll.union(united)) == hll.union_count(united)


def test_null_is_no_value_and_an_empty_text_is_one() -> None:
    assert _estimate([None, "", "", "a"]) == 2
    assert hll.count(hll.singles(pa.array([None, "", "x"]))).to_pylist() == [0, 1, 1]
    assert hll.singles(pa.array([None], pa.string()))[0].as_py() == hll.EMPTY
