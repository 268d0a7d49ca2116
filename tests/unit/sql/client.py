"""A client without wire: statements through the engine over a database of the test's own, rows as tuples."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from sql.context import Context, Process
from sql.engine import Engine
from sql.result import Rows
from storage.config import Config
from storage.database import Database
from storage.errors import UNKNOWN_THREAD, DorisError, Kind

LOGIN_MS = 1_700_000_000_000


class OneSession:
    """What the server would know: one connection, and whom a KILL met."""

    def __init__(self) -> None:
        self.killed: list[tuple[int, bool]] = []

    def processes(self) -> Sequence[Process]:
        rest = (LOGIN_MS, "shop", "Query", 3, "OK", "q-1", "SELECT " + "1 " * 99)
        return [Process(1, "root", "127.0.0.1", *rest), Process(2, "eve", "127.0.0.1", *rest)]

    def kill(self, connection_id: int, query_only: bool, query_id: str = "") -> None:
        if connection_id not in (1, 2):
            raise UNKNOWN_THREAD(id=connection_id)
        self.killed.append((connection_id, query_only))

    def find_query(self, query_id: str) -> int | None:
        return 1 if query_id == "q-1" else None


class Client:
    """One connection; `other` opens a second one to the same server."""

    def __init__(self, engine: Engine, sessions: OneSession, user: str = "root") -> None:
        self.engine = engine
        self.sessions = sessions
        self.context: Context = engine.context(1, user, "127.0.0.1")

    def other(self, user: str = "root") -> Client:
        return Client(self.engine, self.sessions, user)

    def run(self, text: str) -> list[tuple[object, ...]]:
        """Run all statements; gives the rows of the last one."""
        rows: list[tuple[object, ...]] = []
        for result in self.engine.run(text, self.context):
            rows = []
            if isinstance(result, Rows):
                for batch in result.source:
                    rows += zip(*(column.to_pylist() for column in batch.columns), strict=True)
                result.close()
        return rows

    def column(self, text: str) -> list[object]:
        """The first column of the last result."""
        return [row[0] for row in self.run(text)]

    def headings(self, text: str) -> list[str]:
        result = next(self.engine.run(text, self.context))
        assert isinstance(result, Rows)
        result.close()
        return [field.name for field in result.fields]

    def refused(self, kind: Kind, text: str) -> str:
        """Run and expect one declared error; gives its message."""
        with pytest.raises(DorisError) as caught:
            self.run(text)
        assert caught.value.kind is kind, caught.value
        return caught.value.message


def open_database(directory: Path, **config: str) -> Database:
    settings = Config()
    switches = {"enable_feature_changelog": "true", "enable_table_stream": "true"}
    for name, value in {**switches, "changelog_cleanup_interval_second": "0", **config}.items():
        settings.override(name, value)
    return Database(directory, settings)


def client_of(database: Database) -> Client:
    sessions = OneSession()
    return Client(Engine(database, database.config, sessions), sessions)
