"""Writers of one key side by side: UPDATE one after the other or not, partial updates that both survive."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from storage.audit import audit
from storage.config import ENABLE_CONCURRENT_UPDATE
from storage.work import Commit, Watch, Work
from tests.local import Local, Session

THREADS = 4
WRITES = 25


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Local]:
    """An engine with a table of one row."""
    engine = Local(tmp_path / "data")
    session = engine.connect()
    session.execute("CREATE DATABASE one; USE one")
    session.execute("CREATE TABLE t (k INT, a INT, b INT, c INT, d INT) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1")
    session.execute("INSERT INTO t VALUES (1, 0, 0, 0, 0)")
    yield engine
    assert audit(engine.database) == []
    engine.close()


@pytest.mark.parametrize(("concurrent", "outcome"), [("false", 2), ("true", 1)])
def test_updates_are_serial_unless_the_setting_lets_them_run_at_once(
    local: Local, monkeypatch: pytest.MonkeyPatch, concurrent: str, outcome: int
) -> None:
    """A second UPDATE commits while the first one is about to: only evaluated under the lock the first sees it."""
    local.config.override(ENABLE_CONCURRENT_UPDATE.name, concurrent)
    first, second = local.connect("one"), local.connect("one")
    apply, pending = local.database.apply, [True]

    def overtaken(work: Work, watch: Watch | None = None) -> Commit:
        if pending:
            pending.clear()
            second.execute("UPDATE t SET a = a + 1 WHERE k = 1")
        return apply(work, watch)

    monkeypatch.setattr(local.database, "apply", overtaken)
    assert first.execute("UPDATE t SET a = a + 1 WHERE k = 1") == 1
    assert first.query("SELECT a FROM t") == [(outcome,)]


def test_updates_of_one_row_from_many_threads_all_count(local: Local) -> None:
    _together(local, lambda session, number: session.execute("UPDATE t SET a = a + 1 WHERE k = 1"))
    assert local.connect("one").query("SELECT a FROM t") == [(THREADS * WRITES,)]


def test_partial_updates_of_different_columns_all_survive(local: Local) -> None:
    """The later version fills its gaps from the row that the earlier one wrote."""
    seen = dict.fromkeys("abcd", 0)

    def write(session: Session, number: int) -> None:
        column = "abcd"[number]
        seen[column] += 1
        session.execute(f"INSERT INTO t (k, {column}) VALUES (1, {seen[column]})")
        assert session.query(f"SELECT {column} FROM t WHERE k = 1") == [(seen[column],)]

    _together(local, write)
    assert local.connect("one").query("SELECT * FROM t") == [(1, WRITES, WRITES, WRITES, WRITES)]


def _together(local: Local, write: Callable[[Session, int], object]) -> None:
    """Write from several threads, each with a session that makes partial updates."""
    start = threading.Barrier(THREADS, timeout=60)

    def work(number: int) -> None:
        session = local.connect("one")
        session.execute("SET enable_unique_key_partial_update = true")
        start.wait()
        for _ in range(WRITES):
            write(session, number)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(work, range(THREADS)))
