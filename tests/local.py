"""The engine in this process, without sockets, as property, crash, concurrency tests and the benchmark drive it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from sql.context import Context, Process
from sql.engine import Engine
from sql.result import Rows
from storage.catalog.model import Table
from storage.config import ENABLE_FEATURE_CHANGELOG, ENABLE_TABLE_STREAM, Config
from storage.database import Database
from storage.naming import PART
from storage.tso import Clock, unix_ms
from storage.work import Batch, Partial, Work, Write


class NoSessions:
    """A server without neighbours."""

    def processes(self) -> Sequence[Process]:
        """Nobody else is connected."""
        return ()

    def kill(self, connection_id: int, query_only: bool, query_id: str = "") -> None:
        """There is nobody to kill."""

    def find_query(self, query_id: str) -> int | None:
        """No other connection runs anything."""
        return None


class Local:
    """An engine over a database of its own; `connect` gives sessions."""

    def __init__(self, directory: Path, clock: Clock = unix_ms) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.config = Config()
        for key in (ENABLE_FEATURE_CHANGELOG, ENABLE_TABLE_STREAM):
            self.config.override(key.name, "true")
        self.database = Database(directory, self.config, clock)
        self.engine = Engine(self.database, self.config, NoSessions())
        self._connections = 0

    def connect(self, database: str | None = None) -> Session:
        """Open a session as root."""
        self._connections += 1
        context = self.engine.context(self._connections, "root", "127.0.0.1")
        context.database = database
        return Session(self.engine, context)

    def table(self, database: str, name: str) -> Table:
        """The live table of that name."""
        catalog = self.database.catalog
        entry = catalog.database(database)
        found = catalog.table(entry.id, name) if entry is not None else None
        assert found is not None
        return found

    def writing(self, table: Table, rows: pa.Table, partial: Partial | None = None) -> Callable[[], object]:
        """A call that writes rows into the table's first partition through the one write entry, without SQL."""
        parts = pa.array(np.full(rows.num_rows, table.partitions[0].id, dtype=np.int32))
        batch = Batch(rows.append_column(PART, parts), partial)
        work = Work((Write(table.id, table.schema_version, batch),))
        return lambda: self.database.apply(work)

    def close(self) -> None:
        """Checkpoint and release the file."""
        self.database.close()


class Session:
    """One connection's context."""

    def __init__(self, engine: Engine, context: Context) -> None:
        self.engine = engine
        self.context = context

    def execute(self, text: str) -> int:
        """Run statements; returns the affected rows of the last one."""
        affected = 0
        for result in self.engine.run(text, self.context):
            if isinstance(result, Rows):
                result.close()
            else:
                affected = result.affected
        return affected

    def query(self, text: str) -> list[tuple[object, ...]]:
        """Run one statement and return all its rows."""
        (table,) = [self._read(result) for result in self.engine.run(text, self.context) if isinstance(result, Rows)]
        return list(zip(*(column.to_pylist() for column in table.columns), strict=True)) if table.num_rows else []

    def _read(self, rows: Rows) -> pa.Table:
        try:
            return pa.Table.from_batches(list(rows.source), rows.source.schema)
        finally:
            rows.close()
