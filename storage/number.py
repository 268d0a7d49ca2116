"""Numbers that DuckDB cannot compute: shifts of 64 bits that drop what falls out, the normal distribution, seeds.

Works on columns; NULL in any argument gives NULL. Source: Doris: BIT_SHIFT_LEFT, BIT_SHIFT_RIGHT, NORMAL_CDF, RANDOM.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from storage.column import Column, whole

_BITS = 64


def shift_left(values: Column, counts: Column) -> pa.Array:
    """Bits moved to the left; none are left when they are moved by less than 0 or more than 63 places."""
    return _shifted(np.left_shift, values, counts)


def shift_right(values: Column, counts: Column) -> pa.Array:
    """Bits moved to the right, zeros coming in."""
    return _shifted(np.right_shift, values, counts)


def _shifted(shift: Callable[..., np.ndarray], values: Column, counts: Column) -> pa.Array:
    bits, places = (pc.fill_null(whole(column), 0).to_numpy(zero_copy_only=False) for column in (values, counts))
    within = (places >= 0) & (places < _BITS)
    moved = shift(bits.view(np.uint64), np.where(within, places, 0).astype(np.uint64)).view(np.int64)
    return pa.array(np.where(within, moved, 0), pa.int64(), mask=_missing(values, counts))


def normal_cdf(means: Column, deviations: Column, values: Column) -> pa.Array:
    """The share of a normal distribution below a value; NULL for a deviation that is not positive."""
    mean, deviation, value = (
        pc.fill_null(whole(column), 1.0).to_numpy(zero_copy_only=False) for column in (means, deviations, values)
    )
    wrong = ~(deviation > 0)
    distance = (value - mean) / (np.where(wrong, 1.0, deviation) * math.sqrt(2))
    shares = np.array([0.5 * math.erfc(-one) for one in distance])
    return pa.array(shares, pa.float64(), mask=_missing(means, deviations, values) | wrong)


def random(seeds: Column) -> pa.Array:
    """Numbers from 0 to 1 that a seed, which is the same for all rows, decides; each batch of rows begins anew."""
    given = whole(seeds)
    seed = next((one for one in given.to_pylist() if one is not None), 0)
    numbers = np.random.default_rng(seed % (1 << _BITS)).random(len(given))
    return pa.array(numbers, pa.float64(), mask=_missing(seeds))


def _missing(*columns: Column) -> np.ndarray:
    missing = [pc.is_null(whole(column)).to_numpy(zero_copy_only=False) for column in columns]
    found: np.ndarray = np.logical_or.reduce(missing)
    return found
