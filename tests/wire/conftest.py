"""A wire server in this process, mostly one whose engine gives canned answers, for what needs no SQL.

The tests that need the real engine take `server` from tests/conftest.py, or put one of their own behind a `Listener`.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pymysql
import pytest

from server import outlet
from server.auth import Account, Users
from server.command import Services
from server.control import Registry
from server.mysql import WireServer
from server.runner import Runner
from tests.unit.server.fake import FakeEngine

T = TypeVar("T")
SECRET = "0cd5e5f2de02be98c175eb67eb906b926f001b9b"  # SHA1(SHA1('Secret'))
LIMIT = 6


class SomeUsers:
    """root and admin as at the first start, and one user with a password."""

    def find(self, name: str, host: str) -> Account | None:
        return {"root": Account("root"), "admin": Account("admin"), "ann": Account("ann", SECRET)}.get(name)


class Listener:
    """An engine behind a free port of this process, the event loop in a thread."""

    def __init__(self, engine: Runner, registry: Registry, directory: Path) -> None:
        self.registry = registry
        users: Users = SomeUsers()
        self._services = Services(engine, users, registry, "5.7.99", directory)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="fake-server")
        self._thread.start()
        self.server = self.call(self._make())
        self.call(self.server.start(self._socket))

    async def _make(self) -> WireServer:
        return WireServer(self._services)

    def call(self, work: Coroutine[object, object, T]) -> T:
        """Run a coroutine in the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    def connect(self, **options: Any) -> pymysql.connections.Connection:
        """Open a PyMySQL connection; `options` are those of pymysql.connect."""
        given: dict[str, Any] = {"host": "127.0.0.1", "port": self.port, "user": "root", **options}
        return pymysql.connect(**given)

    def stop(self, patience: float = 1.0) -> None:
        """Stop and prove that no thread of a connection is left."""
        self.call(self.server.stop(patience))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()
        assert not connection_threads()


class FakeServer(Listener):
    """A server that knows no SQL."""

    def __init__(self, directory: Path) -> None:
        self.engine = FakeEngine()
        super().__init__(self.engine, Registry(LIMIT), directory)


def connection_threads() -> list[str]:
    """Names of the threads of connections in this process, after those that are just ending have ended."""
    threads = [thread for thread in threading.enumerate() if thread.name.startswith("mysql-")]
    for thread in threads:
        thread.join(5)
    return [thread.name for thread in threads if thread.is_alive()]


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[FakeServer]:
    """A server of the test's own over the fake engine."""
    server = FakeServer(tmp_path)
    yield server
    server.stop()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results go to a file after a moment instead of some seconds."""
    monkeypatch.setattr(outlet, "PATIENCE_SECONDS", 0.2)
