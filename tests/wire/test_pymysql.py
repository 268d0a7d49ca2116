"""PyMySQL against the real server, in the ways it is normally used."""

from __future__ import annotations

import datetime
import decimal
import threading

import pymysql
import pytest
from pymysql.constants import CLIENT, FIELD_TYPE, SERVER_STATUS

from dorisette.process import ServerProcess
from tests.conftest import Connect
from tests.waiting import wait
from tests.wire.processlist import await_running, processes
from tests.wire.raw import connection_id

TABLE = """CREATE TABLE {name} (
    id BIGINT NOT NULL, t TINYINT, s SMALLINT, i INT, l LARGEINT, b BOOLEAN, f FLOAT, d DOUBLE, m DECIMAL(12, 3),
    day DATE, at DATETIME, at3 DATETIME(3), c CHAR(5), v VARCHAR(20), x STRING
) DUPLICATE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1 PROPERTIES ("replication_num" = "1")"""
ROW = (
    1, -128, 32767, -2147483648, "170141183460469231731687303715884105727", 1, 2.25, -0.5, decimal.Decimal("10.500"),
    datetime.date(2024, 2, 29), datetime.datetime(2024, 1, 2, 3, 4, 5), datetime.datetime(2024, 1, 2, 3, 4, 5, 120000),
    "ab", "Zürich 🚀", "it's \"quoted\" \\ and \n more",
)  # fmt: skip


def test_all_types_come_back(connect: Connect, database: str) -> None:
    with connect(database=database).cursor() as cursor:
        cursor.execute(TABLE.format(name="kinds"))
        marks = ", ".join(["%s"] * len(ROW))
        assert cursor.execute(f"INSERT INTO kinds VALUES ({marks})", ROW) == 1
        assert cursor.execute("INSERT INTO kinds (id) VALUES (2)") == 1
        assert cursor.execute("SELECT * FROM kinds ORDER BY id") == 2
        assert cursor.fetchall() == (ROW, (2,) + (None,) * 14)
        kinds = [column[1] for column in cursor.description or ()]
    names = "LONGLONG TINY SHORT LONG STRING TINY FLOAT DOUBLE NEWDECIMAL DATE DATETIME DATETIME STRING"
    names += " VAR_STRING VAR_STRING"
    assert kinds == [getattr(FIELD_TYPE, name) for name in names.split()]


def test_dictionaries_and_headings(connect: Connect) -> None:
    with connect(cursorclass=pymysql.cursors.DictCursor).cursor() as cursor:
        cursor.execute("SELECT 1 AS one, 'x' AS two, NULL AS three")
        rows: object = cursor.fetchall()
        assert rows == [{"one": 1, "two": "x", "three": None}]
        cursor.execute("SELECT rank() OVER w FROM (SELECT 1 AS x) t WINDOW w AS (ORDER BY x)")
        rows = cursor.fetchall()
        assert rows == [{"rank() OVER w": 1}]
        cursor.execute("SELECT * FROM (SELECT 1 AS '') t")
        rows = cursor.fetchall()
        assert rows == [{"": 1}]


def test_affected_rows(connect: Connect, database: str) -> None:
    with connect(database=database).cursor() as cursor:
        cursor.execute(TABLE.format(name="counted"))
        assert cursor.executemany("INSERT INTO counted (id, v) VALUES (%s, %s)", [(i, f"v{i}") for i in range(7)]) == 7
        assert cursor.execute("INSERT INTO counted SELECT * FROM counted WHERE id < 3") == 3
        assert cursor.execute("SELECT * FROM counted WHERE id < 0") == 0 and cursor.fetchall() == ()


def test_a_rolled_back_insert_is_gone(connect: Connect, database: str) -> None:
    """mysql-mimic swallowed BEGIN and ROLLBACK."""
    connection = connect(database=database)
    with connection.cursor() as cursor:
        cursor.execute(TABLE.format(name="undone"))
        connection.begin()
        cursor.execute("INSERT INTO undone (id) VALUES (1)")
        assert _is_in_transaction(connection)
        connection.rollback()
        assert not _is_in_transaction(connection)
        assert cursor.execute("SELECT * FROM undone") == 0
        connection.begin()
        cursor.execute("INSERT INTO undone (id) VALUES (1)")
        connection.commit()
        assert cursor.execute("SELECT * FROM undone") == 1


def _is_in_transaction(connection: pymysql.connections.Connection) -> bool:
    return bool(connection.server_status & SERVER_STATUS.SERVER_STATUS_IN_TRANS)


def test_errors_have_their_own_codes_and_leave_the_connection(connect: Connect, database: str) -> None:
    with connect(database=database).cursor() as cursor:
        for text, code in (
            ("SELEC 1", 1105),
            ("USE nowhere", 1049),
            ("DROP TABLE nothing", 1051),
            ("DESC nothing", 1146),
        ):
            with pytest.raises(pymysql.err.Error) as caught:
                cursor.execute(text)
            assert caught.value.args[0] == code, caught.value
            assert "\x1b" not in caught.value.args[1]
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


