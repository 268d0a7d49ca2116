"""QUANTILE_STATE: what quantiles are told from, as bytes, and the functions over columns of them.

    compression (float) | 0                                    no value
                        | 1 | value (double)                   one
                        | 2 | count (2 bytes) | values         up to 2048, ascending: quantiles are exact
                        | 3 | DataSketches t-digest            more: of so many centroids as the compression says

The first three forms are Doris' own, little-endian. Since values are sorted, equal values give equal bytes in whatever
order they came. NULL and NaN are no values; an aggregate over nothing is the empty state, of which no quantile is
known. Source: Doris: QUANTILE_STATE, quantile functions.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from datasketches import tdigest_double

from storage.column import Column, byte_lists, number_lists, of_records, whole

EXACT = 2048  # values
LEAST, MOST = 2048, 10_000  # compression; LEAST where another one is asked for
_NONE, _ONE, _FEW, _MANY = range(4)
_HEAD = struct.Struct("<fB")
_COUNT = struct.Struct("<H")
_SINGLE = np.dtype([("compression", "<f4"), ("form", "u1"), ("value", "<f8")])

EMPTY = _HEAD.pack(LEAST, _NONE)


def singles(values: Column, compressions: Column) -> pa.Array:
    """TO_QUANTILE_STATE of each value; NULL gives the empty state."""
    numbers = _numbers(values)
    made = np.zeros(len(numbers), _SINGLE)
    made["compression"], made["form"], made["value"] = _allowed(compressions), _ONE, numbers + 0.0
    return pa.compute.if_else(pa.array(~np.isnan(numbers)), of_records(made), pa.scalar(EMPTY, pa.binary()))


def build(lists: Column, compressions: Column) -> pa.Array:
    """The state of each list of values."""
    pairs = zip(number_lists(lists), _allowed(compressions), strict=True)
    return pa.array((_write(compression, numbers[~np.isnan(numbers)]) for numbers, compression in pairs), pa.binary())


def union(lists: Column) -> pa.Array:
    """QUANTILE_UNION: the union of each list of states, with the highest of their compressions."""
    return pa.array((_union(items) for items in byte_lists(lists)), pa.binary())


def at(states: Column, ranks: Column) -> pa.Array:
    """QUANTILE_PERCENT: the value at a rank of 0 to 1; NULL of an empty state."""
    pairs = zip(whole(states).to_pylist(), whole(ranks).to_pylist(), strict=True)
    return pa.array((None if None in pair else _at(*pair) for pair in pairs), pa.float64())


def checked(item: bytes) -> bytes:
    """The bytes of a state, its values in order; what is none raises what the library finds, or ValueError."""
    compression, form = _HEAD.unpack_from(item)
    if not LEAST <= compression <= MOST or form > _MANY:
        raise ValueError
    if form == _MANY:
        digest = tdigest_double.deserialize(item[_HEAD.size :])
        if digest.is_empty():
            raise ValueError
        return _HEAD.pack(compression, _MANY) + bytes(digest.serialize())
    count = _COUNT.unpack_from(item, _HEAD.size)[0] if form == _FEW else form
    values = _values(item)
    if len(values) != count or len(values) > EXACT:
        raise ValueError
    return _write(compression, values[~np.isnan(values)])


def _numbers(column: Column) -> np.ndarray:
    """NaN for NULL."""
    numbers: np.ndarray = whole(column).fill_null(math.nan).to_numpy(zero_copy_only=False)
    return numbers


def _allowed(compressions: Column) -> np.ndarray:
    asked = _numbers(compressions)
    return np.where((asked >= LEAST) & (asked <= MOST), asked, LEAST)


def _write(compression: float, values: np.ndarray) -> bytes:
    ordered = np.sort(values) + 0.0  # so that -0 is 0
    if len(ordered) > EXACT:
        return _digested(compression, ordered, ())
    if not len(ordered):
        return EMPTY
    form, count = (_FEW, _COUNT.pack(len(ordered))) if len(ordered) > 1 else (_ONE, b"")
    return _HEAD.pack(compression, form) + count + ordered.astype("<f8").tobytes()


def _digested(compression: float, values: np.ndarray, digests: Sequence[bytes]) -> bytes:
    found = tdigest_double(round(compression))
    for digest in digests:
        found.merge(tdigest_double.deserialize(digest))
    found.update(values)
    return _HEAD.pack(compression, _MANY) + bytes(found.serialize())


def _union(items: Sequence[bytes]) -> bytes:
    """The order of the items does not count; of states of one value, all are read at once."""
    if len(items) == 1:
        return items[0]
    forms: dict[int, list[bytes]] = {_NONE: [], _ONE: [], _FEW: [], _MANY: []}
    for item in items:
        forms[_form(item)].append(item)
    ones = np.frombuffer(b"".join(forms[_ONE]), _SINGLE)
    others = [_HEAD.unpack_from(item)[0] for item in forms[_FEW] + forms[_MANY]]
    compression = max(*others, ones["compression"].max(initial=LEAST), LEAST)
    values = np.concatenate([ones["value"], *map(_values, forms[_FEW])])
    digests = sorted(item[_HEAD.size :] for item in forms[_MANY])
    return _digested(compression, np.sort(values), digests) if digests else _write(compression, values)


def _form(item: bytes) -> int:
    return item[_HEAD.size - 1]


def _values(item: bytes) -> np.ndarray:
    """The values of a state that has them all."""
    return np.frombuffer(item, "<f8", offset=_HEAD.size + (_COUNT.size if _form(item) == _FEW else 0))


def _at(item: bytes, rank: float) -> float | None:
    if _form(item) == _MANY:
        return float(tdigest_double.deserialize(item[_HEAD.size :]).get_quantile(rank))
    return None if _form(item) == _NONE else _between(_values(item).tolist(), rank)


def _between(ordered: Sequence[float], rank: float) -> float | None:
    """Linearly between the two values next to the rank; NULL between the two infinities."""
    place = (len(ordered) - 1) * rank
    low = int(place)
    if low == place:
        return ordered[low]
    found = ordered[low] * (low + 1 - place) + ordered[low + 1] * (place - low)
    return None if math.isnan(found) else found
