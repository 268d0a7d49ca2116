"""The two answers a statement gives: rows, or done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

import pyarrow as pa

from storage.types import DorisType


@dataclass(frozen=True, slots=True)
class Field:
    """One result column as the client sees it; `type` None means that only DuckDB's type is known."""

    name: str
    type: DorisType | None
    nullable: bool = True
    table: str = ""
    origin: str = ""  # name of the base column
    database: str = ""
    key: bool = False


class Source(Protocol):
    """An open read: record batches, and what must be let go afterwards."""

    @property
    def schema(self) -> pa.Schema: ...

    def __iter__(self) -> Iterator[pa.RecordBatch]: ...

    def close(self) -> None:
        """End reader, transaction and cursor; may be called again."""


@dataclass(slots=True)
class Rows:
    """A lazy result: `source` is read once and closed by whoever holds the Rows."""

    fields: tuple[Field, ...]
    source: Source

    def close(self) -> None:
        self.source.close()


@dataclass(slots=True)
class Done:
    """An OK answer: affected rows, warnings, info text of the OK packet."""

    affected: int = 0
    info: str = ""
    warnings: int = 0
    filtered: int = 0


Result = Rows | Done


@dataclass(slots=True)
class Held:
    """A Source over an Arrow table that is already in memory (SHOW, constants)."""

    table: pa.Table
    batches: list[pa.RecordBatch] = field(init=False)

    def __post_init__(self) -> None:
        self.batches = self.table.to_batches()

    @property
    def schema(self) -> pa.Schema:
        return self.table.schema

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        return iter(self.batches)

    def close(self) -> None:
        self.batches = []
