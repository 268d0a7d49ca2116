"""The cells of an Arrow column as values that can be compared and hashed."""

from __future__ import annotations

from typing import TypeVar

import pyarrow as pa
import pyarrow.compute as pc

Cells = TypeVar("Cells", pa.Array, pa.ChunkedArray)


def comparable(cells: pa.Array | pa.ChunkedArray) -> list[object]:
    """One Python value a cell, None for NULL; equal and ordered as the cells are."""
    values: list[object] = numbered(cells).to_pylist()
    return values


def numbered(cells: Cells) -> Cells:
    """Dates as numbers of days or microseconds, others as they are: Doris's begin in the year 0, Python's in 1."""
    if pa.types.is_date32(cells.type):
        return cells.cast(pa.int32())
    return cells.cast(pa.int64()) if pa.types.is_timestamp(cells.type) else cells


def plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The plain values of an extension column (LARGEINT, BOOLEAN), with which Arrow cannot compute."""
    if not isinstance(column.type, pa.BaseExtensionType):
        return column
    return pa.chunked_array([chunk.storage for chunk in column.chunks], column.type.storage_type)


def truths(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A BOOLEAN column, NULL as false; from DuckDB it comes as an extension type."""
    return pc.fill_null(plain(column).cast(pa.bool_()), False)
