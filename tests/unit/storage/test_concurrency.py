"""Writers on several tables, forced checkpoints, readers that stay open, a consumer: nothing lost, nothing double."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from storage.audit import audit
from storage.catalog.model import Stream, Table
from storage.change.delta import min_delta
from storage.change.window import Window
from storage.config import Config
from storage.database import Database
from storage.errors import OFFSET_CONSUMED, DorisError
from storage.reader import Reader
from storage.table import unique
from storage.work import ABSENT, Batch, Move, Work
from tests.unit.storage.shop import alter, batch, column, make_stream, make_table, select, write

SECONDS = 3.0
KEYS = 400


def test_writers_checkpoints_readers_and_a_consumer(
    tmp_path: Path, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unique, "RETURNED_ROWS", 20)  # all write forms take part
    database = Database(tmp_path, config)
    tables = [make_table(database, f"t{number}") for number in range(3)]
    target = make_table(database, "target")
    stream = make_stream(database, tables[0])
    stop = threading.Event()
    workers = [
        *(lambda table=table, seed=seed: _write(database, table, seed, stop) for seed, table in enumerate(tables)),
        lambda: _write(database, tables[0], 7, stop),
        lambda: _read(database, tables, stop),
        lambda: _consume(database, tables[0], target, stream, stop),
        lambda: _consume(database, tables[0], target, stream, stop),
        lambda: _checkpoint(database, stop),
        lambda: _alter(database, tables[2], stop),
    ]
    with ThreadPoolExecutor(len(workers)) as pool:
        futures = [pool.submit(worker) for worker in workers]
        time.sleep(SECONDS)
        stop.set()
        for future in futures:
            future.result(60)
    assert database.locks.held() == []
    assert not database.timestamps.inflight
    assert audit(database) == []
    assert _pump(database, tables[0], target, stream)
    assert select(database, f"SELECT k, v FROM t_{target.id}") == select(database, f"SELECT k, v FROM t_{tables[0].id}")
    database.checkpoint()
    assert sum(path.stat().st_size for path in tmp_path.glob("*.wal")) < 1_000_000
    database.close()


def _write(database: Database, table: Table, seed: int, stop: threading.Event) -> None:
    """Upserts and deletes of 1 to 60 keys."""
    number = seed
    while not stop.is_set():
        number += 1
        size = 1 + (number * 13) % 60
        keys = [(number * 31 + place * 7) % KEYS for place in range(size)]
        rows = [(key, f"{seed}-{number}") for key in keys]
        newest = database.catalog.tables[table.id]
        if len(newest.columns) > 2:
            rows = [(*row, 1) for row in rows]  # type: ignore[misc]
        try:
            database.apply(Work((write(newest, batch(newest, rows, deletes=range(0, size, 4))),)))
        except DorisError as error:
            assert "altered" in error.message


def _read(database: Database, tables: list[Table], stop: threading.Event) -> None:
    """A reader that stays open sees the same rows all the time, and no key twice."""
    while not stop.is_set():
        reader = database.reader()
        first = [_counts(reader, table) for table in tables]
        stop.wait(0.3)
        assert [_counts(reader, table) for table in tables] == first
        assert all(rows == keys for rows, keys in first)
        reader.close()


def _counts(reader: Reader, table: Table) -> tuple[int, int]:
    rows, keys = reader.table(f"SELECT count(*), count(DISTINCT k) FROM t_{table.id}").to_pylist()[0].values()
    return rows, keys


def _checkpoint(database: Database, stop: threading.Event) -> None:
    while not stop.wait(0.05):
        with suppress(DorisError):  # refused beside a reader that is older than an ALTER TABLE
            database.checkpoint()


def _alter(database: Database, table: Table, stop: threading.Event) -> None:
    """Columns come and go while others write."""
    base, uid = table.columns, 2
    while not stop.wait(0.4):
        columns = database.catalog.tables[table.id].columns
        uid += 1
        columns = (*base, column(uid, "n")) if len(columns) == 2 else base
        alter(database, table.id, columns=columns, schema_version=uid)


def _consume(database: Database, table: Table, target: Table, stream: Stream, stop: threading.Event) -> None:
    while not stop.wait(0.02):
        _pump(database, table, target, stream)


def _pump(database: Database, table: Table, target: Table, stream: Stream) -> bool:
    """Carry the net change over; False when another consumer was faster."""
    part = table.partitions[0].id
    reader = database.reader()
    version, offset = reader.versions(table.id).get(part), reader.offsets(stream.id).get(part)
    lo, hi = offset.tso if offset else 0, version.tso if version else 0
    kinds = "'APPEND', 'UPDATE_AFTER', 'DELETE'"
    changes = reader.table(
        f"SELECT k, v, {target.partitions[0].id}::INTEGER AS __doris_part, __DORIS_STREAM_CHANGE_TYPE_COL__ = 'DELETE'"
        f" AS __doris_delete FROM ({min_delta(table, [Window(part, lo, hi)] if hi > lo else [])})"
        f" WHERE __DORIS_STREAM_CHANGE_TYPE_COL__ IN ({kinds})"
    )
    reader.close()
    move = Move(stream.id, part, lo if offset else ABSENT, hi, ("shop", "s"))
    try:
        database.apply(Work((write(target, Batch(changes)),), (move,)))
    except DorisError as error:
        assert error.kind is OFFSET_CONSUMED
        return False
    return True
