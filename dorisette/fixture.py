"""The pytest plugin for users' own test suites: the fixture `dorisette` is a server that runs for the session.

Installed with the package (entry point `pytest11`), so that a test needs no import::

    def test_sync(dorisette):
        with dorisette.connect(database=dorisette.new_database()) as connection: ...

The server is a child process on free loopback ports with changelog and streams switched on; its data lies in
pytest's temporary folder. docs/testing.md describes it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

import pymysql
import pytest

from dorisette.process import ServerProcess


@dataclass(frozen=True, slots=True)
class Dorisette:
    """Where the session's server listens: what any MySQL client needs to connect (user root, no password)."""

    host: str
    port: int
    http_port: int
    process: ServerProcess
    user: str = "root"
    password: str = ""
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def parameters(self) -> dict[str, str | int]:
        """The keyword arguments of pymysql.connect and of most other drivers."""
        return {"host": self.host, "port": self.port, "user": self.user, "password": self.password}

    @property
    def url(self) -> str:
        """The same as a URL, for SQLAlchemy and tools like it."""
        return f"mysql+pymysql://{self.user}@{self.host}:{self.port}"

    def connect(self, **options: object) -> pymysql.connections.Connection:
        """Open a connection; `options` are those of pymysql.connect and win over the fixture's."""
        return self.process.connect(**options)

    def new_database(self, prefix: str = "test") -> str:
        """Create an empty database, `<prefix>_<number>`, and return its name, so that tests do not meet."""
        name = f"{prefix}_{next(self._numbers)}"
        with self.connect() as connection, connection.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE `{name}`")
        return name


@pytest.fixture(scope="session")
def dorisette(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dorisette]:
    """Start a server for the test session; each pytest-xdist worker gets its own."""
    process = ServerProcess(tmp_path_factory.mktemp("dorisette"))
    process.start()
    try:
        yield Dorisette(process.host, process.port, process.http_port, process)
        process.stop()
    finally:
        process.kill()
