"""A column as DuckDB hands it to a function over Arrow data."""

from __future__ import annotations

from typing import TypeAlias

import pyarrow as pa

Column: TypeAlias = pa.ChunkedArray | pa.Array


def whole(column: Column) -> pa.Array:
    """One array of the column's chunks."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
