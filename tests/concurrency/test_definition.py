"""Definitions change while rows are written and read: nothing is lost, no reader sees half of a change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from storage.audit import audit
from storage.errors import TABLE_CHANGED, DorisError
from tests.local import Local, Session

WRITES = 20  # statements a writer
ROWS = 5  # rows a statement
ALTERATIONS = (
    "ADD COLUMN extra INT DEFAULT '3'",
    "ADD INDEX i (v)",
    "MODIFY COLUMN extra BIGINT DEFAULT '3' AFTER id",
    "DROP INDEX i",
    "DROP COLUMN extra",
)


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Local]:
    """An engine with a table that makes its partitions and one whose partition is replaced."""
    engine = Local(tmp_path / "data")
    session = engine.connect()
    session.execute("CREATE DATABASE ddl")
    session.execute("USE ddl")
    session.execute(
        "CREATE TABLE days (d DATE NOT NULL, id INT, v INT) UNIQUE KEY(d, id)"
        " AUTO PARTITION BY RANGE (date_trunc(d, 'day')) () DISTRIBUTED BY HASH(id) BUCKETS 1"
    )
    session.execute(
        "CREATE TABLE whole (k INT, v INT) UNIQUE KEY(k) PARTITION BY RANGE(k) (PARTITION p VALUES [(0), (100)))"
        " DISTRIBUTED BY HASH(k) BUCKETS 1"
    )
    session.execute(f"INSERT INTO whole VALUES {_generation(0)}")
    yield engine
    engine.close()


def _generation(number: int) -> str:
    return ", ".join(f"({key}, {number})" for key in range(ROWS))


def test_definitions_change_beside_reads_and_writes(local: Local) -> None:
    """Every acknowledged row is there once; each read is of one generation; the audit is clean."""
    done = threading.Event()
    writers = [_writer(local, number) for number in range(3)]
    others = (_alterer, _swapper, _counting_reader, _generation_reader, _visitor)
    with ThreadPoolExecutor(len(writers) + len(others)) as pool:
        running = [pool.submit(other(local, done)) for other in others]
        try:
            for written in [pool.submit(writer) for writer in writers]:
                written.result()
        finally:
            done.set()
        for future in running:
            future.result()
    session = local.connect("ddl")
    (found,) = session.query("SELECT count(*), count(DISTINCT id) FROM days")
    assert found == (3 * WRITES * ROWS, 3 * WRITES * ROWS)
    assert not [table for table in local.database.catalog.tables.values() if table.session is not None]
    assert audit(local.database) == []


def _writer(local: Local, number: int) -> Callable[[], None]:
    """Insert rows over days that most often have no partition yet."""

    def write() -> None:
        session = local.connect("ddl")
        for step in range(WRITES):
            first = (number * WRITES + step) * ROWS
            days = [f"days_add('2024-01-01', {(step + place) % 30})" for place in range(ROWS)]
            rows = ", ".join(f"({day}, {first + place}, 0)" for place, day in enumerate(days))
            _insist(session, f"INSERT INTO days (d, id, v) VALUES {rows}")

    return write


def _insist(session: Session, text: str) -> None:
    """Run a write; again, as its error asks for, when the columns changed under it."""
    while True:
        try:
            session.execute(text)
        except DorisError as error:
            if error.kind is not TABLE_CHANGED:
                raise
        else:
            return


def _until(done: threading.Event, step: Callable[[int], None], pause: float = 0) -> Callable[[], None]:
    """Steps until the writers are done; a pause leaves time for a write that must start again."""

    def work() -> None:
        turn = 0
        while not done.wait(pause):
            turn += 1
            step(turn)

    return work


def _alterer(local: Local, done: threading.Event) -> Callable[[], None]:
    """Give the written table columns and indexes, and take them away."""
    session = local.connect("ddl")

    def step(turn: int) -> None:
        session.execute(f"ALTER TABLE days {ALTERATIONS[(turn - 1) % len(ALTERATIONS)]}")

    return _until(done, step, pause=0.2)


def _swapper(local: Local, done: threading.Event) -> Callable[[], None]:
    """Fill a temporary partition with the next generation and put it in place."""
    session = local.connect("ddl")

    def step(turn: int) -> None:
        session.execute("ALTER TABLE whole ADD TEMPORARY PARTITION t VALUES [(0), (100))")
        session.execute(f"INSERT INTO whole TEMPORARY PARTITION (t) VALUES {_generation(turn)}")
        session.execute("ALTER TABLE whole REPLACE PARTITION (p) WITH TEMPORARY PARTITION (t)")

    return _until(done, step, pause=0.1)


def _counting_reader(local: Local, done: threading.Event) -> Callable[[], None]:
    """Rows only become more, and come in whole statements."""
    session, counts = local.connect("ddl"), [0]

    def step(turn: int) -> None:
        ((count,),) = session.query("SELECT count(*) FROM days")
        assert isinstance(count, int) and count >= counts[-1] and count % ROWS == 0
        counts.append(count)

    return _until(done, step)


def _generation_reader(local: Local, done: threading.Event) -> Callable[[], None]:
    """All rows of one generation, never of two and never too few."""
    session = local.connect("ddl")

    def step(turn: int) -> None:
        assert session.query("SELECT count(*), count(DISTINCT v) FROM whole") == [(ROWS, 1)]

    return _until(done, step)


def _visitor(local: Local, done: threading.Event) -> Callable[[], None]:
    """Sessions with a temporary table that come and go."""

    def step(turn: int) -> None:
        session = local.connect("ddl")
        session.execute("CREATE TEMPORARY TABLE days AS SELECT 1 AS one")
        assert session.query("SELECT one FROM days") == [(1,)]
        local.engine.leave(session.context)

    return _until(done, step, pause=0.1)
