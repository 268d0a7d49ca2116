"""BITMAP: sets of unsigned 64-bit integers as bytes, and the functions over columns of them.

The bytes are Roaring's portable 64-bit form (pyroaring BitMap64.serialize), so that any Roaring library reads them.
Every function here takes and gives whole Arrow columns; storage/udf.py makes them known to DuckDB. NULL and its
empty meaning are decided here: an aggregate over nothing is the empty bitmap, a scalar function of NULL is NULL.
Source: Doris: BITMAP, bitmap functions.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa
from pyroaring import BitMap, BitMap64

from storage.column import Column, byte_lists, number_lists, of_records, whole

EMPTY = BitMap64().serialize()
MAX = (1 << 64) - 1

# A bitmap of one value has 30 bytes: 1 high word; the word; cookie 12346 and 1 container; its key, cardinality - 1,
# offset; the value. Reading and writing it column-wise is what makes to_bitmap(x) of each row affordable.
_ONE = np.dtype(
    [("words", "<u8"), ("high", "<u4"), ("cookie", "<u4"), ("containers", "<u4"), ("key", "<u2"), ("less", "<u2"),
     ("offset", "<u4"), ("low", "<u2")]
)  # fmt: skip
_HEADER = {"words": 1, "cookie": 12346, "containers": 1, "less": 0, "offset": 16}
_FEW = 64  # below so many values numpy costs more than it saves


def singles(values: Column) -> pa.Array:
    """to_bitmap of each value; NULL gives the empty bitmap."""
    array_ = whole(values)
    numbers = array_.fill_null(0).to_numpy(zero_copy_only=False).astype("<u8")
    made = np.zeros(len(numbers), _ONE)
    for name, constant in _HEADER.items():
        made[name] = constant
    made["high"], made["key"], made["low"] = numbers >> 32, (numbers >> 16) & 0xFFFF, numbers & 0xFFFF
    fixed = of_records(made)
    if not array_.null_count:
        return fixed
    return pa.compute.if_else(array_.is_valid(), fixed, pa.scalar(EMPTY, pa.binary()))


def build(lists: Column) -> pa.Array:
    """A bitmap of each list of numbers; NULL lists and NULL elements count for nothing."""
    return pa.array((_of_numbers(numbers) for numbers in number_lists(lists)), pa.binary())


def _of_numbers(numbers: np.ndarray) -> bytes:
    """Sorted values go into the containers four times faster than unsorted ones."""
    if len(numbers) < _FEW:
        serialized: bytes = BitMap64(numbers.tolist()).serialize()
        return serialized
    ordered = np.sort(numbers)
    highs = (ordered >> np.uint64(32)).astype("<u4")
    edges = [0, *(np.flatnonzero(np.diff(highs)) + 1).tolist(), len(ordered)]
    parts = [struct.pack("<Q", len(edges) - 1)]
    for low, high in pairwise(edges):
        piece = array("I", (ordered[low:high] & np.uint64(0xFFFFFFFF)).astype("<u4").tobytes())
        parts += [highs[low].tobytes(), BitMap(piece).serialize()]
    return b"".join(parts)


# -- aggregates over lists of bitmaps --------------------------------------------------------------
def union(lists: Column) -> pa.Array:
    """The union of each list of bitmaps."""
    return pa.array((_union(item) for item in byte_lists(lists)), pa.binary())


def union_count(lists: Column) -> pa.Array:
    """The cardinality of that union, without writing it."""
    return pa.array((_union_size(item) for item in byte_lists(lists)), pa.int64())


def intersection(lists: Column) -> pa.Array:
    """The values that all bitmaps of a list have."""
    return _folded(lists, BitMap64.__iand__)


def symmetric_difference(lists: Column) -> pa.Array:
    """The values that an odd number of the bitmaps of a list have."""
    return _folded(lists, BitMap64.__ixor__)


def _union(items: Sequence[bytes]) -> bytes:
    if len(items) == 1:
        return items[0]
    ones = [item for item in items if len(item) == _ONE.itemsize]
    if len(ones) == len(items):
        return _of_numbers(_read_ones(ones)) if items else EMPTY
    serialized: bytes = _united(items, ones).serialize()
    return serialized


def _union_size(items: Sequence[bytes]) -> int:
    ones = [item for item in items if len(item) == _ONE.itemsize]
    if len(ones) == len(items):
        return len(np.unique(_read_ones(ones))) if ones else 0
    return len(_united(items, ones))


def _united(items: Sequence[bytes], ones: Sequence[bytes]) -> BitMap64:
    """Bitmaps of one value are gathered first: they are one fiftieth of the work that way."""
    found = read(_of_numbers(_read_ones(ones))) if ones else BitMap64()
    for item in items:
        if len(item) != _ONE.itemsize:
            found |= read(item)
    return found


def _read_ones(ones: Sequence[bytes]) -> np.ndarray:
    records = np.frombuffer(b"".join(ones), _ONE)
    high, key = records["high"].astype("u8"), records["key"].astype("u8")
    values: np.ndarray = (high << np.uint64(32)) | (key << np.uint64(16)) | records["low"].astype("u8")
    return values


def _folded(lists: Column, step: Callable[[BitMap64, BitMap64], BitMap64]) -> pa.Array:
    def fold(items: Sequence[bytes]) -> bytes:
        if not items:
            return EMPTY
        found = read(items[0])
        for item in items[1:]:
            found = step(found, read(item))
        serialized: bytes = found.serialize()
        return serialized

    return pa.array((fold(item) for item in byte_lists(lists)), pa.binary())


def read(item: bytes) -> BitMap64:
    """The set of a stored bitmap."""
    return BitMap64.deserialize(item)
