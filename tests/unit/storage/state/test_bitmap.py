"""BITMAP: the bytes are Roaring's own, and every function over columns agrees with Python's sets."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap64

from storage.state import bitmap, bitmap_function

LIMITS = (0, 1, 65535, 65536, (1 << 32) - 1, 1 << 32, (1 << 63) - 1, 1 << 63, bitmap.MAX)
numbers = st.one_of(st.integers(0, 300), st.integers(0, bitmap.MAX), st.sampled_from(LIMITS))
sets = st.sets(numbers, max_size=100)


def _written(*items: set[int] | None) -> pa.Array:
    return pa.array([None if item is None else BitMap64(item).serialize() for item in items], pa.binary())


def _lists(*items: list[set[int]]) -> pa.Array:
    return pa.array([[BitMap64(item).serialize() for item in row] for row in items], pa.list_(pa.binary()))


def _sets(column: pa.Array) -> list[set[int] | None]:
    return [None if item is None else set(bitmap.read(item)) for item in column.to_pylist()]


@given(st.lists(st.one_of(numbers, st.none()), max_size=20))
def test_a_bitmap_of_one_value_is_what_roaring_writes(values: list[int | None]) -> None:
    made = bitmap.singles(pa.array(values, pa.uint64())).to_pylist()
    assert made == [BitMap64([] if value is None else [value]).serialize() for value in values]


@given(st.lists(st.one_of(st.none(), st.lists(st.one_of(numbers, st.none()), max_size=200)), max_size=4))
def test_building_from_lists(lists: list[list[int | None] | None]) -> None:
    made = bitmap.build(pa.array(lists, pa.list_(pa.uint64())))
    assert _sets(made) == [{value for value in items or () if value is not None} for items in lists]


@given(st.lists(sets, max_size=6))
def test_aggregates_over_lists(items: list[set[int]]) -> None:
    united = set().union(*items)
    assert _sets(bitmap.union(_lists(items))) == [united]
    assert bitmap.union_count(_lists(items)).to_pylist() == [len(united)]
    assert _sets(bitmap.intersection(_lists(items))) == [set.intersection(*items) if items else set()]
    odd = {value for value in united if sum(value in item for item in items) % 2}
    assert _sets(bitmap.symmetric_difference(_lists(items))) == [odd]


@given(sets, sets)
def test_functions_of_two(one: set[int], other: set[int]) -> None:
    left, right = _written(one), _written(other)
    assert _sets(bitmap_function.both(left, right)) == [one & other]
    assert _sets(bitmap_function.either(left, right)) == [one | other]
    assert _sets(bitmap_function.one_of(left, right)) == [one ^ other]
    assert _sets(bitmap_function.without(left, right)) == [one - other]
    assert bitmap_function.has_any(left, right).to_pylist() == [bool(one & other)]
    assert bitmap_function.has_all(left, right).to_pylist() == [other <= one]
    assert bitmap_function.count(left).to_pylist() == [len(one)]


def test_nothing_is_empty_or_null() -> None:
    nothing = _written(None)
    assert _sets(bitmap.union(pa.array([None, []], pa.list_(pa.binary())))) == [set(), set()]
    assert bitmap_function.count(nothing).to_pylist() == [0]
    assert bitmap_function.both(nothing, _written({1})).to_pylist() == [None]
    assert _sets(bitmap_function.either(nothing, _written({1}))) == [{1}]
    assert bitmap_function.smallest(_written(set())).to_pylist() == [None]


@pytest.mark.parametrize(
    ("text", "members"),
    [("1,3,2", {1, 2, 3}), ("", set()), (" 7 , 8", {7, 8}), (str(bitmap.MAX), {bitmap.MAX}), ("a", None), ("-1", None),
     (str(bitmap.MAX + 1), None), ("1,,2", None)],
)  # fmt: skip
def test_text_to_bitmap(text: str, members: set[int] | None) -> None:
    assert _sets(bitmap_function.parse(pa.array([text]))) == [members]


def test_text_of_a_bitmap_is_ascending() -> None:
    assert bitmap_function.text(_written({300, 2, 10}, set(), None)).to_pylist() == ["2,10,300", "", None]


@pytest.mark.parametrize(("offset", "limit", "members"), [(1, 2, {4, 6}), (-2, 9, {6, 9}), (4, 1, None), (0, 0, None)])
def test_sub_bitmap(offset: int, limit: int, members: set[int] | None) -> None:
    found = bitmap_function.sliced(_written({1, 4, 6, 9}), pa.array([offset]), pa.array([limit]))
    assert _sets(found) == [members]
