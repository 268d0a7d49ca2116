"""States leave the SQL layer as NULL: a BITMAP, HLL, QUANTILE_STATE or AGG_STATE has no text (Doris: BITMAP, HLL).

Only the outermost result is changed; INSERT … SELECT and CREATE TABLE AS carry the states themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from sql.result import Field, Source
from storage.types import STATES


def without_states(inner: Source, fields: Sequence[Field]) -> Source:
    """The source itself, or one whose state columns are NULL."""
    hidden = tuple(place for place, field in enumerate(fields) if field.type is not None and field.type.name in STATES)
    return _StatesAsNull(inner, hidden) if hidden else inner


@dataclass(slots=True)
class _StatesAsNull:
    inner: Source
    places: tuple[int, ...]

    @property
    def schema(self) -> pa.Schema:
        schema = self.inner.schema
        for place in self.places:
            schema = schema.set(place, pa.field(schema.field(place).name, pa.binary()))
        return schema

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        for batch in self.inner:
            for place in self.places:
                batch = batch.set_column(place, batch.schema.field(place).name, pa.nulls(batch.num_rows, pa.binary()))
            yield batch

    def close(self) -> None:
        self.inner.close()
