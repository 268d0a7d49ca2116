"""What the states of STDDEV, VARIANCE, PERCENTILE, TOPN and GROUP_CONCAT need and DuckDB has no expression for.

Count, mean and sum of squared differences are merged without loss of digits: adding up squares would lose everything
when the mean is large beside the spread, merging means does not (Chan, Golub, LeVeque: "Updating Formulae and a
Pairwise Algorithm for Computing Sample Variances"). Works on columns; each row is one group.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from storage.column import Column, whole

MOMENTS = pa.struct([("n", pa.int64()), ("mean", pa.float64()), ("m2", pa.float64())])


def moments(lists: Column) -> pa.Array:
    """The moments of each list of moments."""
    return pa.array((_merged(items or []) for items in whole(lists).to_pylist()), MOMENTS)


def _merged(items: list[dict[str, float] | None]) -> dict[str, float]:
    known = [item for item in items if item is not None and item["n"]]
    if not known:
        return {"n": 0, "mean": 0.0, "m2": 0.0}
    counts, means, squares = (np.array([item[name] for item in known]) for name in ("n", "mean", "m2"))
    total = counts.sum()
    mean = (counts * means).sum() / total
    return {"n": int(total), "mean": float(mean), "m2": float((squares + counts * (means - mean) ** 2).sum())}


def percentiles(lists: Column, ranks: Column) -> pa.Array:
    """The value at a rank of 0 to 1 of each list, between two values linearly; NULL of nothing (Doris: PERCENTILE)."""
    return pa.array((_percentile(items, rank) for items, rank in _pairs(lists, ranks)), pa.float64())


def _percentile(items: Sequence[float] | None, rank: float | None) -> float | None:
    return float(np.quantile(items, rank)) if items and rank is not None else None


def tops(lists: Column, counts: Column) -> pa.Array:
    """TOPN: the most frequent texts of each list with their counts, as JSON; NULL of nothing."""
    return pa.array((_top(items, count) for items, count in _pairs(lists, counts)), pa.string())


def _top(items: Sequence[str] | None, count: int | None) -> str | None:
    if not items or count is None:
        return None
    ranked = sorted(Counter(items).items(), key=lambda pair: (-pair[1], pair[0]))[: max(count, 0)]
    return json.dumps(dict(ranked), ensure_ascii=False, separators=(",", ":"))


def joined(lists: Column, separators: Column) -> pa.Array:
    """The texts of each list with a separator between them, NULLs left out; NULL of nothing."""
    return pa.array((_join(items, separator) for items, separator in _pairs(lists, separators)), pa.string())


def _join(items: Sequence[str | None] | None, separator: str | None) -> str | None:
    texts = [item for item in items or () if item is not None]
    return (separator or "").join(texts) if texts else None


def _pairs(lists: Column, others: Column) -> Iterator[tuple[Any, Any]]:
    return zip(whole(lists).to_pylist(), whole(others).to_pylist(), strict=True)
