"""Reads of one row by its key out of a large Unique Key table, written in random order: as it lies, and sorted."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow as pa

from bench.measure import Result, Scale, seconds
from storage.catalog.model import Table
from storage.work import Sort, Work
from tests.local import Local, Session

TURNS = 101


def run(folder: Path, scale: Scale) -> Iterator[Result]:
    """The median of many keys; from the engine's reader, and as a whole statement of a session."""
    rows = scale.base * 10
    local = Local(folder)
    session = local.connect()
    session.execute(
        "CREATE DATABASE bench; USE bench;"
        "CREATE TABLE t (k BIGINT NOT NULL, a VARCHAR(20), v INT, e BIGINT) UNIQUE KEY(k)"
        " DISTRIBUTED BY HASH(k) BUCKETS 1"
    )
    table = local.table("bench", "t")
    keys = np.random.default_rng(1).permutation(rows)
    local.writing(table, _rows(keys))()
    unsorted = _reads(local, table, keys)
    local.database.apply(Work(sorts=(Sort(table.id),)))
    yield Result(f"one row of {rows:,} by key, sorted / as it was written", _reads(local, table, keys), unsorted, None)
    yield Result(f"one row of {rows:,} by key, in process", _reads(local, table, keys), None, 1.5)
    yield Result(f"one row of {rows:,} by key, as a statement", _statements(session, keys), None, None)
    local.close()


def _rows(keys: np.ndarray) -> pa.Table:
    texts = pa.array(keys).cast(pa.string())
    return pa.table({"k": keys, "a": texts, "v": (keys % 1000).astype(np.int32), "e": keys * 3})


def _reads(local: Local, table: Table, keys: np.ndarray) -> float:
    """Milliseconds of one read."""
    with closing(local.database.reader()) as reader:
        text = f"SELECT k, a, v, e FROM t_{table.id} WHERE k = ?"
        times = [seconds(lambda key=int(key): reader.table(text, (key,))) for key in keys[:TURNS]]  # type: ignore[misc]
    return statistics.median(times) * 1000


def _statements(session: Session, keys: np.ndarray) -> float:
    texts = [f"SELECT * FROM t WHERE k = {key}" for key in keys[:TURNS]]
    return statistics.median(seconds(lambda text=text: session.query(text)) for text in texts) * 1000  # type: ignore[misc]
