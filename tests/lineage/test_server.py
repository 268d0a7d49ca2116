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
        recorder.events()
        yield cursor


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path, recorder: Recorder, cursor: pymysql.cursors.Cursor) -> None:
    """Setup makes no event, each step those of the file."""
    case = json.loads(path.read_text(encoding="utf-8"))
    for statement in case["setup"]:
        cursor.execute(statement)
    assert recorder.events() == []
    for step in case["steps"]:
        outcome = run(cursor, step["sql"])
        assert outcome == step["expect"], step["sql"]
        check(recorder.events(), step)


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


# -- transactions and the like -----------------------------------------------------------------------


@pytest.fixture
def shop(cursor: pymysql.cursors.Cursor) -> pymysql.cursors.Cursor:
    """Two tables in a database of their own."""
    for statement in (
        "CREATE DATABASE shop",
        "USE shop",
        f"CREATE TABLE source (k INT, v VARCHAR(9)) {LAYOUT}",
        f"CREATE TABLE target (k INT, v VARCHAR(9)) {LAYOUT}",
        "INSERT INTO source VALUES (1, 'a'), (2, 'b')",
    ):
        cursor.execute(statement)
    return cursor


def texts(events: list[Event]) -> list[str]:
    return [event["context"]["query_text"] for event in events]


def test_events_of_a_transaction_come_at_commit(recorder: Recorder, shop: pymysql.cursors.Cursor) -> None:
    """In order, also for an insert of no rows; each with its own query id."""
    inserts = ["INSERT INTO target SELECT k, v FROM source WHERE k = 1", "INSERT INTO target SELECT k, v FROM target"]
    shop.execute("BEGIN")
    for insert in inserts:
        shop.execute(insert)
    assert recorder.events() == []
    shop.execute("COMMIT")
    events = recorder.events()
    assert texts(events) == inserts
    assert len({event["context"]["query_id"] for event in events}) == 2


def test_a_rollback_makes_no_event(recorder: Recorder, shop: pymysql.cursors.Cursor) -> None:
    shop.execute("BEGIN")
    shop.execute("INSERT INTO target SELECT k, v FROM source")
    shop.execute("ROLLBACK")
    shop.execute("COMMIT")
    assert recorder.events() == []


def test_a_failed_commit_makes_no_event(recorder: Recorder, shop: pymysql.cursors.Cursor) -> None:
    """The table went away in the meantime."""
    shop.execute("BEGIN")
    shop.execute("INSERT INTO target SELECT k, v FROM source")
    with recorder.server.connect(database="shop") as other, other.cursor() as second:
        second.execute("DROP TABLE target FORCE")
    with pytest.raises(pymysql.Error, match="unknown table, tableId="):
        shop.execute("COMMIT")
    assert recorder.events() == []


def test_failed_statements_make_no_event(recorder: Recorder, shop: pymysql.cursors.Cursor) -> None:
    """In analysis, at run time, and by a row that strict mode rejects."""
    for statement, words in (
        ("INSERT INTO target SELECT k, nope FROM source", "Unknown column 'nope'"),
        ("INSERT INTO target SELECT k FROM source", "Column count doesn't match value count"),
        ("INSERT INTO target SELECT k, REPEAT(v, 99) FROM source", "the length of input is too long than schema"),
        ("CREATE TABLE target AS SELECT k FROM source", "Table 'target' already exists"),
    ):
        with pytest.raises(pymysql.Error, match=words):
            shop.execute(statement)
    assert recorder.events() == []


def test_rows_that_are_filtered_do_not_matter(recorder: Recorder, shop: pymysql.cursors.Cursor) -> None:
    shop.execute("SET enable_insert_strict = false")
    shop.execute("INSERT INTO target SELECT k, IF(k = 1, v, REPEAT(v, 99)) FROM source")
    assert len(recorder.events()) == 1


def test_the_statement_of_several_in_a_text(recorder: Recorder, shop: pymysql.cursors.Cursor) -> None:
    """Each event has its own text."""
    shop.execute(
        "INSERT INTO target SELECT k, v FROM source ;  /* two */ INSERT OVERWRITE target SELECT k, v FROM source"
    )
    shop.nextset()
    found = texts(recorder.events())
    assert found[0] == "INSERT INTO target SELECT k, v FROM source"
    assert found[1].endswith("INSERT OVERWRITE target SELECT k, v FROM source")


def test_another_user_and_another_database(recorder: Recorder, shop: pymysql.cursors.Cursor) -> None:
    """The context is the session's, the target's database is in its name."""
    with recorder.server.connect(user="admin") as connection, connection.cursor() as second:
        second.execute("INSERT INTO shop.target SELECT k, v FROM shop.source")
    (event,) = recorder.events()
    assert event["target_table"] == "internal.shop.target"
    assert (event["context"]["user"], event["context"]["database"]) == ("admin", "")


def test_create_if_not_exists_that_has_nothing_to_do(recorder: Recorder, shop: pymysql.cursors.Cursor) -> None:
    shop.execute("CREATE TABLE IF NOT EXISTS target AS SELECT k FROM source")
    assert recorder.events() == []


def test_nothing_is_made_while_nobody_wants_it(recorder: Recorder, shop: pymysql.cursors.Cursor) -> None:
    """event_filter() is asked each time."""
    unwanted = recorder.folder / "unwanted"
    unwanted.touch()
    shop.execute("INSERT INTO target SELECT k, v FROM source WHERE k = 1")
    unwanted.unlink()
    shop.execute("INSERT INTO target SELECT k, v FROM source WHERE k = 2")
    assert texts(recorder.events()) == ["INSERT INTO target SELECT k, v FROM source WHERE k = 2"]


def test_a_scheduler_names_itself(recorder: Recorder, shop: pymysql.cursors.Cursor) -> None:
    """By the connection attribute scheduleInfo."""
    options: dict[str, Any] = {"database": "shop", "program_name": "x"}
    with recorder.server.connect(**options, defer_connect=True) as connection:
        connection._connect_attrs["scheduleInfo"] = "daily-7"
        connection.connect()
        with connection.cursor() as second:
            second.execute("INSERT INTO target SELECT k, v FROM source")
    assert texts(recorder.events()) == ["/* scheduleInfo=daily-7 */ INSERT INTO target SELECT k, v FROM source"]


def test_a_temporary_table_hides_another(recorder: Recorder, shop: pymysql.cursors.Cursor) -> None:
    """It has lineage like any table, with the columns it has in this session."""
    shop.execute("CREATE TEMPORARY TABLE target PROPERTIES ('replication_num' = '1') AS SELECT v AS word FROM source")
    shop.execute("INSERT INTO target SELECT UPPER(word) FROM target")
    created, inserted = recorder.events()
    assert created["target_columns"] == inserted["target_columns"] == ["word"]
    assert inserted["direct"] == [{"column": "word", "type": "TRANSFORMATION", "expr": "UPPER(shop.target.word)"}]