def test_several_statements(connect: Connect) -> None:
    with connect(client_flag=CLIENT.MULTI_STATEMENTS).cursor() as cursor:
        cursor.execute("SELECT 1; /* nothing */; SELECT 2, 3; SET @a = 5; SELECT @a")
        results = [cursor.fetchall()]
        while cursor.nextset():
            results.append(cursor.fetchall())
        assert [rows for rows in results if rows] == [((1,),), ((2, 3),), ((5,),)]


def test_unbuffered_cursor_and_many_rows(connect: Connect, database: str) -> None:
    with connect(database=database, cursorclass=pymysql.cursors.SSCursor).cursor() as cursor:
        cursor.execute(TABLE.format(name="many"))
        cursor.execute("INSERT INTO many (id, v) VALUES " + ", ".join(f"({i}, 'v{i}')" for i in range(3000)))
        for _ in range(4):
            cursor.execute("INSERT INTO many SELECT * FROM many")
        cursor.execute("SELECT id, v FROM many ORDER BY id")
        rows = list(cursor)
        assert len(rows) == 48_000 and rows[-1] == (2999, "v2999")


def test_the_database_can_be_chosen_in_every_way(connect: Connect, database: str) -> None:
    connection = connect(database=database)
    connection.select_db("information_schema")
    with connection.cursor() as cursor:
        for name in (database, "information_schema"):
            cursor.execute(f"USE `{name}`")
            cursor.execute("SELECT DATABASE()")
            assert cursor.fetchone() == (name,)


def test_sixteen_connections_at_once(server: ServerProcess) -> None:
    answers: list[int] = []

    def ask(number: int) -> None:
        with server.connect() as connection, connection.cursor() as cursor:
            for _ in range(5):
                cursor.execute(f"SELECT {number}")
                (row,) = cursor.fetchall()
                answers.append(int(row[0]))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(answers) == sorted(list(range(16)) * 5)


@pytest.fixture
def slow(connect: Connect, database: str) -> str:
    """A statement that runs until it is stopped: a count of 2.56e14 combinations."""
    with connect(database=database).cursor() as cursor:
        cursor.execute(TABLE.format(name="slow"))
        cursor.execute("INSERT INTO slow (id) VALUES " + ", ".join(f"({i})" for i in range(4000)))
    tables = ", ".join(f"{database}.slow s{i}" for i in range(4))
    return f"SELECT count(*) FROM {tables} WHERE (s0.id * s1.id + s2.id * s3.id) % 1000001 = 1000000"


@pytest.mark.parametrize("how", ["KILL QUERY {id}", 'KILL QUERY "{query}"', "KILL {id}", "KILL CONNECTION {id}"])
def test_kill(connect: Connect, slow: str, how: str) -> None:
    victim, killer = connect(), connect()
    caught: list[pymysql.err.Error] = []
    thread = threading.Thread(target=lambda: caught.append(_failure(victim, slow)))
    thread.start()
    with killer.cursor() as cursor:
        query = await_running(cursor, connection_id(victim))
        cursor.execute(how.format(id=connection_id(victim), query=query))
        thread.join(20)
    assert caught[0].args[0] == 1317
    if "QUERY" in how:
        with victim.cursor() as cursor:
            cursor.execute("SELECT 1")
    else:
        with pytest.raises(pymysql.err.Error):
            victim.ping(reconnect=False)


def _failure(connection: pymysql.connections.Connection, text: str) -> pymysql.err.Error:
    with pytest.raises(pymysql.err.Error) as caught, connection.cursor() as cursor:
        cursor.execute(text)
    return caught.value


def test_a_client_that_vanishes_leaves_no_statement(connect: Connect, slow: str) -> None:
    victim = connect()
    with connect().cursor() as cursor:
        thread = threading.Thread(target=lambda: _broken(victim, slow))
        thread.start()
        await_running(cursor, connection_id(victim))
        victim._sock.shutdown(2)
        thread.join(20)
        wait(lambda: connection_id(victim) not in processes(cursor), 5)


def _broken(connection: pymysql.connections.Connection, text: str) -> None:
    with pytest.raises(pymysql.err.OperationalError), connection.cursor() as cursor:
        cursor.execute(text)


def test_query_timeout(connect: Connect, slow: str) -> None:
    with connect().cursor() as cursor:
        cursor.execute("SET query_timeout = 1")
        with pytest.raises(pymysql.err.Error, match="query timeout after 1 s"):
            cursor.execute(slow)


def test_load_data_local_is_refused(server: ServerProcess, connect: Connect, database: str) -> None:
    with connect(database=database, local_infile=True).cursor() as cursor, pytest.raises(pymysql.err.Error) as caught:
        cursor.execute("LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE t")
    assert caught.value.args[0] == 1148
