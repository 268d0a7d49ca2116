"""The cells of an Arrow column as Python values that can be compared and hashed."""

from __future__ import annotations

import pyarrow as pa


def comparable(cells: pa.Array | pa.ChunkedArray) -> list[object]:
    """One value a cell, None for NULL; equal and ordered as the cells are.

    Dates are numbers of days or microseconds: Doris's begin in the year 0, Python's in the year 1.
    """
    if pa.types.is_date32(cells.type):
        cells = cells.cast(pa.int32())
    elif pa.types.is_timestamp(cells.type):
        cells = cells.cast(pa.int64())
    values: list[object] = cells.to_pylist()
    return values
