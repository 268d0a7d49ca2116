"""The scalar functions of BITMAP over columns: text, members, set operations, parts of a set.

A NULL argument gives NULL, except that bitmap_or leaves NULLs out. Source: Doris: bitmap functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice

import pyarrow as pa
from pyroaring import BitMap64

from storage.column import Column, whole
from storage.state.bitmap import MAX, read

_TEXT = re.compile(r"\s*\d+\s*(,\s*\d+\s*)*")


def _rows(*columns: Column) -> Iterator[tuple[object, ...]]:
    return zip(*(whole(column).to_pylist() for column in columns), strict=True)


def _mapped(kind: pa.DataType, function: Callable[..., object], *columns: Column) -> pa.Array:
    """Apply a function of values to rows without NULL; bytes are read as sets first."""
    rows = (
        None if None in row else function(*(read(v) if isinstance(v, bytes) else v for v in row))
        for row in _rows(*columns)
    )
    return pa.array(rows, kind)


def _written(function: Callable[..., BitMap64 | None]) -> Callable[..., bytes | None]:
    def call(*arguments: object) -> bytes | None:
        found = function(*arguments)
        return None if found is None else found.serialize()

    return call


# -- text and members ------------------------------------------------------------------------------
def count(bitmaps: Column) -> pa.Array:
    """BITMAP_COUNT; of NULL it is 0."""
    return pa.array((0 if item is None else len(read(item)) for item in whole(bitmaps).to_pylist()), pa.int64())


def text(bitmaps: Column) -> pa.Array:
    """BITMAP_TO_STRING: ascending, joined by commas without blanks."""
    return _mapped(pa.string(), lambda found: ",".join(map(str, found)), bitmaps)


def parse(texts: Column) -> pa.Array:
    """BITMAP_FROM_STRING; NULL for a text that is no list of unsigned numbers."""
    return _mapped(pa.binary(), _written(_parsed), texts)


def _parsed(value: str) -> BitMap64 | None:
    if not value.strip():
        return BitMap64()
    numbers = [int(part) for part in value.split(",")] if _TEXT.fullmatch(value) else [-1]
    return BitMap64(numbers) if all(0 <= number <= MAX for number in numbers) else None


def values(bitmaps: Column) -> pa.Array:
    """BITMAP_TO_ARRAY: the members, ascending."""
    return _mapped(pa.list_(pa.int64()), lambda found: [_signed(value) for value in found], bitmaps)


def _signed(value: int) -> int:
    """A BIGINT holds the upper half of the values as negative numbers, as in Doris."""
    return value - (1 << 64) if value >= 1 << 63 else value


def smallest(bitmaps: Column) -> pa.Array:
    """BITMAP_MIN; NULL of an empty bitmap."""
    return _mapped(pa.int64(), lambda found: _signed(found.min()) if found else None, bitmaps)


def largest(bitmaps: Column) -> pa.Array:
    """BITMAP_MAX; NULL of an empty bitmap."""
    return _mapped(pa.int64(), lambda found: _signed(found.max()) if found else None, bitmaps)


# -- tests -----------------------------------------------------------------------------------------
def contains(bitmaps: Column, numbers: Column) -> pa.Array:
    return _mapped(pa.bool_(), lambda found, number: 0 <= number <= MAX and number in found, bitmaps, numbers)


def has_any(left: Column, right: Column) -> pa.Array:
    return _mapped(pa.bool_(), lambda one, other: one.intersect(other), left, right)


def has_all(left: Column, right: Column) -> pa.Array:
    return _mapped(pa.bool_(), lambda one, other: other.issubset(one), left, right)


# -- set operations --------------------------------------------------------------------------------
def either(left: Column, right: Column) -> pa.Array:
    """BITMAP_OR of two; a NULL is left out."""

    def joined(one: bytes | None, other: bytes | None) -> bytes | None:
        if one is None or other is None:
            return other if one is None else one
        united: bytes = (read(one) | read(other)).serialize()
        return united

    return pa.array((joined(one, other) for one, other in _rows(left, right)), pa.binary())  # type: ignore[arg-type]


def both(left: Column, right: Column) -> pa.Array:
    """BITMAP_AND."""
    return _mapped(pa.binary(), _written(lambda one, other: one & other), left, right)


def one_of(left: Column, right: Column) -> pa.Array:
    """BITMAP_XOR."""
    return _mapped(pa.binary(), _written(lambda one, other: one ^ other), left, right)


def without(left: Column, right: Column) -> pa.Array:
    """BITMAP_NOT, BITMAP_AND_NOT: the members of the first that the second lacks."""
    return _mapped(pa.binary(), _written(lambda one, other: one - other), left, right)


def removed(bitmaps: Column, numbers: Column) -> pa.Array:
    """BITMAP_REMOVE."""
    return _mapped(pa.binary(), _written(lambda found, number: found - BitMap64([number])), bitmaps, numbers)


# -- parts -----------------------------------------------------------------------------------------
def in_range(bitmaps: Column, lows: Column, highs: Column) -> pa.Array:
    """BITMAP_SUBSET_IN_RANGE: members from `low` up to, not including, `high`."""

    def part(found: BitMap64, low: int, high: int) -> BitMap64:
        low, high = max(low, 0), min(high, MAX + 1)
        inside = BitMap64()
        if low < high:
            inside.add_range(low, high)
        return found & inside

    return _mapped(pa.binary(), _written(part), bitmaps, lows, highs)


def limited(bitmaps: Column, starts: Column, limits: Column) -> pa.Array:
    """BITMAP_SUBSET_LIMIT: so many members from `start` on."""

    def part(found: BitMap64, start: int, limit: int) -> BitMap64:
        return BitMap64(islice(found.iter_equal_or_larger(max(start, 0)), max(limit, 0)))

    return _mapped(pa.binary(), _written(part), bitmaps, starts, limits)


def sliced(bitmaps: Column, offsets: Column, limits: Column) -> pa.Array:
    """SUB_BITMAP: so many members from a position on; a negative one counts from the end. NULL if there is none."""

    def part(found: BitMap64, offset: int, limit: int) -> BitMap64 | None:
        start = offset if offset >= 0 else len(found) + offset
        if limit <= 0 or not 0 <= start < len(found):
            return None
        return BitMap64(islice(found, start, start + limit))

    return _mapped(pa.binary(), _written(part), bitmaps, offsets, limits)
