"""SLEEP: it ends as any statement does, and nobody else waits with it."""

from __future__ import annotations

import threading

import pymysql
import pytest

from tests.conftest import Connect
from tests.wire.processlist import await_running
from tests.wire.raw import connection_id

SLEEPS = (
    "SELECT sleep(1000)",
    "SELECT sleep(number) FROM (SELECT 500 AS number UNION ALL SELECT 700) t",
    "INSERT INTO naps SELECT 1, sleep(1000)",
    "SELECT count(*) FROM naps WHERE sleep(1000)",
)


@pytest.fixture
def naps(connect: Connect, database: str) -> str:
    """The database of a table with a row."""
    with connect(database=database).cursor() as cursor:
        cursor.execute(
            "CREATE TABLE naps (id INT, slept BOOLEAN) DUPLICATE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1"
            ' PROPERTIES ("replication_num" = "1")'
        )
        cursor.execute("INSERT INTO naps VALUES (1, TRUE)")
    return database


def _failure(connection: pymysql.connections.Connection, text: str) -> pymysql.err.Error:
    with pytest.raises(pymysql.err.Error) as caught, connection.cursor() as cursor:
        cursor.execute(text)
    return caught.value


@pytest.mark.parametrize("text", SLEEPS)
def test_kill_wakes_a_sleeper(connect: Connect, naps: str, text: str) -> None:
    sleeper = connect(database=naps)
    caught: list[pymysql.err.Error] = []
    thread = threading.Thread(target=lambda: caught.append(_failure(sleeper, text)))
    thread.start()
    with connect(database=naps).cursor() as cursor:
        await_running(cursor, connection_id(sleeper))
        cursor.execute(f"KILL QUERY {connection_id(sleeper)}")
        thread.join(20)
    assert caught[0].args[0] == 1317
    with sleeper.cursor() as cursor:
        cursor.execute("SELECT sleep(0), count(*) FROM naps")
        assert cursor.fetchall() == ((1, 1),)


def test_a_sleeper_is_stopped_by_its_timeout(connect: Connect) -> None:
    with connect().cursor() as cursor:
        cursor.execute("SET query_timeout = 1")
        with pytest.raises(pymysql.err.Error, match="query timeout after 1 s"):
            cursor.execute("SELECT sleep(1000)")


def test_others_go_on_beside_sleepers(connect: Connect, naps: str) -> None:
    sleepers = [connect(database=naps) for _ in range(4)]
    threads = [threading.Thread(target=_failure, args=(sleeper, SLEEPS[0])) for sleeper in sleepers]
    for thread in threads:
        thread.start()
    with connect(database=naps).cursor() as cursor:
        for sleeper in sleepers:
            await_running(cursor, connection_id(sleeper))
        cursor.execute("INSERT INTO naps VALUES (2, FALSE)")
        cursor.execute("SELECT count(*) FROM naps")
        assert cursor.fetchall() == ((2,),)
        for sleeper in sleepers:
            cursor.execute(f"KILL QUERY {connection_id(sleeper)}")
    for thread in threads:
        thread.join(20)
    assert not any(thread.is_alive() for thread in threads)
