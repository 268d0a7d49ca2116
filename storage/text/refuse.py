"""The error of a row that cannot be computed: what it says ends the query."""

from __future__ import annotations

import pyarrow as pa

from storage.column import Column, whole


class RefusedRow(Exception):  # noqa: N818  its name is part of what DuckDB says, see storage/refusal.py
    """The words for the client."""


def refuse(words: Column) -> pa.Array:
    """Raise the words of the first row."""
    said = next((text for text in whole(words).to_pylist() if text is not None), None)
    if said is not None:
        raise RefusedRow(said)
    return pa.nulls(len(words), pa.string())
