"""Prepared statements through MySQL's own connector: what comes back in binary form is what the text protocol gives."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import pytest

from dorisette.process import ServerProcess

connector = pytest.importorskip("mysql.connector")

TABLE = """CREATE TABLE prepared.types (
    k BIGINT, b BOOLEAN, t TINYINT, s SMALLINT, i INT, l LARGEINT, f FLOAT, d DOUBLE, n DECIMAL(20, 4),
    day DATE, at DATETIME, exact DATETIME(6), c CHAR(10), v VARCHAR(200), j JSON, a ARRAY<INT>, m MAP<STRING, INT>
) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1"""
ROWS: Sequence[tuple[Any, ...]] = (
    (
        1, 1, -128, -32768, -2147483648, "-170141183460469231731687303715884105728", -1.5, -2.25,
        Decimal("-1234567890123456.7891"), datetime.date(1, 2, 3), datetime.datetime(1999, 12, 31, 23, 59, 59),
        datetime.datetime(2024, 2, 29, 1, 2, 3, 456789), "O'Brien", "\\ '\" ü 你好 % _ ; -- ?", '{"a":[1,null]}',
        "[1, null, 3]", '{"x":1}',
    ),
    (2, *(None,) * 16),
    (9223372036854775807, 0, 127, 32767, 2147483647, "0", 0.125, 1e300, Decimal(0), datetime.date(9999, 12, 31),
     datetime.datetime(1970, 1, 1), datetime.datetime(1970, 1, 1), "", "", "null", "[]", "{}"),
)  # fmt: skip


@pytest.fixture
def client(server: ServerProcess) -> Iterator[Any]:
    connection = connector.connect(host="127.0.0.1", port=server.port, user="root", use_pure=True)
    cursor = connection.cursor()
    cursor.execute("DROP DATABASE IF EXISTS prepared")
    cursor.execute("CREATE DATABASE prepared")
    cursor.execute("USE prepared")
    yield connection
    connection.close()


def _rows(client: Any, text: str, values: Sequence[object] = (), prepared: bool = True) -> list[tuple[object, ...]]:
    cursor = client.cursor(prepared=prepared)
    cursor.execute(text, values)
    found: list[tuple[object, ...]] = cursor.fetchall()
    cursor.close()
    return found


def test_every_type_in_both_directions(client: Any) -> None:
    client.cursor().execute(TABLE)
    insert = client.cursor(prepared=True)
    for row in ROWS:
        insert.execute(f"INSERT INTO types VALUES ({', '.join('?' * len(row))})", row)
        assert insert.rowcount == 1
    wanted = _rows(client, "SELECT * FROM types ORDER BY k", prepared=False)
    assert len(wanted) == 3 and wanted[0][13] == ROWS[0][13] and wanted[0][12] == "O'Brien"
    found = _rows(client, "SELECT * FROM types WHERE k > ? ORDER BY k", (0,))
    assert [tuple(map(str, row)) for row in found] == [tuple(map(str, row)) for row in wanted]
    assert [type(cell) for cell in found[0]] == [type(cell) for cell in wanted[0]]


def test_many_rows(client: Any) -> None:
    """More than one batch and more than 255 packets, NULLs among them."""
    client.cursor().execute(TABLE.replace("prepared.types", "prepared.many"))
    text = "INSERT INTO many (k, v, exact) VALUES " + ", ".join(
        f"({key}, {'NULL' if key % 3 else repr('v' * (key % 200))}, '2024-01-01 00:00:00.{key:06}')"
        for key in range(5000)
    )
    client.cursor().execute(text)
    query = "SELECT k, v, exact, i, k + 0.5 FROM many ORDER BY k"
    assert _rows(client, query) == _rows(client, query, prepared=False)


def test_a_statement_runs_again_with_other_values_and_types(client: Any) -> None:
    cursor = client.cursor(prepared=True)
    for value, wanted in ((1, 2), (-7, -6), ("4", 5), (None, None), (1.5, 2.5), (Decimal("0.25"), 1.25)):
        cursor.execute("SELECT ? + 1", (value,))
        (row,) = cursor.fetchall()
        assert row[0] is wanted if wanted is None else float(row[0]) == wanted


def test_values_are_values_wherever_they_stand(client: Any) -> None:
    client.cursor().execute(TABLE.replace("prepared.types", "prepared.u"))
    assert _rows(client, "SELECT ?, ?", ("a' OR '1'='1", "x'; DROP TABLE u; -- ?")) == [
        ("a' OR '1'='1", "x'; DROP TABLE u; -- ?")
    ]
    for key in range(1, 6):
        client.cursor(prepared=True).execute(
            "INSERT INTO u (k, v, d) VALUES (?, concat(?, '?'), ? * 2)", (key, "v", key)
        )
    assert _rows(client, "SELECT k, v FROM u WHERE k BETWEEN ? AND ? AND v LIKE ? ORDER BY k LIMIT ? OFFSET ?",
                 (2, 5, "v%", 2, 1)) == [(3, "v?"), (4, "v?")]  # fmt: skip
    changed = client.cursor(prepared=True)
    changed.execute("UPDATE u SET v = ? WHERE k = ?", ("neu", 2))
    assert changed.rowcount == 1
    changed.execute("DELETE FROM u WHERE k IN (?, ?)", (4, 5))
    assert _rows(client, "SELECT k, v, d FROM u WHERE at IS NULL AND ? ORDER BY k", (True,)) == [
        (1, "v?", 2.0), (2, "neu", 4.0), (3, "v?", 6.0),
    ]  # fmt: skip


def test_whole_numbers_that_come_as_double(client: Any) -> None:
    """As Node's mysql2 sends every number."""
    client.cursor().execute(TABLE.replace("prepared.types", "prepared.w"))
    client.cursor().execute("INSERT INTO w (k, n) VALUES (9007199254740991, 12.5)")
    assert _rows(client, "SELECT k FROM w WHERE k = ? AND n = ?", (9007199254740991.0, 12.5)) == [(9007199254740991,)]


