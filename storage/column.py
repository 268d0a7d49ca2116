"""A column as DuckDB hands it to a function over Arrow data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
import pyarrow as pa

Column: TypeAlias = pa.ChunkedArray | pa.Array


def whole(column: Column) -> pa.Array:
    """One array of the column's chunks."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def byte_lists(lists: Column) -> Iterator[list[bytes]]:
    """The states of each list, NULLs left out; a NULL list has none."""
    return ([item for item in items or () if item is not None] for items in whole(lists).to_pylist())


def number_lists(lists: Column) -> Sequence[np.ndarray]:
    """The numbers of each list, NULLs left out; a NULL list has none."""
    column = whole(lists)
    items = column.flatten()
    ends = np.cumsum(pa.compute.list_value_length(column).fill_null(0).to_numpy(zero_copy_only=False))
    known = np.concatenate([[0], np.cumsum(items.is_valid().to_numpy(zero_copy_only=False))])
    return np.split(items.drop_null().to_numpy(), known[ends][:-1]) if len(column) else []


def of_records(records: np.ndarray) -> pa.Array:
    """The bytes of each record of a packed numpy type."""
    width = pa.binary(records.dtype.itemsize)
    return pa.Array.from_buffers(width, len(records), [None, pa.py_buffer(records)]).cast(pa.binary())
