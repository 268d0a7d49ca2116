"""One read: a DuckDB transaction on its own cursor, with the catalog that matches its data.

A reader takes no lock and sees one snapshot from its first statement to its end. It has a bounded
life: while it is open, a DDL that commits beside it keeps checkpoints from succeeding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from storage import offset
from storage.catalog.catalog import Catalog
from storage.catalog.published import Published
from storage.catalog.schema import PART_VERSION, PURGE
from storage.cursor import Cursor
from storage.naming import PART, current
from storage.offset import Offset


@dataclass(frozen=True, slots=True)
class PartVersion:
    """The latest commit of a partition and its visible version (the first write gives 2)."""

    tso: int
    version: int


class Reader:
    """An open read; `catalog` is the snapshot that matches the data. Used by one thread, interrupted from any."""

    def __init__(self, cursor: Cursor, published: Published) -> None:
        self._cursor = cursor
        self._closed = False
        try:
            cursor.execute("BEGIN")
            self.catalog: Catalog = published.seen_by(cursor)
        except BaseException:
            self.close()
            raise

    def versions(self, table_id: int) -> dict[int, PartVersion]:
        """Latest commits by partition id; only partitions that were ever written."""
        rows = self._cursor.rows(
            f"SELECT part_id, tso, version FROM {PART_VERSION.name} WHERE table_id = ?", (table_id,)
        )
        return {part: PartVersion(tso, version) for part, tso, version in rows}  # type: ignore[arg-type, misc]

    def row_counts(self, table_ids: Iterable[int]) -> dict[int, int]:
        """Rows by partition id, dropped and temporary partitions too; only partitions that have some."""
        counts = [f"SELECT {PART}, count(*) FROM {current(table)} GROUP BY 1" for table in table_ids]
        rows = self._cursor.rows(" UNION ALL ".join(counts)) if counts else []
        return dict(rows)  # type: ignore[arg-type]

    def offsets(self, stream_id: int) -> dict[int, Offset]:
        """Offsets of a stream by partition id; a partition without one is read from its start."""
        return offset.read(self._cursor, stream_id)

    def purged_tso(self, table_id: int) -> int:
        """Change records at or below this TSO are physically gone; 0 = none are."""
        rows = self._cursor.rows(f"SELECT purged_tso FROM {PURGE.name} WHERE table_id = ?", (table_id,))
        found = rows[0][0] if rows else 0
        assert isinstance(found, int)
        return found

    def source(self, rows: pa.Table) -> str:
        """Make an Arrow table readable in SQL until this reader is closed; gives its name there."""
        return self._cursor.source(rows)

    def table(self, sql: str, parameters: Sequence[object] = ()) -> pa.Table:
        """The whole result of a DuckDB SELECT."""
        return self._cursor.table(sql, parameters)

    def stream(self, sql: str, parameters: Sequence[object] = ()) -> Stream:
        """The result of a DuckDB SELECT as it is made; closing it closes the reader too."""
        return Stream(self, self._cursor, self._cursor.stream(sql, parameters))

    def interrupt(self) -> None:
        """Stop the running statement; from any thread, without effect on a closed reader."""
        if not self._closed:
            self._cursor.interrupt()

    def close(self) -> None:
        """End the transaction and give the cursor back; may be called again."""
        if self._closed:
            return
        self._closed = True
        self._cursor.end_stream()
        self._cursor.rollback()
        self._cursor.close()


class Stream:
    """Record batches of an open read (sql/result.py: Source); the end of the data closes the reader."""

    def __init__(self, reader: Reader, cursor: Cursor, schema: pa.Schema) -> None:
        self._reader = reader
        self._cursor = cursor
        self.schema = schema

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        while (batch := self._cursor.next_batch()) is not None:
            yield batch
        self.close()

    def close(self) -> None:
        """End reader, transaction and cursor; may be called again."""
        self._reader.close()
