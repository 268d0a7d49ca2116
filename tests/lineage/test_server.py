"""The case files through the wire, and what only a running server shows: who, when, transactions, restarts."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pymysql
import pytest

from tests.lineage.compare import differences
from tests.lineage.recording import Event, Recorder

CASES = sorted((Path(__file__).parent.parent / "cases" / "lineage").glob("*.json"))
LAYOUT = "DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1"


@pytest.fixture(scope="module")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorder]:
    """A server with the recording plugin."""
    recorder = Recorder(tmp_path_factory.mktemp("recording"))
    recorder.server.start()
    yield recorder
    recorder.server.stop()
    recorder.server.kill()


@pytest.fixture
def cursor(recorder: Recorder) -> Iterator[pymysql.cursors.Cursor]:
    """A connection to the emptied server."""
    with recorder.server.connect() as connection, connection.cursor() as cursor:
        cursor.execute("SHOW DATABASES")
        for (name,) in cursor.fetchall():
            if name not in ("information_schema", "mysql", "__internal_schema"):
                cursor.execute(f"DROP DATABASE `{name}` FORCE")
        recorder.events(0)
        yield cursor


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path, recorder: Recorder, cursor: pymysql.cursors.Cursor) -> None:
    """Setup makes no event, each step those of the file."""
    case = json.loads(path.read_text(encoding="utf-8"))
    for statement in case["setup"]:
        cursor.execute(statement)
    assert recorder.events(0) == []
    for step in case["steps"]:
        outcome = run(cursor, step["sql"])
        assert outcome == step["expect"], step["sql"]
        check(recorder.events(len(step["events"])), step)


def run(cursor: pymysql.cursors.Cursor, sql: str) -> str:
    try:
        cursor.execute(sql)
    except pymysql.Error:
        return "error"
    return "ok"


def check(events: list[Event], step: dict[str, Any]) -> None:
    assert len(events) == len(step["events"]), step["sql"]
    for found, wanted in zip(events, step["events"], strict=True):
        assert not differences(found, wanted), step["sql"]
        context = found["context"]
        assert context["query_id"]
        assert context["query_text"] == step["sql"]
        assert abs(context["timestamp_ms"] - time.time() * 1000) < 60_000
        assert context["duration_ms"] >= 0
        assert context["client_ip"] in ("127.0.0.1", "::1")
