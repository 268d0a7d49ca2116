"""Reading change data: windows against a plain scan of the same records, images against a copy of the current rows.

At the end the long history is removed, while single rows are written.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import duckdb
import numpy as np

from bench.measure import Result, Scale, compare
from bench.upsert import COLUMNS, batch
from storage.catalog.catalog import Catalog
from storage.catalog.model import Table
from storage.change.append import append_only
from storage.change.delta import min_delta
from storage.change.detail import detail
from storage.change.window import Window
from storage.naming import PART
from storage.relation import current
from storage.snapshot import image
from storage.work import Batch, Work, Write
from tests.local import Local

FORMS = {"min_delta": (min_delta, 4.0), "append_only": (append_only, 1.3), "detail": (detail, 3.0)}
LONG = 100  # windows in the long history
PIECE = 100_000
SLOW_MS = 200.0


def run(folder: Path, scale: Scale) -> Iterator[Result]:
    """Newest windows of each form, min_delta behind a hundred times the history, an image of half of it, removal."""
    window = scale.changes
    short, long = _Log(folder / "short"), _Log(folder / "long")
    long.grow(window * (LONG - 1))
    short.grow(window)  # so that half of the changes of both windows are updates
    for log in (short, long):
        log.start = log.latest()
        log.grow(window)
    plain = _plain(folder / "plain.duckdb", long)
    for name, (form, aim) in FORMS.items():
        yield compare(
            f"{name} of {window:,} changes out of {window * LONG:,} / scan of them",
            aim,
            [(partial(long.read, form), plain)] * (scale.repeats * 3),
        )
    name = f"min_delta of {window:,} changes out of {window * LONG:,} / out of {window * 2:,}"
    yield compare(name, 1.3, [(partial(long.read, min_delta), partial(short.read, min_delta))] * (scale.repeats * 3))
    name = f"image of {window * LONG // 2:,} changes ago / copy of the current rows"
    yield compare(name, 1.3, [(long.image_of_the_middle, long.copy)] * (scale.repeats * 3))
    yield _removal(long)
    short.close()
    long.close()


class _Log:
    """A table with before images whose half of the written keys are new."""

    def __init__(self, folder: Path) -> None:
        self._random = np.random.default_rng(1)
        self.local = Local(folder)
        session = self.local.connect()
        session.execute("CREATE DATABASE bench; USE bench")
        columns = COLUMNS.replace("BIGINT", "BIGINT NOT NULL", 1)
        session.execute(
            f"CREATE TABLE log ({columns}) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1"
            ' PROPERTIES ("changelog.enable" = "true", "changelog.need_historical_value" = "true")'
        )
        self._keys = 0
        self._commits: list[int] = []
        self.start = 0

    @property
    def table(self) -> Table:
        return next(iter(self.local.database.catalog.tables.values()))

    def grow(self, changes: int) -> None:
        """Write that many changes, half of them updates once there are keys."""
        while changes > 0:
            count = min(changes, PIECE)
            old = self._random.choice(max(self._keys, 1), min(count // 2, self._keys), replace=False)
            fresh = np.arange(self._keys, self._keys + count - len(old))
            self.write(self._random.permutation(np.concatenate([old, fresh]).astype(np.int64)))
            self._keys += len(fresh)
            changes -= count
        self.local.database.checkpoint()

    def write(self, keys: np.ndarray) -> None:
        table = self.table
        rows = batch(keys)
        rows = rows.append_column(PART, [np.full(rows.num_rows, table.partitions[0].id, dtype=np.int32)])
        work = Work((Write(table.id, table.schema_version, Batch(rows)),))
        self._commits.append(self.local.database.apply(work).tso)

    def latest(self) -> int:
        return self._commits[-1] if self._commits else 0

    def read(self, form: Callable[[Table, list[Window]], str]) -> None:
        """The newest window, to Arrow."""
        self._fetch(form(self.table, [Window(self.table.partitions[0].id, self.start, self.latest())]))

    def image_of_the_middle(self) -> None:
        middle = self._commits[len(self._commits) // 2]
        self._fetch(image(self.table, {self.table.partitions[0].id: middle}))

    def copy(self) -> None:
        self._fetch(current(self.table, None))

    def _fetch(self, sql: str) -> None:
        reader = self.local.database.reader()
        try:
            reader.table(sql)
        finally:
            reader.close()

    def records(self) -> object:
        """The window's records as one Arrow table."""
        reader = self.local.database.reader()
        try:
            return reader.table(detail(self.table, [Window(self.table.partitions[0].id, self.start, self.latest())]))
        finally:
            reader.close()

    def close(self) -> None:
        self.local.close()


def _plain(path: Path, log: _Log) -> Callable[[], object]:
    """A plain DuckDB table with one record a change, scanned to Arrow."""
    plain = duckdb.connect(str(path))
    plain.register("records", log.records())
    plain.execute(
        "CREATE TABLE scanned AS SELECT * FROM records WHERE __DORIS_STREAM_CHANGE_TYPE_COL__ <> 'UPDATE_BEFORE'"
    )
    plain.execute("CHECKPOINT")
    return lambda: plain.sql("SELECT * FROM scanned").to_arrow_table()


def _removal(log: _Log) -> Result:
    """The slowest one-row commit while all ended versions are removed in the background."""
    database, table = log.local.database, log.table
    assert table.changelog is not None
    expiring = replace(table, changelog=replace(table.changelog, ttl_seconds=1))

    def shorten(catalog: Catalog) -> Catalog:
        return catalog.with_table(expiring)

    time.sleep(1.5)
    reader = database.reader()
    ended = reader.table(f"SELECT count(*) FROM h_{table.id}").column(0)[0].as_py()
    reader.close()
    database.apply(Work(change=shorten))
    removal = threading.Thread(target=database.clean_up)
    removal.start()
    slowest, key = 0.0, 1 << 40
    while removal.is_alive():
        started = time.perf_counter()
        log.write(np.array([key]))
        slowest = max(slowest, time.perf_counter() - started)
        key += 1
    return Result(f"slowest one-row commit while {ended:,} records are removed", slowest * 1000, None, SLOW_MS)
