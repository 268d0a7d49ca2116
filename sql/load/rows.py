"""The rows of a body: columns of text, and the pieces that were no row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Rejected:
    """A piece of the body that is no row, and why."""

    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class Rows:
    """Columns of text in the order of the source names; `flags` tell per row whether a column was given at all."""

    columns: tuple[pa.ChunkedArray | pa.Array, ...]
    count: int
    rejected: tuple[Rejected, ...] = ()
    flags: tuple[pa.Array, ...] = field(default=())


def text_columns(rows: Sequence[Sequence[str | None]], width: int) -> tuple[pa.Array, ...]:
    """Turn rows into columns."""
    columns = zip(*rows, strict=True) if rows else ((),) * width
    return tuple(pa.array(column, pa.string()) for column in columns)
