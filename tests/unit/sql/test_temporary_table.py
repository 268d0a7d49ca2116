"""Temporary tables: of one session, before others of their name, gone with the session."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage import errors
from storage.audit import audit
from storage.errors import Kind
from tests.unit.sql.client import Client, client_of, open_database

TABLE = "CREATE {} TABLE t (k INT, v INT) DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1"
TEMPORARY = TABLE.format("TEMPORARY")


def neighbour(client: Client) -> Client:
    """A second connection of the same server, in the same database."""
    other = client.other()
    other.context = client.engine.context(2, "root", "127.0.0.1")
    other.run("USE shop")
    return other


def test_only_its_session_sees_it(client: Client) -> None:
    client.run(f"{TEMPORARY}; INSERT INTO t VALUES (1, 1)")
    other = neighbour(client)
    assert client.run("SELECT * FROM t") == [(1, 1)]
    other.refused(errors.TABLE_NOT_FOUND, "SELECT * FROM shop.t")
    other.refused(errors.NO_SUCH_TABLE, "SHOW CREATE TABLE t")
    assert other.run("SHOW TABLES") == []
    other.run(f"{TEMPORARY}; INSERT INTO t VALUES (2, 2)")
    assert (client.column("SELECT k FROM t"), other.column("SELECT k FROM t")) == ([1], [2])


def test_it_hides_the_table_of_its_name(client: Client) -> None:
    client.run(f"{TABLE.format('')}; INSERT INTO t VALUES (1, 1)")
    assert client.column("SELECT k FROM t") == [1]
    other = neighbour(client)
    client.run(f"{TEMPORARY}; INSERT INTO t VALUES (5, 5)")
    assert client.column("SELECT k FROM t") == [5], "the plan of the same text is not used again"
    assert other.column("SELECT k FROM t") == [1]
    client.run("TRUNCATE TABLE t; INSERT INTO t VALUES (6, 6); DROP TABLE t")
    assert client.column("SELECT k FROM t") == [1]


def test_a_view_means_the_permanent_table(client: Client) -> None:
    client.run(f"{TABLE.format('')}; INSERT INTO t VALUES (1, 1); CREATE VIEW w AS SELECT k FROM t")
    client.run(f"{TEMPORARY}; INSERT INTO t VALUES (5, 5)")
    assert client.column("SELECT k FROM w") == [1]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("CREATE VIEW w AS SELECT k FROM t", errors.VIEW_TEMPORARY),
        ("CREATE STREAM s ON TABLE t", errors.STREAM_BASE_CHANGELOG),
        ("ALTER TABLE t ADD COLUMN x INT", errors.ALTER_TEMPORARY),
        ("ALTER TABLE t RENAME u", errors.ALTER_TEMPORARY),
        (TEMPORARY, errors.TABLE_EXISTS),
        (
            TEMPORARY.replace("TABLE t", "TABLE u") + " PROPERTIES ('changelog.enable' = 'true')",
            errors.CHANGELOG_TEMPORARY,
        ),
    ],
)
def test_what_it_cannot(client: Client, text: str, kind: Kind) -> None:
    client.run(TEMPORARY)
    client.refused(kind, text)


def test_made_from_a_query_and_from_another_table(client: Client) -> None:
    client.run(f"{TABLE.format('')}; INSERT INTO t VALUES (1, 1)")
    client.run("CREATE TEMPORARY TABLE a AS SELECT k + 1 AS n FROM t; CREATE TEMPORARY TABLE b LIKE t")
    assert client.column("SELECT n FROM a") == [2]
    assert client.run("SELECT * FROM b") == []
    assert "CREATE TEMPORARY TABLE `b`" in str(client.run("SHOW CREATE TABLE b")[0][1])
    client.run("CREATE TABLE c LIKE b")
    assert "TEMPORARY" not in str(client.run("SHOW CREATE TABLE c")[0][1])


def test_it_ends_with_the_session(client: Client) -> None:
    client.run(f"{TEMPORARY}; INSERT INTO t VALUES (1, 1)")
    other = neighbour(client)
    other.run(TEMPORARY)
    client.engine.leave(client.context)
    assert [table.session for table in client.engine.database.catalog.tables.values()] == [2]
    other.run("DROP TABLE t")
    assert not client.engine.database.catalog.tables, "a temporary table knows no recycle bin"
    assert audit(client.engine.database) == []


def test_none_is_left_after_a_restart(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    client_of(database).run(f"CREATE DATABASE shop; USE shop; {TEMPORARY}; INSERT INTO t VALUES (1, 1)")
    database.close()
    database = open_database(tmp_path)
    client = client_of(database)
    assert not database.catalog.tables
    client.run(f"USE shop; {TEMPORARY}")
    assert client.run("SELECT * FROM t") == []
    assert audit(database) == []
    database.close()
