"""The recycle bin: databases, tables and partitions come back with their data, until they expire."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage import errors
from storage.audit import audit
from storage.cleanup import empty_trash
from storage.errors import Kind
from storage.work import Work
from tests.unit.sql.client import Client, client_of, open_database

TABLE = (
    "CREATE TABLE t (k INT, v INT) DUPLICATE KEY(k) PARTITION BY RANGE(k)"
    " (PARTITION p1 VALUES [(0), (10)), PARTITION p2 VALUES [(10), (20))) DISTRIBUTED BY HASH(k) BUCKETS 1"
)
FILLED = f"{TABLE}; INSERT INTO t VALUES (1, 1), (11, 11)"


def empty(client: Client) -> None:
    """Let everything in the recycle bin expire."""
    database = client.engine.database
    before = database.clock() + 1000
    database.apply(Work(change=lambda catalog: empty_trash(catalog, before)))


def test_a_database_comes_back_with_its_tables_and_views(client: Client) -> None:
    client.run(f"{FILLED}; CREATE VIEW w AS SELECT k FROM t; DROP DATABASE shop")
    client.refused(errors.UNKNOWN_DATABASE, "USE shop")
    client.refused(errors.UNKNOWN_DATABASE, "SELECT * FROM shop.t")
    assert "shop" not in client.column("SHOW DATABASES")
    client.run("RECOVER DATABASE shop; USE shop")
    assert client.column("SELECT k FROM t ORDER BY k") == [1, 11]
    assert client.column("SELECT k FROM w ORDER BY k") == [1, 11]
    client.run("INSERT INTO t VALUES (2, 2)")
    assert audit(client.engine.database) == []


def test_the_newest_database_of_a_name_or_the_one_of_an_id(client: Client) -> None:
    first = client.engine.database.catalog.database("shop")
    assert first is not None
    client.run(f"{FILLED}; DROP DATABASE shop; CREATE DATABASE shop; USE shop")
    client.run("CREATE TABLE u (k INT); DROP DATABASE shop")
    client.run("RECOVER DATABASE shop; USE shop")
    assert client.column("SHOW TABLES") == ["u"]
    client.refused(errors.DATABASE_EXISTS, f"RECOVER DATABASE shop {first.id}")
    client.run(f"RECOVER DATABASE shop {first.id} AS old; USE old")
    assert client.column("SHOW TABLES") == ["t"]
    client.refused(errors.RECOVER_DATABASE, "RECOVER DATABASE shop")


def test_force_leaves_nothing_to_recover(client: Client) -> None:
    client.run(f"{FILLED}; DROP TABLE t FORCE")
    client.refused(errors.RECOVER_MISSING, "RECOVER TABLE t")
    client.run(f"{FILLED}; ALTER TABLE t DROP PARTITION p1 FORCE")
    client.refused(errors.RECOVER_PARTITION, "RECOVER PARTITION p1 FROM t")
    client.run("DROP DATABASE shop FORCE")
    client.refused(errors.RECOVER_DATABASE, "RECOVER DATABASE shop")
    assert client.run("SHOW CATALOG RECYCLE BIN") == []
    assert audit(client.engine.database) == []


def test_a_table_under_its_own_or_another_name(client: Client) -> None:
    client.run(f"{FILLED}; DROP TABLE t; {TABLE}")
    client.refused(errors.TABLE_EXISTS, "RECOVER TABLE t")
    client.run("RECOVER TABLE shop.t AS back")
    assert client.column("SELECT k FROM back ORDER BY k") == [1, 11]
    assert client.run("SELECT * FROM t") == []


def test_a_partition_needs_its_range_and_a_free_name(client: Client) -> None:
    client.run(f"{FILLED}; ALTER TABLE t DROP PARTITION p1; ALTER TABLE t ADD PARTITION p1 VALUES [(0), (5))")
    client.refused(errors.PARTITION_EXISTS, "RECOVER PARTITION p1 FROM t")
    client.refused(errors.RECOVER_RANGE, "RECOVER PARTITION p1 AS p3 FROM t")
    client.run("ALTER TABLE t DROP PARTITION p1 FORCE; RECOVER PARTITION p1 AS p3 FROM t")
    assert client.column("SELECT k FROM t PARTITION (p3)") == [1]


REFUSED: list[tuple[str, Kind]] = [
    ("RECOVER DATABASE shop", errors.RECOVER_DATABASE),
    ("RECOVER TABLE t", errors.RECOVER_MISSING),
    ("RECOVER TABLE nowhere.t", errors.UNKNOWN_DATABASE),
    ("RECOVER PARTITION p1 FROM t", errors.RECOVER_PARTITION),
    ("RECOVER PARTITION p1 FROM missing", errors.NO_SUCH_TABLE),
]


@pytest.mark.parametrize(("text", "kind"), REFUSED)
def test_what_was_not_dropped_does_not_come_back(client: Client, text: str, kind: Kind) -> None:
    client.run(FILLED)
    client.refused(kind, text)


def test_show_tells_what_waits(client: Client) -> None:
    client.run(f"{FILLED}; ALTER TABLE t DROP PARTITION p1; CREATE TABLE u (k INT); DROP TABLE u")
    client.run("CREATE DATABASE gone; DROP DATABASE gone")
    shown = client.run("SHOW CATALOG RECYCLE BIN")
    assert {row[:2] for row in shown} == {("Database", "gone"), ("Table", "u"), ("Partition", "p1")}
    assert [row[1] for row in client.run("SHOW CATALOG RECYCLE BIN WHERE NAME = 'u'")] == ["u"]


def test_what_has_expired_is_gone(client: Client) -> None:
    client.run(f"{FILLED}; ALTER TABLE t DROP PARTITION p1; CREATE TABLE u (k INT); DROP TABLE u")
    client.run(f"CREATE DATABASE gone; USE gone; {FILLED}; DROP DATABASE gone; USE shop")
    empty(client)
    assert client.run("SHOW CATALOG RECYCLE BIN") == []
    client.refused(errors.RECOVER_DATABASE, "RECOVER DATABASE gone")
    assert client.column("SELECT k FROM t") == [11]
    assert audit(client.engine.database) == []


def test_a_stream_elsewhere_finds_its_base_again(client: Client) -> None:
    client.run("CREATE DATABASE home; USE home")
    client.run(TABLE + " PROPERTIES ('changelog.enable' = 'true'); USE shop")
    client.run("CREATE STREAM s ON TABLE home.t; INSERT INTO home.t VALUES (1, 1); DROP DATABASE home")
    client.refused(errors.UNKNOWN_BASE_TABLE, "SELECT k FROM s")
    client.run("RECOVER DATABASE home; INSERT INTO home.t VALUES (2, 2)")
    assert client.column("SELECT k FROM s ORDER BY k") == [1, 2]


def test_everything_waits_over_a_restart(tmp_path: Path) -> None:
    database = open_database(tmp_path)
    client_of(database).run(f"CREATE DATABASE shop; USE shop; {FILLED}; DROP DATABASE shop")
    database.close()
    database = open_database(tmp_path)
    client = client_of(database)
    client.run("RECOVER DATABASE shop; USE shop; ALTER TABLE t DROP PARTITION p1")
    database.close()
    database = open_database(tmp_path)
    client = client_of(database)
    client.run("USE shop; RECOVER PARTITION p1 FROM t")
    assert client.column("SELECT k FROM t ORDER BY k") == [1, 11]
    assert audit(database) == []
    database.close()
