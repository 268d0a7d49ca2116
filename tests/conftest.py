"""What all tests share: servers as child processes, connections that are closed, logs in failures, no skips in CI.

Unit and golden tests use none of the servers here.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path

import pymysql
import pytest

from dorisette.process import ServerProcess

Connect = Callable[..., pymysql.connections.Connection]
StartServer = Callable[..., ServerProcess]
REQUIRE_ALL = bool(os.environ.get("DORISETTE_REQUIRE_ALL"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update` writes golden files and generated parts of documents anew, to be read as a diff."""
    parser.addoption("--update", action="store_true", help="write golden files and generated documents anew")


@pytest.fixture(scope="session")
def shared_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of the worker's shared server."""
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="session")
def _shared_server(shared_home: Path) -> Iterator[ServerProcess]:
    server = ServerProcess(shared_home)
    try:
        yield server
        if server.pid is not None:
            server.stop()
    finally:
        server.kill()


@pytest.fixture
def server(_shared_server: ServerProcess) -> ServerProcess:
    """The worker's shared server: for tests that keep to databases of their own and leave it running."""
    if _shared_server.pid is None or _shared_server.exit_code is not None:
        _shared_server.start()
    return _shared_server


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[StartServer]:
    """Start servers of the test's own: `start_server(conf=None, environment=None, name="server")`."""
    started: list[ServerProcess] = []

    def start(
        conf: Mapping[str, str] | None = None, environment: Mapping[str, str] | None = None, name: str = "server"
    ) -> ServerProcess:
        process = ServerProcess(tmp_path / name, conf, environment)
        started.append(process)
        process.start()
        return process

    yield start
    for process in started:
        process.kill()


@pytest.fixture
def fresh_server(start_server: StartServer) -> ServerProcess:
    """A server of the test's own, which it may restart, kill and reconfigure."""
    return start_server()


@pytest.fixture
def connect(request: pytest.FixtureRequest) -> Iterator[Connect]:
    """Open connections that the test need not close: `connect(**pymysql options)`, or `connect(server, …)`."""
    opened: list[pymysql.connections.Connection] = []

    def open_connection(server: ServerProcess | None = None, **options: object) -> pymysql.connections.Connection:
        target = server or request.getfixturevalue("server")
        opened.append(target.connect(**options))
        return opened[-1]

    yield open_connection
    for connection in opened:
        with contextlib.suppress(pymysql.Error):
            connection.close()


@pytest.fixture
def database(server: ServerProcess, request: pytest.FixtureRequest) -> Iterator[str]:
    """An empty database of the shared server, dropped afterwards."""
    name = f"test_{abs(hash(request.node.nodeid))}"
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    yield name
    if server.exit_code is None:
        with server.connect() as connection, connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE IF EXISTS {name} FORCE")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the servers' last log lines under a failure; where everything is required, a skip is a failure."""
    report = yield
    _require(report)
    if report.failed:
        for name, value in getattr(item, "funcargs", {}).items():
            if isinstance(value, ServerProcess):
                report.sections.append((f"log of {name}", value.log_tail()))
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Where everything is required, a module that skips itself as a whole is a failure too."""
    report = yield
    _require(report)
    return report


def _require(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped and REQUIRE_ALL and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped although everything is required here: {report.longrepr}"
