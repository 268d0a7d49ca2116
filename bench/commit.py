"""Durable one-row commits with capture: many writers of a table against one, and against DuckDB code with one lock."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import duckdb
import pyarrow as pa

from bench.measure import Result, Scale
from tests.local import Local

BASE = 100_000
SECONDS = 3.0
MOST = 12_000  # commits that are made ready: more than that time is enough for
Row = tuple[int, str, int]


@dataclass(frozen=True)
class Paced:
    """What a number of writers reached together."""

    milliseconds: float  # a commit, all writers together
    p99: float


def run(folder: Path, scale: Scale) -> Iterator[Result]:
    """Half of the keys exist. A commit of 16 and of 64 writers against one writer, and of 16 against plain code."""
    ours, plain = _Ours(folder / "ours"), _Plain(folder / "plain.duckdb")
    one, sixteen, many = (_pace(ours.commit_of, writers) for writers in (1, 16, 64))
    by_hand = _pace(plain.commit_of, 16)
    yield Result("one-row commit, 16 writers / 1 writer", sixteen.milliseconds, one.milliseconds, 1 / 2)
    yield Result("one-row commit, 64 writers / 1 writer", many.milliseconds, one.milliseconds, 1 / 6)
    yield Result("one-row commit, 16 writers / plain code, one lock", sixteen.milliseconds, by_hand.milliseconds, 1 / 8)
    yield Result("one-row commit, 16 writers, 99 of 100", sixteen.p99, None, 30.0)
    ours.close()
    plain.close()


def _pace(commit_of: Callable[[Row], Callable[[], object]], writers: int) -> Paced:
    """Commit as fast as the writers can; the time of one commit is the time of all by their number.

    What is to be written is made before: a server has it from its parser.
    """
    waits: list[float] = []
    calls = [[commit_of(row) for row in _rows(number, writers)] for number in range(writers)]
    end = time.perf_counter() + SECONDS

    def write(number: int) -> None:
        for call in calls[number]:
            started = time.perf_counter()
            if started > end:
                return
            call()
            waits.append(time.perf_counter() - started)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    total = time.perf_counter() - started
    return Paced(total / len(waits) * 1000, sorted(waits)[int(len(waits) * 0.99)] * 1000)


def _rows(number: int, writers: int) -> Iterator[Row]:
    """What one of the writers writes."""
    chance, fresh = random.Random(number), BASE * (1000 + writers) + number * BASE
    for turn in range(MOST // writers):
        key = chance.randrange(BASE) if turn % 2 else fresh + turn
        yield key, "abc", key % 1000


class _Ours:
    """A table with before images, written through the one write entry."""

    def __init__(self, folder: Path) -> None:
        self._local = Local(folder)
        session = self._local.connect()
        session.execute("CREATE DATABASE bench; USE bench")
        session.execute(
            "CREATE TABLE u (k BIGINT, a VARCHAR(20), v INT) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1"
            ' PROPERTIES ("changelog.enable" = "true", "changelog.need_historical_value" = "true")'
        )
        self._table = self._local.table("bench", "u")
        keys = pa.array(range(BASE), pa.int64())
        rows = pa.table({"k": keys, "a": keys.cast(pa.string()), "v": keys.cast(pa.int32())})
        self._local.writing(self._table, rows)()

    def commit_of(self, row: Row) -> Callable[[], object]:
        key, text, value = row
        columns = {"k": pa.array([key], pa.int64()), "a": pa.array([text], pa.string())}
        return self._local.writing(self._table, pa.table({**columns, "v": pa.array([value], pa.int32())}))

    def close(self) -> None:
        self._local.close()


class _Plain:
    """What one would write by hand: a lock, and in it one transaction that keeps the old row, deletes and inserts."""

    def __init__(self, path: Path) -> None:
        self._root = duckdb.connect(str(path))
        rows = f"SELECT range AS k, range::VARCHAR AS a, range::INTEGER AS v FROM range({BASE})"
        self._root.execute(f"CREATE TABLE u AS {rows}")
        self._root.execute("CREATE TABLE log (k BIGINT, a VARCHAR, v INTEGER, old_a VARCHAR, old_v INTEGER, n BIGINT)")
        self._root.execute("CHECKPOINT")
        self._lock = threading.Lock()
        self._number = 0

    def commit_of(self, row: Row) -> Callable[[], object]:
        return partial(self._commit, *row)

    def _commit(self, key: int, text: str, value: int) -> None:
        with self._lock:
            self._number += 1
            self._root.execute("BEGIN")
            self._root.execute(
                "INSERT INTO log SELECT ?, ?, ?, (SELECT a FROM u WHERE k = ?), (SELECT v FROM u WHERE k = ?), ?",
                [key, text, value, key, key, self._number],
            )
            self._root.execute("DELETE FROM u WHERE k = ?", [key])
            self._root.execute("INSERT INTO u VALUES (?, ?, ?)", [key, text, value])
            self._root.execute("COMMIT")

    def close(self) -> None:
        self._root.close()
