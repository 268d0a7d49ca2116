"""Writers on several tables, readers that stay open, a consumer, sorts by key and forced checkpoints, all at once."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sql.result import Rows
from storage.audit import audit
from storage.errors import OFFSET_CONSUMED, DorisError
from tests.local import Local, Session

TABLES = ("first", "second", "third")
WRITES = 60  # statements a writer
KEYS = 200
SYNC = (
    "INSERT INTO {table}_copy (id, writer, v, __DORIS_DELETE_SIGN__)"
    " SELECT id, writer, v, CASE WHEN __DORIS_STREAM_CHANGE_TYPE_COL__ = 'DELETE' THEN 1 ELSE 0 END FROM {table}_stream"
    " WHERE __DORIS_STREAM_CHANGE_TYPE_COL__ <> 'UPDATE_BEFORE'"
)


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Local]:
    """An engine with three tables, each with a stream and a copy to be kept in step."""
    engine = Local(tmp_path / "data")
    session = engine.connect()
    session.execute("CREATE DATABASE together")
    session.execute("USE together")
    columns = "(id INT, writer INT, v INT) UNIQUE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1"
    for table in TABLES:
        session.execute(
            f"CREATE TABLE {table} {columns} PROPERTIES"
            ' ("changelog.enable" = "true", "changelog.need_historical_value" = "true")'
        )
        session.execute(f"CREATE TABLE {table}_copy {columns}")
        session.execute(f"CREATE STREAM {table}_stream ON TABLE {table}")
    yield engine
    engine.close()


def test_nothing_is_lost_and_the_log_shrinks(local: Local, tmp_path: Path) -> None:
    """Every acknowledged write is there once, the copies end equal, the audit is clean, the WAL becomes small."""
    done = threading.Event()
    wal = _Wal(tmp_path / "data")
    writers = [_writer(local, table, number) for number, table in enumerate((*TABLES, "first"))]
    helpers = [_reader(local, done), _reader(local, done), _consumer(local, done), _checkpoints(local, done, wal)]
    written = _run(writers, helpers, done)
    _check_rows(local, written)
    assert audit(local.database) == []
    local.database.checkpoint()
    assert wal.size() < wal.peak / 10


def test_sorting_by_key_is_seen_by_nobody(local: Local) -> None:
    """Tables that are replaced by sorted copies all the time lose nothing and stand in nobody's way."""
    done = threading.Event()
    writers = [_writer(local, table, number) for number, table in enumerate((*TABLES, "first"))]
    written = _run(writers, [_reader(local, done), _consumer(local, done), _sorter(local, done)], done)
    _check_rows(local, written)
    assert audit(local.database) == []


def test_two_consumers_never_share_a_change(local: Local) -> None:
    """Each change of a stream arrives once, whoever takes it; the loser of a race gets the documented error."""
    session = local.connect("together")
    session.execute("CREATE TABLE taken (id INT, taker INT) DUPLICATE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1")
    done = threading.Event()
    with ThreadPoolExecutor(3) as pool:
        takers = [pool.submit(_taker(local, done, number)) for number in range(2)]
        try:
            for number in range(WRITES):
                session.execute(f"INSERT INTO first VALUES ({number}, 0, 0)")
        finally:
            done.set()
        for taker in takers:
            taker.result()
    session.execute("INSERT INTO taken SELECT id, 9 FROM first_stream")
    assert session.query("SELECT id FROM taken ORDER BY id") == [(number,) for number in range(WRITES)]


Written = tuple[str, int, dict[int, int]]  # table, writer, and the value of each key


def _run(
    writers: Sequence[Callable[[], Written]], helpers: Sequence[Callable[[], None]], done: threading.Event
) -> list[Written]:
    """What the writers wrote; the helpers go on until the last of them is done."""
    with ThreadPoolExecutor(len(writers) + len(helpers)) as pool:
        helping = [pool.submit(helper) for helper in helpers]
        try:
            written = [future.result() for future in [pool.submit(writer) for writer in writers]]
        finally:
            done.set()
        for future in helping:
            future.result()
    return written


class _Wal:
    """The size of the write-ahead log, now and at its largest."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.peak = 0

    def size(self) -> int:
        """Bytes now."""
        now = sum(path.stat().st_size for path in self._directory.glob("*.wal"))
        self.peak = max(self.peak, now)
        return now


def _writer(local: Local, table: str, number: int) -> Callable[[], Written]:
    """Upsert and delete keys that belong to this writer alone; returns what must be there in the end."""

    def write() -> Written:
        chance, rows = random.Random(number), dict[int, int]()
        session = local.connect("together")
        for step in range(WRITES):
            keys = [number * KEYS + key for key in chance.sample(range(KEYS), 20)]
            if step % 4 == 3:
                session.execute(f"DELETE FROM {table} WHERE id IN ({', '.join(map(str, keys))})")
                for key in keys:
                    rows.pop(key, None)
            else:
                values = ", ".join(f"({key}, {number}, {step})" for key in keys)
                session.execute(f"INSERT INTO {table} VALUES {values}")
                rows |= dict.fromkeys(keys, step)
        return table, number, rows

    return write


def _reader(local: Local, done: threading.Event) -> Callable[[], None]:
    """Keep a result open while others write; what it gives is one moment of the table."""

    def read() -> None:
        session = local.connect("together")
        while not done.is_set():
            (rows,) = session.engine.run("SELECT id, count(*) OVER (PARTITION BY id) FROM first", session.context)
            assert isinstance(rows, Rows)
            try:
                done.wait(0.05)
                counts = [count for batch in rows.source for count in batch.column(1).to_pylist()]
            finally:
                rows.close()
            assert set(counts) <= {1}

    return read


def _consumer(local: Local, done: threading.Event) -> Callable[[], None]:
    """Sync all copies, again and again, and once more after the last write."""

    def consume() -> None:
        session = local.connect("together")
        last = False
        while not last:
            last = done.is_set()
            for table in TABLES:
                session.execute(SYNC.format(table=table))

    return consume


def _sorter(local: Local, done: threading.Event) -> Callable[[], None]:
    """Replace the tables by sorted copies, again and again."""

    def sort() -> None:
        session = local.connect("together")
        while not done.wait(0.05):
            for table in TABLES:
                session.execute(f"ADMIN COMPACT TABLE {table} WHERE TYPE = 'BASE'")
                local.database.sort(local.table("together", table).id)

    return sort


def _checkpoints(local: Local, done: threading.Event, wal: _Wal) -> Callable[[], None]:
    """Force a checkpoint several times a second and watch the log."""

    def checkpoint() -> None:
        while not done.wait(0.1):
            wal.size()
            local.database.checkpoint()

    return checkpoint


def _taker(local: Local, done: threading.Event, number: int) -> Callable[[], int]:
    """Consume until told to stop; returns how many races were lost."""

    def take() -> int:
        session, lost = local.connect("together"), 0
        while not done.is_set():
            lost += not _takes(session, number)
        return lost

    return take


def _takes(session: Session, number: int) -> bool:
    try:
        session.execute(f"INSERT INTO taken SELECT id, {number} FROM first_stream")
    except DorisError as error:
        assert error.kind is OFFSET_CONSUMED
        return False
    return True


def _check_rows(local: Local, written: list[Written]) -> None:
    session = local.connect("together")
    for table in TABLES:
        wanted = sorted(
            (key, number, value) for name, number, rows in written if name == table for key, value in rows.items()
        )
        assert session.query(f"SELECT id, writer, v FROM {table} ORDER BY id") == wanted
        assert session.query(f"SELECT id, writer, v FROM {table}_copy ORDER BY id") == wanted
