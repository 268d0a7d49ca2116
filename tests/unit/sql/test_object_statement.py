"""Databases, tables and streams through the engine: what stays, what is refused, what outlives a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage import errors
from tests.unit.sql.client import Client, client_of, open_database

TICKETS = (
    "CREATE TABLE tickets (id INT NOT NULL, stage VARCHAR(16) DEFAULT 'new') UNIQUE KEY(id)"
    ' PROPERTIES ("changelog.enable" = "true", "changelog.need_historical_value" = "true")'
)


def test_databases_come_and_go(client: Client) -> None:
    client.refused(errors.DATABASE_EXISTS, "CREATE DATABASE shop")
    client.refused(errors.DATABASE_EXISTS, "CREATE DATABASE information_schema")
    client.refused(errors.INCORRECT_DATABASE_NAME, "CREATE DATABASE `9 lives`")
    client.run("CREATE DATABASE IF NOT EXISTS shop; CREATE DATABASE other")
    assert client.column("SHOW DATABASES LIKE '%o%'") == ["information_schema", "other", "shop"]
    client.run("DROP DATABASE other; DROP DATABASE IF EXISTS other")
    client.refused(errors.DATABASE_MISSING, "DROP DATABASE other")
    client.refused(errors.DATABASE_DENIED, "DROP DATABASE mysql")


def test_dropping_the_current_database_leaves_none(client: Client) -> None:
    client.run("DROP DATABASE shop")
    client.refused(errors.NO_DATABASE, "SHOW TABLES")
    client.refused(errors.NO_DATABASE, "CREATE TABLE t (k INT)")


def test_names_are_checked(client: Client) -> None:
    client.refused(errors.UNKNOWN_DATABASE, "USE nowhere")
    client.refused(errors.UNKNOWN_CATALOG, "USE hive.shop")
    client.refused(errors.UNKNOWN_CATALOG, "SWITCH hive")
    client.refused(errors.UNKNOWN_DATABASE, "CREATE TABLE nowhere.t (k INT)")
    client.run("SWITCH internal; USE internal.shop; CREATE TABLE internal.shop.t (k INT)")
    client.refused(errors.TABLE_EXISTS, "CREATE TABLE t (k INT)")
    client.run("CREATE TABLE IF NOT EXISTS t (other INT)")
    assert client.column("DESC t") == ["k"]
    client.refused(errors.NO_SUCH_TABLE, "DESC T")


def test_a_binlog_database_has_no_changelog_table(client: Client) -> None:
    client.run(TICKETS)
    client.refused(errors.DATABASE_HAS_CHANGELOG, 'ALTER DATABASE shop SET PROPERTIES ("binlog.enable" = "true")')
    client.run('DROP TABLE tickets; ALTER DATABASE shop SET PROPERTIES ("binlog.enable" = "true")')
    client.refused(errors.CHANGELOG_IN_BINLOG_DATABASE, "RECOVER TABLE tickets")
    client.refused(errors.CHANGELOG_IN_BINLOG_DATABASE, TICKETS)


def test_create_like_copies_everything_but_rows(client: Client) -> None:
    client.run('ALTER DATABASE shop SET PROPERTIES ("changelog.enable" = "true", "changelog.ttl_seconds" = "9")')
    client.run("CREATE TABLE a (k INT) UNIQUE KEY(k) COMMENT 'c'; INSERT INTO a VALUES (1); CREATE TABLE b LIKE a")
    client.run('CREATE TABLE c (k INT) PROPERTIES ("changelog.enable" = "false"); CREATE TABLE d LIKE c')
    texts = [str(client.run(f"SHOW CREATE TABLE {name}")[0][1]) for name in "abcd"]
    assert texts[0].replace("`a`", "`b`") == texts[1] and texts[2].replace("`c`", "`d`") == texts[3]
    assert '"changelog.ttl_seconds" = "9"' in texts[1] and '"changelog.enable" = "false"' in texts[3]
    assert client.run("SELECT * FROM b") == []


def test_a_dropped_table_can_be_recovered_until_it_is_forced_out(client: Client) -> None:
    client.run(TICKETS + "; INSERT INTO tickets VALUES (1, 'x'); DROP TABLE tickets")
    client.refused(errors.UNKNOWN_TABLE, "DROP TABLE tickets")
    client.run("DROP TABLE IF EXISTS tickets; RECOVER TABLE tickets AS t2")
    assert client.run("SELECT * FROM t2") == [(1, "x")]
    client.run("DROP TABLE t2 FORCE")
    client.refused(errors.RECOVER_MISSING, "RECOVER TABLE t2")


def test_the_latest_of_several_dropped_tables_comes_back(client: Client) -> None:
    client.run("CREATE TABLE t (a INT); DROP TABLE t; CREATE TABLE t (b INT); DROP TABLE t; RECOVER TABLE t")
    assert client.column("DESC t") == ["b"]
    client.refused(errors.TABLE_EXISTS, "RECOVER TABLE t")


def test_truncate_empties_and_keeps_the_rest(client: Client) -> None:
    client.run(
        "CREATE TABLE p (k INT) PARTITION BY RANGE(k)"
        " (PARTITION a VALUES LESS THAN (5), PARTITION b VALUES LESS THAN (9))"
    )
    client.run("INSERT INTO p VALUES (1), (6); TRUNCATE TABLE p PARTITION (a)")
    assert client.run("SELECT k FROM p") == [(6,)]
    client.refused(errors.UNKNOWN_PARTITION, "TRUNCATE TABLE p PARTITION (zz)")
    client.run("TRUNCATE TABLE p; INSERT INTO p VALUES (2)")
    assert client.run("SELECT k FROM p") == [(2,)]
    client.refused(errors.NO_SUCH_TABLE, "TRUNCATE TABLE zz")


def test_ddl_is_refused_inside_a_transaction(client: Client) -> None:
    client.run("BEGIN")
    for text in ("CREATE TABLE t (k INT)", "CREATE DATABASE d", "DROP DATABASE shop", TICKETS):
        client.refused(errors.IN_TRANSACTION, text)
    client.run("ROLLBACK; CREATE TABLE t (k INT)")


def test_a_refused_alter_changes_nothing(client: Client) -> None:
    client.run(TICKETS)
    before = client.run("SHOW CREATE TABLE tickets")
    client.refused(errors.DUPLICATE_COLUMN, "ALTER TABLE tickets ADD COLUMN a INT, ADD COLUMN stage INT")
    client.refused(errors.CHANGELOG_OPERATION, "ALTER TABLE tickets MODIFY COMMENT 'x', RENAME COLUMN stage s")
    assert client.run("SHOW CREATE TABLE tickets") == before


def test_streams_need_their_switch(client: Client) -> None:
    client.run(TICKETS)
    client.engine.config.override("enable_table_stream", "false")
    assert "enable_table_stream=true" in client.refused(errors.STREAM_SWITCHED_OFF, "CREATE STREAM s ON TABLE tickets")


def test_a_stream_is_no_table_and_a_table_no_stream(client: Client) -> None:
    client.run(TICKETS + "; CREATE STREAM s ON TABLE tickets")
    client.refused(errors.NOT_A_TABLE, "ALTER TABLE s RENAME r")
    client.refused(errors.NOT_A_TABLE, "TRUNCATE TABLE s")
    client.refused(errors.TABLE_EXISTS, "CREATE TABLE s (k INT)")
    client.refused(errors.STREAM_ONLY_COMMENT, 'ALTER STREAM s SET ("type" = "detail")')


@pytest.mark.parametrize(
    ("command", "wanted", "name", "instead"),
    [
        ("DROP TABLE", "TABLE", "s", "DROP STREAM"),
        ("DROP TABLE", "TABLE", "v", "DROP VIEW"),
        ("DROP VIEW", "VIEW", "s", "DROP STREAM"),
        ("DROP VIEW", "VIEW", "tickets", "DROP TABLE"),
        ("DROP STREAM", "STREAM", "tickets", "DROP TABLE"),
        ("DROP STREAM", "STREAM", "v", "DROP VIEW"),
        ("DROP STREAM IF EXISTS", "STREAM", "v", "DROP VIEW"),
        ("SHOW CREATE TABLE", "TABLE", "s", "SHOW CREATE STREAM"),
        ("SHOW CREATE VIEW", "VIEW", "s", "SHOW CREATE STREAM"),
        ("SHOW CREATE STREAM", "STREAM", "tickets", "SHOW CREATE TABLE"),
    ],
)
def test_another_kind_of_object_is_named(client: Client, command: str, wanted: str, name: str, instead: str) -> None:
    client.run(f"{TICKETS}; CREATE STREAM s ON TABLE tickets; CREATE VIEW v AS SELECT 1 AS one")
    told = client.refused(errors.WRONG_OBJECT, f"{command} {name}")
    assert told.endswith(f"'shop.{name}' is not {wanted}. Use '{instead} {name}'")


def test_everything_is_there_after_a_restart(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    client = client_of(database)
    client.run("CREATE DATABASE shop PROPERTIES ('changelog.ttl_seconds' = '5'); USE shop")
    client.run(TICKETS + "; CREATE STREAM s ON TABLE tickets COMMENT 'c'; CREATE TABLE gone (k INT); DROP TABLE gone")
    shows = ("SHOW CREATE TABLE tickets", "SHOW CREATE STREAM s", "SHOW CREATE DATABASE shop", "SHOW TABLES")
    before = [client.run(text) for text in shows]
    database.close()
    database = open_database(tmp_path)
    client = client_of(database)
    client.run("USE shop")
    assert [client.run(text) for text in shows] == before
    client.run("RECOVER TABLE gone")
    database.close()
