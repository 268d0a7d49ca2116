"""Consumption against the same upsert without a stream, and small windows behind long and short histories."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from bench.measure import Result, Scale, compare
from tests.local import Local, Session

_COLUMNS = "(k BIGINT, a VARCHAR(20), v BIGINT)"
_UNIQUE = "UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1"
_CAPTURED = 'PROPERTIES ("changelog.enable" = "true", "changelog.need_historical_value" = "true")'
_NET = "__DORIS_STREAM_CHANGE_TYPE_COL__ <> 'UPDATE_BEFORE'"


def run(folder: Path, scale: Scale) -> Iterator[Result]:
    """Two lines."""
    local = Local(folder / "stream")
    session = local.connect()
    session.execute("CREATE DATABASE bench")
    session.execute("USE bench")
    session.execute("CREATE TABLE digit (d BIGINT) DUPLICATE KEY(d) DISTRIBUTED BY HASH(d) BUCKETS 1")
    session.execute(f"INSERT INTO digit VALUES {', '.join(f'({number})' for number in range(10))}")
    name = f"consuming {scale.changes:,} changes / the same upsert, no stream"
    yield compare(name, 1.4, _consumptions(session, scale))
    many, few = scale.history
    name = f"window of {scale.window:,} out of {many:,} / out of {few:,} changes"
    yield compare(name, 1.5, _windows(session, scale))
    local.close()


def numbers(count: int) -> str:
    """SQL for a relation of `n` from 0 to count - 1; count is a power of ten."""
    powers = len(str(count)) - 1
    terms = " + ".join(f"{10**power} * x{power}.d" for power in range(powers))
    return f"(SELECT {terms} AS n FROM {', '.join(f'digit x{power}' for power in range(powers))}) numbers"


def _consumptions(session: Session, scale: Scale) -> Iterator[tuple[Callable[[], object], Callable[[], object]]]:
    session.execute(f"CREATE TABLE source {_COLUMNS} {_UNIQUE} {_CAPTURED}")
    session.execute("CREATE STREAM changes ON TABLE source")
    for name in ("synced", "copied"):
        session.execute(f"CREATE TABLE {name} {_COLUMNS} {_UNIQUE}")
        session.execute(f"INSERT INTO {name} SELECT n, concat('row ', n), 0 FROM {numbers(scale.base)}")
    for turn in range(1, scale.repeats + 1):
        rows = f"SELECT n * 7, concat('new ', n), {turn} FROM {numbers(scale.changes)}"
        session.execute(f"INSERT INTO source {rows}")
        session.execute(f"CREATE TABLE batch{turn} {_COLUMNS} DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1")
        session.execute(f"INSERT INTO batch{turn} {rows}")
        yield (
            partial(session.execute, f"INSERT INTO synced SELECT k, a, v FROM changes WHERE {_NET}"),
            partial(session.execute, f"INSERT INTO copied SELECT k, a, v FROM batch{turn}"),
        )


def _windows(session: Session, scale: Scale) -> Iterator[tuple[Callable[[], object], Callable[[], object]]]:
    for name, changes in zip(("long", "short"), scale.history, strict=True):
        session.execute(f"CREATE TABLE {name} {_COLUMNS} {_UNIQUE} {_CAPTURED}")
        piece = min(changes, 10_000)
        for turn in range(changes // piece):  # keys come back after half of the pieces, so that updates are among them
            start = turn % max(1, changes // piece // 2) * piece
            session.execute(f"INSERT INTO {name} SELECT {start} + n, concat('row ', n), {turn} FROM {numbers(piece)}")
        session.execute(f"CREATE STREAM {name}_stream ON TABLE {name}")
        session.execute(f"INSERT INTO {name} SELECT n, concat('last ', n), -1 FROM {numbers(scale.window)}")
    for _ in range(scale.repeats * 3):
        yield partial(_read, session, "long"), partial(_read, session, "short")


def _read(session: Session, name: str) -> list[tuple[object, ...]]:
    return session.query(f"SELECT k, a, v, __DORIS_STREAM_CHANGE_TYPE_COL__ FROM {name}_stream")