def test_streams_are_consumed(client: Any) -> None:
    plain = client.cursor()
    plain.execute(
        "CREATE TABLE base (k INT, v INT) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1"
        ' PROPERTIES ("changelog.enable" = "true", "changelog.need_historical_value" = "true")'
    )
    plain.execute("CREATE TABLE target (k INT, v INT) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1")
    plain.execute("CREATE STREAM s ON TABLE base PROPERTIES ('type' = 'min_delta')")
    insert, move = client.cursor(prepared=True), "INSERT INTO target SELECT k, v * ? FROM s WHERE k > ?"
    for key in (1, 2, 3):
        insert.execute("INSERT INTO base VALUES (?, ?)", (key, key))
    assert len(_rows(client, "SELECT k FROM s WHERE k > ?", (1,))) == 2
    client.cursor(prepared=True).execute(move, (10, 1))
    assert _rows(client, "SELECT k, v FROM target ORDER BY k") == [(2, 20), (3, 30)]
    assert _rows(client, "SELECT count(*) FROM s") == [(0,)]


def test_what_is_no_query_can_be_prepared(client: Any) -> None:
    for text in ("BEGIN", "COMMIT", "SET @x = 5", "USE prepared", "SHOW TABLES", "SHOW DATABASES LIKE 'prep%'"):
        cursor = client.cursor(prepared=True)
        cursor.execute(text)
        if cursor.description:
            cursor.fetchall()
    assert _rows(client, "SELECT @x") == [(5,)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("SELECT 1; SELECT 2", 1105),
        ("", 1105),
        ("SELEC ?", 1105),
        ("SELECT * FROM nowhere", 1105),
        ("SELECT * FROM nowhere WHERE a = ?", 1105),
        ("SELECT * FROM ?", 1105),
    ],
)
def test_refusals(client: Any, text: str, code: int) -> None:
    with pytest.raises(connector.Error) as caught:
        _rows(client, text, (1,) if "?" in text else ())
    assert caught.value.errno == code
    assert _rows(client, "SELECT ?", (7,)) == [(7,)], "the connection goes on"


def test_thousands_of_values_of_one_list(client: Any) -> None:
    """Their number counts once, not squared: such a statement once took most of a minute."""
    places = ", ".join("?" * 20_000)
    assert _rows(client, f"SELECT 1 WHERE 7 IN ({places})", [*range(19_999), None]) == [(1,)]
