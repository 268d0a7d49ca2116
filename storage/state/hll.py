"""HLL: approximate distinct counts as bytes, and the functions over columns of them.

The bytes are a DataSketches HLL sketch with 2^14 registers, compact: exact in practice up to some hundred values (the
promise is 160), a relative error of about 0.8 % beyond. Values enter by their text, so that 1 and '1' are one value.
NULL is no value; an aggregate over nothing is the empty sketch. Source: Doris: HLL, HLL functions.
"""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa
from datasketches import hll_sketch, hll_union, tgt_hll_type

from storage.column import Column, byte_lists, whole

REGISTERS = 14  # log2
_TYPE = tgt_hll_type.HLL_8
_EMPTY_TEXT = "\0(empty)"  # the library passes over an empty text, which is a value like any other


def _new() -> hll_sketch:
    return hll_sketch(REGISTERS, _TYPE)


def _write(sketch: hll_sketch) -> bytes:
    return bytes(sketch.serialize_compact())


EMPTY = _write(_new())


def _of(texts: Iterable[str | None]) -> hll_sketch:
    sketch = _new()
    for text in texts:
        if text is not None:
            sketch.update(text or _EMPTY_TEXT)
    return sketch


def singles(texts: Column) -> pa.Array:
    """HLL_HASH of each value; NULL gives the empty sketch."""
    found = whole(texts).dictionary_encode()
    made = pa.array([_write(_of([text])) for text in found.dictionary.to_pylist()], pa.binary())
    return made.take(found.indices).fill_null(EMPTY)


def build(lists: Column) -> pa.Array:
    """The sketch of each list of values."""
    return pa.array((_write(_of(texts or ())) for texts in whole(lists).to_pylist()), pa.binary())


def build_count(lists: Column) -> pa.Array:
    """The estimate for each list of values."""
    return pa.array((_count(_of(texts or ())) for texts in whole(lists).to_pylist()), pa.int64())


def union(lists: Column) -> pa.Array:
    """The union of each list of sketches."""
    return pa.array((_union(items) for items in byte_lists(lists)), pa.binary())


def union_count(lists: Column) -> pa.Array:
    """The estimate of that union."""
    return pa.array((_count(_united(items)) for items in byte_lists(lists)), pa.int64())


def count(sketches: Column) -> pa.Array:
    """HLL_CARDINALITY; of NULL it is 0."""
    items = whole(sketches).to_pylist()
    return pa.array((0 if item is None else _count(hll_sketch.deserialize(item)) for item in items), pa.int64())


def checked(item: bytes) -> bytes:
    """The bytes of a sketch, if they are of one; others raise what the library finds, or ValueError."""
    if item[1:4] != EMPTY[1:4]:  # version, family and registers: with others the library may ask for gigabytes
        raise ValueError
    estimate: float = hll_sketch.deserialize(item).get_estimate()
    if not 0 <= estimate < 1 << 63:  # a text may say anything
        raise ValueError
    return item


def _union(items: list[bytes]) -> bytes:
    return items[0] if len(items) == 1 else _write(_united(items))


def _united(items: list[bytes]) -> hll_sketch:
    """Equal sketches are merged once; of many one-value sketches few differ."""
    union_ = hll_union(REGISTERS)
    for item in dict.fromkeys(items):
        union_.update(hll_sketch.deserialize(item))
    return union_.get_result(_TYPE)


def _count(sketch: hll_sketch) -> int:
    estimate: float = sketch.get_estimate()
    return round(estimate)
