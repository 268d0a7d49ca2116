"""All that DDL can say of a table is there again after a restart, and the data follows its columns."""

from __future__ import annotations

from pathlib import Path

from storage.audit import audit
from tests.unit.sql.client import Client, client_of, open_database

TABLES = (
    "CREATE TABLE listed (k INT, s VARCHAR(5), v INT, INDEX i (s) USING INVERTED COMMENT 'it''s') DUPLICATE KEY(k, s)"
    " PARTITION BY LIST(k, s) (PARTITION p VALUES IN ((1, 'a'), (2, NULL))) ROLLUP (r (k, v))"
    " PROPERTIES ('bloom_filter_columns' = 'k,v')",
    "CREATE TABLE clustered (k INT, v INT, w INT) UNIQUE KEY(k) ORDER BY (w, v) DISTRIBUTED BY HASH(k) BUCKETS 1",
    "CREATE TABLE auto (d DATE NOT NULL, v INT) DUPLICATE KEY(d) AUTO PARTITION BY RANGE (date_trunc(d, 'month')) ()",
    "CREATE TABLE ranged (k INT, v INT) UNIQUE KEY(k) PARTITION BY RANGE(k) (PARTITION p VALUES [(0), (10)))",
)
CHANGES = (
    "INSERT INTO listed VALUES (1, 'a', 5), (2, NULL, 6)",
    "INSERT INTO auto VALUES ('2024-02-03', 1), ('2024-05-06', 2)",
    "ALTER TABLE ranged ADD TEMPORARY PARTITION t VALUES [(0), (10))",
    "INSERT INTO ranged VALUES (1, 1); INSERT INTO ranged TEMPORARY PARTITION (t) VALUES (2, 2)",
    "ALTER TABLE ranged MODIFY PARTITION p SET ('storage_medium' = 'SSD')",
    "ALTER TABLE listed DROP ROLLUP r; ALTER TABLE listed ADD ROLLUP q (s, v)",
    "ALTER TABLE listed ADD COLUMN first INT DEFAULT '9' AFTER s; ALTER TABLE listed MODIFY COLUMN v BIGINT",
    "ALTER TABLE listed RENAME COLUMN v first_v; ALTER TABLE listed RENAME COLUMN first v",
)
QUESTIONS = ("SHOW CREATE TABLE {}", "DESC {} ALL", "SHOW INDEX FROM {}", "SELECT * FROM {}")
NAMES = ("listed", "clustered", "auto", "ranged")


def answers(client: Client) -> list[list[tuple[object, ...]]]:
    shown = [client.run(question.format(name)) for question in QUESTIONS for name in NAMES]
    shown += [sorted(client.run(f"SHOW PARTITIONS FROM {name}")) for name in NAMES]
    shown.append(client.run("SHOW TEMPORARY PARTITIONS FROM ranged"))
    return [*shown, client.run("SELECT * FROM ranged TEMPORARY PARTITION (t)")]


def test_everything_is_there_again(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    client = client_of(database)
    client.run("CREATE DATABASE shop; USE shop")
    for text in (*TABLES, *CHANGES):
        client.run(text)
    before = answers(client)
    assert client.run("SELECT k, s, v, first_v FROM listed ORDER BY k") == [(1, "a", 9, 5), (2, None, 9, 6)]
    database.close()
    database = open_database(tmp_path)
    client = client_of(database)
    client.run("USE shop")
    assert answers(client) == before
    client.run("INSERT INTO listed VALUES (1, 'a', 1, 5000000000)")
    assert client.run("SELECT v, first_v FROM listed WHERE v = 1") == [(1, 5000000000)]
    client.run("ALTER TABLE ranged REPLACE PARTITION (p) WITH TEMPORARY PARTITION (t)")
    assert client.run("SELECT * FROM ranged") == [(2, 2)]
    assert audit(database) == []
    database.close()


def test_names_change_places(client: Client) -> None:
    client.run("CREATE TABLE t (k INT, a INT, b VARCHAR(3)) UNIQUE KEY(k); INSERT INTO t VALUES (1, 2, 'x')")
    client.run("ALTER TABLE t RENAME COLUMN a c; ALTER TABLE t RENAME COLUMN b a; ALTER TABLE t RENAME COLUMN c b")
    assert client.run("SELECT k, a, b FROM t") == [(1, "x", 2)]
    client.run("INSERT INTO t (k, a, b) VALUES (2, 'y', 3); DELETE FROM t WHERE b = 2")
    assert client.run("SELECT * FROM t") == [(2, 3, "y")]
    client.run("ALTER TABLE t ADD COLUMN c DATE AFTER k; ALTER TABLE t DROP COLUMN b; ALTER TABLE t ADD COLUMN b INT")
    assert client.run("SELECT * FROM t") == [(2, None, "y", None)]
