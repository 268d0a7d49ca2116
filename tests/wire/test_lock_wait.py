"""A statement that waits for another session's commit ends by KILL QUERY and by its timeout, and stores nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pymysql
import pytest

from server.control import Registry
from sql.context import Context
from sql.engine import Engine
from storage.audit import audit
from storage.config import Config
from storage.database import Database
from tests.unit.storage.together import Pause
from tests.waiting import wait
from tests.wire.conftest import LIMIT, Listener

INSERT = "INSERT INTO t VALUES (1, 'first')"
UPDATE = "UPDATE t SET v = 'first' WHERE k = 0"
LARGE = f"INSERT INTO t VALUES {', '.join(f'({key}, 0)' for key in range(10, 210))}"
SETUP = """
    CREATE DATABASE shop; USE shop; CREATE TABLE t (k INT, v STRING) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1;
    CREATE TABLE other (k INT, v STRING) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1; INSERT INTO t VALUES (0, 'old')
"""
KILLED = (1317, "Query execution was interrupted")
TIMED_OUT = (1105, "errCode = 2, detailMessage = query timeout after 1 s (query_timeout)")


class Shop(Listener):
    """A server with a table, one of whose commits is held at a step, and who notes that a statement waits."""

    def __init__(self, directory: Path, pool: ThreadPoolExecutor) -> None:
        self.pause, self._pool = Pause(), pool
        registry, config = Registry(LIMIT), Config()
        self.database = Database(directory / "data", config, step=self.pause)
        super().__init__(Engine(self.database, config, registry), registry, directory)
        self.session().cursor().execute(SETUP)

    def session(self) -> pymysql.connections.Connection:
        return self.connect(client_flag=pymysql.constants.CLIENT.MULTI_STATEMENTS)

    def hold(self, statement: str) -> Future[int]:
        """Run a statement that stays where it has its locks until `pause.over` is set."""
        self.pause.at = "locked"
        future = self.start(self.connect(database="shop"), statement)
        assert self.pause.reached.wait(20)
        return future

    def start(self, session: pymysql.connections.Connection, statement: str) -> Future[int]:
        return self._pool.submit(session.cursor().execute, statement)

    def rows(self) -> list[tuple[object, ...]]:
        with self.connect(database="shop").cursor() as cursor:
            cursor.execute("SELECT * FROM t ORDER BY k")
            return list(cursor.fetchall())


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set once a statement is being asked whether it still wants to wait."""
    event, plain = threading.Event(), Context.waiting

    def waiting(context: Context) -> None:
        event.set()
        plain(context)

    monkeypatch.setattr(Context, "waiting", waiting)
    return event


@pytest.fixture
def shop(tmp_path: Path, asked: threading.Event) -> Iterator[Shop]:
    with ThreadPoolExecutor(4) as pool:
        server = Shop(tmp_path, pool)
        try:
            yield server
        finally:
            server.pause.over.set()
            server.stop()
        assert audit(server.database) == []
        assert server.database.locks.held() == []
        server.database.close()


@pytest.mark.parametrize("how", ["kill", "timeout"])
@pytest.mark.parametrize(
    ("held", "waiting"),
    [
        (INSERT, "INSERT INTO t VALUES (2, 'second')"),  # a member of the line
        (UPDATE, "INSERT INTO t VALUES (2, 'second')"),  # its leader
        (INSERT, "UPDATE t SET v = 'second'"),
        (INSERT, LARGE),  # which shares no transaction
        (UPDATE, "DELETE FROM t WHERE k < 5"),
        (UPDATE, "DROP TABLE t"),
        (INSERT, "CREATE TABLE third (k INT)"),
    ],
)
def test_a_waiting_statement_ends(shop: Shop, asked: threading.Event, held: str, waiting: str, how: str) -> None:
    first, second = shop.hold(held), shop.connect(database="shop")
    if how == "timeout":
        second.cursor().execute("SET query_timeout = 1, insert_timeout = 1")
    future = shop.start(second, waiting)
    assert asked.wait(20)
    if how == "kill":
        shop.session().cursor().execute(f"KILL QUERY {second.thread_id()}")
    error = future.exception(20)
    assert isinstance(error, pymysql.Error)
    assert error.args == (KILLED if how == "kill" else TIMED_OUT)
    assert not first.done()
    shop.pause.over.set()
    assert first.result(20) == 1
    assert shop.rows() == ([(0, "first")] if held is UPDATE else [(0, "old"), (1, "first")])
    second.cursor().execute("INSERT INTO t VALUES (7, 'later')")
    assert shop.rows()[-1] == (7, "later")


def test_who_waits_behind_a_killed_one_goes_on(shop: Shop, asked: threading.Event) -> None:
    """The line of a table and its lead outlive a member; a DDL that gives up lets others in again."""
    first, second, third = shop.hold(UPDATE), shop.connect(database="shop"), shop.connect(database="shop")
    leading = shop.start(second, "INSERT INTO t VALUES (2, 'second')")
    assert asked.wait(20)
    following = shop.start(third, "INSERT INTO t VALUES (3, 'third')")
    with shop.session() as administrator:
        administrator.cursor().execute(f"KILL QUERY {second.thread_id()}")
        assert isinstance(leading.exception(20), pymysql.Error)
        dropping = shop.start(second, "DROP TABLE other")
        wait(lambda: shop.database.locks.catalog._waiting > 0, 20)
        administrator.cursor().execute(f"KILL QUERY {second.thread_id()}")
        assert isinstance(dropping.exception(20), pymysql.Error)
        assert administrator.cursor().execute("INSERT INTO shop.other VALUES (1, 'in')") == 1
    shop.pause.over.set()
    assert (first.result(20), following.result(20)) == (1, 1)
    assert shop.rows() == [(0, "first"), (3, "third")]
