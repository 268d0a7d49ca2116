"""Aggregate Key tables: merging a batch against appending it, reading the aggregate against making it; BITMAPs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa

from bench.measure import Result, Scale, compare
from tests.local import Local

COLUMNS = "k BIGINT, s BIGINT {SUM}, hi INT {MAX}, last VARCHAR(20) {REPLACE}"
PLAIN = COLUMNS.format(SUM="", MAX="", REPLACE="")
AGGREGATED = COLUMNS.format(SUM="SUM", MAX="MAX", REPLACE="REPLACE")
BATCHES = 10  # of which the plain table keeps every row


def run(folder: Path, scale: Scale) -> Iterator[Result]:
    """Writing, reading, and the two ways to count distinct values."""
    rows = scale.base // BATCHES
    pair = _Pair(folder, scale.base)
    name = f"merge of {rows:,} into {scale.base:,} keys"
    yield compare(f"{name} by INSERT … SELECT, or append", 2.0, [pair.insert(rows)] * scale.repeats)
    yield compare(f"{name} of a batch, or append", None, (pair.write(rows, own=True) for _ in range(scale.repeats)))
    yield compare(f"{name}, or DuckDB's append", None, (pair.write(rows, own=False) for _ in range(scale.repeats)))
    name = f"read of {scale.base:,} keys, or GROUP BY of all rows"
    yield compare(name, 0.05, [pair.read] * scale.repeats)
    name = f"bitmap_union of {scale.base:,} rows, or COUNT(DISTINCT)"
    yield compare(name, 2.0, [pair.union("")] * scale.repeats)
    name = f"the same in {scale.base // 1000:,} groups"
    yield compare(name, 2.0, [pair.union("GROUP BY hi")] * scale.repeats)
    pair.close()


class _Pair:
    """The same rows merged in an Aggregate Key table of ours and appended to a plain DuckDB table."""

    def __init__(self, folder: Path, keys: int) -> None:
        self._random = np.random.default_rng(1)
        self._keys = keys
        self._local = Local(folder / "ours")
        self._session = self._local.connect()
        self._session.execute("CREATE DATABASE bench; USE bench")
        self._session.execute(f"CREATE TABLE merged ({AGGREGATED}) AGGREGATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1")
        self._session.execute(f"CREATE TABLE kept ({PLAIN}) DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1")
        self._plain = duckdb.connect(str(folder / "plain.duckdb"))
        self._plain.execute("CREATE TABLE kept (k BIGINT, s BIGINT, hi INTEGER, last VARCHAR, batch INTEGER)")
        self._batches = 0
        first = self._batch(self._random.permutation(keys))
        for table in ("merged", "kept"):
            self._ours(table, first)()
        self._other(first)()

    def write(self, rows: int, own: bool) -> tuple[Callable[[], object], Callable[[], object]]:
        """A batch whose keys are half new: merged, and appended to a Duplicate Key table or a plain one."""
        half = rows // 2
        old = self._random.choice(self._keys, rows - half, replace=False)
        batch = self._batch(np.concatenate([old, np.arange(self._keys, self._keys + half)]))
        self._keys += half
        return self._ours("merged", batch), self._ours("kept", batch) if own else self._other(batch)

    def insert(self, rows: int) -> tuple[Callable[[], object], Callable[[], object]]:
        """The same rows by a statement: into the Aggregate Key table, and into a Duplicate Key table of their own."""
        self._session.execute(
            f"CREATE TABLE IF NOT EXISTS appended ({PLAIN}) DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1"
        )
        query = f"SELECT k + {self._keys - rows // 2}, s, hi, last FROM kept WHERE k < {rows}"
        return (
            lambda: self._session.execute(f"INSERT INTO merged {query}"),
            lambda: self._session.execute(f"INSERT INTO appended {query}"),
        )

    @property
    def read(self) -> tuple[Callable[[], object], Callable[[], object]]:
        """Every column of the aggregate, at rest; the value that replaces the others is that of the last batch."""
        query = "SELECT k, sum(s), max(hi), arg_max(last, batch) FROM kept GROUP BY k"
        whole = f"SELECT count(*), sum(s), max(hi), count(last) FROM ({query}) g(k, s, hi, last)"
        ours = "SELECT COUNT(*), SUM(s), MAX(hi), COUNT(last) FROM merged"
        self._local.database.checkpoint()
        self._plain.execute("CHECKPOINT")
        return self._warm(ours, whole)

    def union(self, group: str) -> tuple[Callable[[], object], Callable[[], object]]:
        """A bitmap of every group, and the native count of its distinct values."""
        ours = f"SELECT bitmap_count(b) FROM (SELECT bitmap_union(to_bitmap(k)) AS b FROM kept {group}) t"
        return self._warm(ours, f"SELECT count(DISTINCT k) FROM kept {group}")

    def _warm(self, query: str, plain: str) -> tuple[Callable[[], object], Callable[[], object]]:
        """Two queries that have run before: then a statement is not parsed again, and memory is there."""

        def ours() -> object:
            return self._session.query(query)

        def other() -> object:
            return self._plain.execute(plain).fetchall()

        for call in (ours, other) * 2:
            call()
        return ours, other

    def close(self) -> None:
        self._local.close()
        self._plain.close()

    def _batch(self, keys: np.ndarray) -> pa.Table:
        return pa.table(
            {
                "k": pa.array(keys, pa.int64()),
                "s": pa.array(keys % 100, pa.int64()),
                "hi": pa.array((keys % 1000).astype(np.int32)),
                "last": pa.array(keys).cast(pa.string()),
            }
        )

    def _ours(self, name: str, rows: pa.Table) -> Callable[[], object]:
        return self._local.writing(self._local.table("bench", name), rows)

    def _other(self, rows: pa.Table) -> Callable[[], object]:
        def append() -> None:
            self._plain.register("incoming", rows)
            self._batches += 1
            self._plain.execute(f"INSERT INTO kept SELECT *, {self._batches} FROM incoming")
            self._plain.unregister("incoming")

        return append
