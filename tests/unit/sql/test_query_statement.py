"""What surrounds a SELECT: sql_select_limit, plans kept per user, variables over a restart, mysql.user, headings."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage import errors
from tests.unit.sql.client import Client, client_of, open_database

FIVE = "CREATE TABLE t (k INT) DISTRIBUTED BY HASH(k) BUCKETS 1; INSERT INTO t VALUES (1), (2), (3), (4), (5)"


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("SELECT * FROM t", 2),
        ("SELECT * FROM t ORDER BY k LIMIT 4", 4),
        ("SELECT count(*) FROM (SELECT * FROM t) q", 1),
        ("SELECT * FROM t UNION ALL SELECT * FROM t", 2),
        ("WITH q AS (SELECT * FROM t) SELECT * FROM q", 2),
    ],
)
def test_sql_select_limit_bounds_the_outer_query_only(client: Client, query: str, count: int) -> None:
    client.run(f"{FIVE}; SET sql_select_limit = 2")
    assert len(client.run(query)) == count
    assert client.run("SELECT count(*) FROM (SELECT * FROM t) q") == [(5,)]


@pytest.mark.parametrize(
    ("query", "heading"),
    [
        ("SELECT * FROM (SELECT k AS Foo FROM t) q WHERE foo = 1 ORDER BY FOO", "Foo"),
        ("WITH q(Bar) AS (SELECT k FROM t) SELECT * FROM q WHERE bAR = 1", "Bar"),
        ("SELECT * FROM (SELECT * FROM (SELECT K AS Deep FROM t) q) r", "Deep"),
        ("SELECT * FROM (SELECT Max(k) + 1 FROM t) q", "Max(k) + 1"),
        ("WITH q AS (SELECT 'a' FROM t) SELECT * FROM q", "'a'"),
    ],
)
def test_a_column_of_a_star_is_headed_as_it_was_named(client: Client, query: str, heading: str) -> None:
    """However a condition behind it spells the name."""
    client.run(FIVE)
    assert client.headings(query) == [heading]


def test_sql_select_limit_leaves_writes_alone(client: Client) -> None:
    client.run(f"{FIVE}; CREATE TABLE u (k INT); SET sql_select_limit = 2")
    client.run("INSERT INTO u SELECT k FROM t; CREATE TABLE c AS SELECT k FROM t; SET sql_select_limit = DEFAULT")
    assert client.run("SELECT (SELECT count(*) FROM u), (SELECT count(*) FROM c)") == [(5, 5)]


def test_the_limit_is_read_anew_for_a_text_seen_before(client: Client) -> None:
    client.run(FIVE)
    assert len(client.run("SELECT k FROM t")) == 5
    client.run("SET sql_select_limit = 3")
    assert len(client.run("SELECT k FROM t")) == 3
    client.run("SET sql_select_limit = DEFAULT")
    assert len(client.run("SELECT k FROM t")) == 5


def test_a_plan_of_one_user_serves_no_other(client: Client) -> None:
    client.run(f"{FIVE}; CREATE USER eve; CREATE USER ann; GRANT SELECT_PRIV ON shop.t TO ann")
    assert len(client.run("SELECT k FROM shop.t")) == 5
    assert len(client.other("ann").run("SELECT k FROM shop.t")) == 5
    client.other("eve").refused(errors.TABLE_DENIED, "SELECT k FROM shop.t")


def test_a_plan_ends_with_the_grant(client: Client) -> None:
    client.run(f"{FIVE}; CREATE USER ann; GRANT SELECT_PRIV ON shop.t TO ann")
    ann = client.other("ann")
    assert len(ann.run("SELECT k FROM shop.t")) == 5
    client.run("REVOKE SELECT_PRIV ON shop.t FROM ann")
    ann.refused(errors.TABLE_DENIED, "SELECT k FROM shop.t")


def test_global_variables_outlive_the_server(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    client = client_of(database)
    client.run("SET GLOBAL query_timeout = 77; SET GLOBAL time_zone = '+02:00'; SET parallel_pipeline_task_num = 3")
    database.close()
    database = open_database(tmp_path)
    client = client_of(database)
    assert client.run("SELECT @@query_timeout, @@GLOBAL.time_zone, @@parallel_pipeline_task_num") == [(77, "+02:00", 0)]
    client.run("SET GLOBAL query_timeout = DEFAULT")
    database.close()
    database = open_database(tmp_path)
    assert client_of(database).run("SELECT @@query_timeout") == [(900,)]
    database.close()


def test_mysql_user_lists_identities_for_those_who_may_grant(client: Client) -> None:
    client.run("CREATE USER ann IDENTIFIED BY 'secret'; GRANT SELECT_PRIV ON *.*.* TO ann")
    shown = client.run("SELECT user, host, select_priv, drop_priv, plugin FROM mysql.user WHERE user = 'ann'")
    assert shown == [("ann", "%", "Y", "N", "mysql_native_password")]
    assert "secret" not in str(client.run("SELECT * FROM mysql.user"))
    client.other("ann").refused(errors.PRIVILEGE_NEEDED, "SELECT * FROM mysql.user")
    client.run("USE mysql")
    assert client.column("SHOW TABLES") == ["user"]
