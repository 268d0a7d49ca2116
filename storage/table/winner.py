"""Which row of a key stays when a batch holds several: the highest sequence value, and of equals the last.

Pure Arrow. Without sequence column the last row of a key stays (Doris: Concurrency Control for Updates, which leaves
the order inside one statement open).
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from storage.cells import plain

_PLACE = "place"


def winners(rows: pa.Table, keys: list[str], sequence: str | None) -> pa.Table:
    """The rows to be written, one of each key, in the order of the batch."""
    if len(keys) == 1 and are_distinct(rows, keys):
        return rows  # much faster than grouping, and the usual case
    order = None if sequence is None else _by_sequence(rows[sequence])
    places = pa.array(np.arange(rows.num_rows)) if order is None else pc.sort_indices(order)  # rank of each row
    columns = {f"k{place}": plain(rows[key]) for place, key in enumerate(keys)}
    grouped = pa.table({**columns, _PLACE: places}).group_by(list(columns), use_threads=False)
    last = grouped.aggregate([(_PLACE, "max")])[f"{_PLACE}_max"]
    if len(last) == rows.num_rows:
        return rows
    kept = last if order is None else order.take(last)
    return rows.take(kept.take(pc.sort_indices(kept)))


def are_distinct(rows: pa.Table, keys: list[str]) -> bool:
    """Whether no two rows have the same key."""
    if len(keys) == 1:
        return _is_distinct(plain(rows[keys[0]]))
    columns = {f"k{place}": plain(rows[key]) for place, key in enumerate(keys)}
    return bool(len(pa.table(columns).group_by(list(columns)).aggregate([])) == rows.num_rows)


def _is_distinct(values: pa.ChunkedArray) -> bool:
    """Whether no value comes twice; integers that lie close together are ticked off in an array."""
    if pa.types.is_signed_integer(values.type) and len(values) and not values.null_count:
        numbers = values.to_numpy().astype(np.int64, copy=False)
        low, high = int(numbers.min()), int(numbers.max())
        if high - low < 16 * len(numbers):
            seen = np.zeros(high - low + 1, bool)
            seen[numbers - low] = True
            return int(seen.sum()) == len(numbers)
    return bool(len(pc.unique(values)) == len(values))


def _by_sequence(values: pa.ChunkedArray) -> pa.Array:
    """The places of all rows in ascending order: NULL first, equal values as they came."""
    columns = {f"s{place}": column for place, column in enumerate(_comparable(values))}
    table = pa.table({**columns, _PLACE: pa.array(np.arange(len(values)))})
    keys = [(name, "ascending", "at_start") for name in table.column_names]
    return pc.sort_indices(table, sort_keys=keys)


def _comparable(values: pa.ChunkedArray) -> list[pa.ChunkedArray | pa.Array]:
    """Columns that order like the values; LARGEINT arrives as 16 bytes, low half first."""
    if not isinstance(values.type, pa.BaseExtensionType):
        return [values]
    bare = plain(values).combine_chunks()
    null = np.asarray(pc.is_null(bare))
    halves = np.frombuffer(b"".join(value or bytes(16) for value in bare.to_pylist()), dtype="<u8").reshape(-1, 2)
    high, low = np.ascontiguousarray(halves[:, 1]).view("<i8"), np.ascontiguousarray(halves[:, 0])
    return [pa.array(high, mask=null), pa.array(low, mask=null)]
