"""Captured upserts against plain DuckDB's write of the same Arrow batch, by key and by row id.

Deleting by key is the least that DuckDB can do; raw looks the row ids up first, as whoever keeps the rows must. The
plain table has the same columns as ours, those that carry the commit of a row among them, so that what is compared is
the keeping of the history. The texts of a row are a few that come again and again; one line has texts that never do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa

from bench.measure import Result, Scale, compare
from tests.local import Local

AIMS = {"all new": 1.2, "half new": 1.7, "all existing": 2.2}
RAW_AIMS = {"all new": (1.2, 1.2, 1.2), "half new": (1.3, 1.6, 1.8)}  # by size of the batch
SHARES = {"all new": 1.0, "half new": 0.5, "all existing": 0.0}
COLUMNS = "k BIGINT, a VARCHAR(20), b VARCHAR(20), c DECIMAL(12, 2), d INT, e BIGINT"
COMMIT = "tso BIGINT, lsn BIGINT, op TINYINT, version BIGINT, part INT"


def run(folder: Path, scale: Scale) -> Iterator[Result]:
    """One line for each size of batch and share of new keys."""
    for share, fraction in SHARES.items():
        for place, rows in enumerate(scale.batches):
            pair = _Pair(folder / f"{share}-{rows}".replace(" ", "-"), scale.base, batch)
            name = f"upsert of {rows:,} into {scale.base:,}, {share}"
            yield compare(name, AIMS[share], (pair.upsert(rows, fraction, pair.by_key) for _ in range(scale.repeats)))
            if share in RAW_AIMS:
                pairs = (pair.upsert(rows, fraction, pair.by_row_id) for _ in range(scale.repeats))
                yield compare(f"{name}, or raw", RAW_AIMS[share][place], pairs)
            pair.close()
    pair, rows = _Pair(folder / "own-texts", scale.base, with_own_texts), scale.batches[1]
    pairs = (pair.upsert(rows, 0.5, pair.by_row_id) for _ in range(scale.repeats))
    yield compare(f"upsert of {rows:,} into {scale.base:,}, half new, own texts, or raw", None, pairs)
    pair.close()


class _Pair:
    """The same base rows in a changelog table of ours and in a plain DuckDB table, each in a file of its own."""

    def __init__(self, folder: Path, base: int, batch: Callable[[np.ndarray], pa.Table]) -> None:
        self._batch = batch
        self._random = np.random.default_rng(1)
        self._local = Local(folder / "ours")
        session = self._local.connect()
        session.execute("CREATE DATABASE bench")
        session.execute("USE bench")
        session.execute(
            f"CREATE TABLE base ({COLUMNS}) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1"
            ' PROPERTIES ("changelog.enable" = "true", "changelog.need_historical_value" = "true")'
        )
        self._table = self._local.table("bench", "base")
        self._plain = duckdb.connect(str(folder / "plain.duckdb"))
        self._plain.execute(f"CREATE TABLE base ({COLUMNS}, {COMMIT})")
        self._keys = base
        rows = self._batch(self._random.permutation(base))
        self._ours(rows)()
        self._other(rows, self.by_key)()

    def upsert(
        self, rows: int, new: float, delete: Callable[[], None]
    ) -> tuple[Callable[[], object], Callable[[], object]]:
        """A batch with that share of new keys, as a call for each side."""
        fresh = int(rows * new)
        old = self._random.choice(self._keys, rows - fresh, replace=False)
        keys = np.concatenate([old, np.arange(self._keys, self._keys + fresh)])
        self._keys += fresh
        written = self._batch(self._random.permutation(keys))
        return self._ours(written), self._other(written, delete)

    def close(self) -> None:
        self._local.close()
        self._plain.close()

    def _ours(self, rows: pa.Table) -> Callable[[], object]:
        return self._local.writing(self._table, rows)

    def by_key(self) -> None:
        self._plain.execute("DELETE FROM base WHERE k IN (SELECT k FROM incoming)")

    def by_row_id(self) -> None:
        found = "SELECT t.rowid AS id FROM base t JOIN incoming s ON t.k = s.k"
        self._plain.register("found", self._plain.sql(found).to_arrow_table())
        self._plain.execute("DELETE FROM base WHERE rowid IN (SELECT id FROM found)")
        self._plain.unregister("found")

    def _other(self, rows: pa.Table, delete: Callable[[], None]) -> Callable[[], object]:
        def write() -> None:
            numbers = pa.array(np.arange(rows.num_rows))
            self._plain.register("incoming", rows.append_column("lsn", numbers))
            self._plain.execute("BEGIN")
            delete()
            self._plain.execute("INSERT INTO base SELECT * EXCLUDE (lsn), 1, lsn, 0, 2, 1 FROM incoming")
            self._plain.execute("COMMIT")
            self._plain.unregister("incoming")

        return write


def batch(keys: np.ndarray) -> pa.Table:
    """Rows for these keys, in this order, with a thousand names and a hundred towns."""
    return _rows(keys, repeated("name", keys % 1000), repeated("town", keys % 100))


def with_own_texts(keys: np.ndarray) -> pa.Table:
    """The same with texts of their own in each row."""
    texts = pa.array(keys).cast(pa.string())
    return _rows(keys, texts, texts)


def repeated(word: str, numbers: np.ndarray) -> pa.Array:
    """Texts of which there are a thousand at most."""
    return pa.array([f"{word} {number}" for number in range(1000)]).take(pa.array(numbers))


def _rows(keys: np.ndarray, a: pa.Array, b: pa.Array) -> pa.Table:
    money = pa.array((keys % 1_000_000).astype(np.int32)).cast(pa.decimal128(12, 2))
    small = pa.array((keys % 1000).astype(np.int32))
    return pa.table({"k": pa.array(keys), "a": a, "b": b, "c": money, "d": small, "e": pa.array(keys * 3)})
