"""LARGEINT columns leave the SQL layer as text: Arrow has no 128-bit integer that clients know.

DuckDB's lossless Arrow form of HUGEINT is 16 bytes, little endian; the text is what the protocol sends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from sql.bind.type import is_hugeint
from sql.result import Source


@dataclass(slots=True)
class LargeintText:
    """A Source whose HUGEINT columns are strings."""

    inner: Source

    @property
    def schema(self) -> pa.Schema:
        return self.inner.schema

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        columns = [index for index, field in enumerate(self.schema) if is_hugeint(field.type)]
        for batch in self.inner:
            for index in columns:
                batch = batch.set_column(index, batch.schema.field(index).name, _text(batch.column(index)))
            yield batch

    def close(self) -> None:
        self.inner.close()


def _text(column: pa.ExtensionArray) -> pa.Array:
    values = column.storage.to_pylist()
    return pa.array([None if v is None else str(int.from_bytes(v, "little", signed=True)) for v in values], pa.string())
