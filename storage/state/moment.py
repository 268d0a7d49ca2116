"""Count, mean and sum of squared differences: the state of STDDEV and VARIANCE, merged without loss of digits.

Adding up squares would lose everything when the mean is large beside the spread; merging means does not (Chan, Golub,
LeVeque: "Updating Formulae and a Pairwise Algorithm for Computing Sample Variances").
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from storage.state.bitmap import Column, whole

TYPE = pa.struct([("n", pa.int64()), ("mean", pa.float64()), ("m2", pa.float64())])


def merge(lists: Column) -> pa.Array:
    """The moments of each list of moments."""
    return pa.array((_merged(items or []) for items in whole(lists).to_pylist()), TYPE)


def _merged(items: list[dict[str, float] | None]) -> dict[str, float]:
    known = [item for item in items if item is not None and item["n"]]
    if not known:
        return {"n": 0, "mean": 0.0, "m2": 0.0}
    counts, means, squares = (np.array([item[name] for item in known]) for name in ("n", "mean", "m2"))
    total = counts.sum()
    mean = (counts * means).sum() / total
    return {"n": int(total), "mean": float(mean), "m2": float((squares + counts * (means - mean) ** 2).sum())}
