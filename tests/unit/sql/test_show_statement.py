"""SHOW, DESC and information_schema over real tables and streams."""

from __future__ import annotations

import pytest

from sql.information_schema import lookup, names
from storage import errors
from tests.unit.sql.client import Client

TABLES = """
CREATE TABLE m (id INT NOT NULL COMMENT 'the id', v VARCHAR(20) DEFAULT 'x', d DECIMAL(10,3), t DATETIME(3))
  UNIQUE KEY(id) COMMENT 'mow'
  PARTITION BY RANGE(id) (PARTITION p1 VALUES LESS THAN (10), PARTITION p2 VALUES LESS THAN (20))
  PROPERTIES ("changelog.enable" = "true", "changelog.need_historical_value" = "true");
CREATE TABLE plain (k BIGINT, f DOUBLE) DUPLICATE KEY(k);
CREATE STREAM s ON TABLE m
"""


@pytest.fixture
def shop(client: Client) -> Client:
    client.run(TABLES)
    return client


def test_show_tables_lists_tables_only(shop: Client) -> None:
    assert shop.headings("SHOW TABLES") == ["Tables_in_shop"]
    assert shop.column("SHOW TABLES") == ["m", "plain"]
    assert shop.column("SHOW TABLES FROM shop LIKE 'p%'") == ["plain"]
    assert [row[:2] for row in shop.run("SHOW FULL TABLES WHERE Table_type = 'BASE TABLE'")] == [
        ("m", "BASE TABLE"), ("plain", "BASE TABLE"),
    ]  # fmt: skip
    assert shop.column("SHOW STREAMS") == ["s"]
    assert "table_streams" in shop.column("SHOW TABLES FROM INFORMATION_SCHEMA")
    shop.refused(errors.UNKNOWN_DATABASE, "SHOW TABLES FROM nowhere")


def test_desc_spells_as_doris_does(shop: Client) -> None:
    assert shop.headings("DESC m") == ["Field", "Type", "Null", "Key", "Default", "Extra"]
    expected = [
        ("id", "int", "No", "true", None, ""),
        ("v", "varchar(20)", "Yes", "false", "x", "NONE"),
        ("d", "decimal(10,3)", "Yes", "false", None, "NONE"),
        ("t", "datetime(3)", "Yes", "false", None, "NONE"),
    ]
    assert shop.run("DESC m") == expected
    assert shop.run("DESC s") == expected
    assert shop.run("SHOW COLUMNS FROM m LIKE 'ID'") == [("id", "int", "NO", "YES", None, "")]
    assert shop.run("SHOW FULL COLUMNS FROM m FROM shop")[0][-1] == "the id"
    assert shop.run("DESC m ALL")[0][:4] == ("m", "UNIQUE_KEYS", "id", "int")
    assert shop.column("DESC information_schema.schemata")[0] == "CATALOG_NAME"
    shop.refused(errors.NO_SUCH_TABLE, "DESC nothing")


def test_hidden_columns_are_described_on_demand(shop: Client) -> None:
    shop.run("SET show_hidden_columns = true")
    assert shop.run("DESC m")[4:] == [
        ("__DORIS_DELETE_SIGN__", "tinyint", "No", "false", "0", "NONE"),
        ("__DORIS_VERSION_COL__", "bigint", "No", "false", "0", "NONE"),
        ("__DORIS_COMMIT_TSO_COL__", "bigint", "No", "false", "0", "NONE"),
    ]
    assert len(shop.run("DESC plain")) == 2


def test_show_partitions_counts_versions_from_the_first_write(shop: Client) -> None:
    shop.run("INSERT INTO m (id) VALUES (1), (2); INSERT INTO m (id) VALUES (3)")
    rows = shop.run("SHOW PARTITIONS FROM m")
    assert [(row[1], row[2], row[6], row[-1]) for row in rows] == [
        ("p1", "3", '[("-2147483648"), ("10"))', "3"), ("p2", "1", '[("10"), ("20"))', "0"),
    ]  # fmt: skip
    assert [row[1] for row in shop.run("SHOW PARTITIONS FROM m WHERE PartitionName = 'p2'")] == ["p2"]
    assert [row[1] for row in shop.run("SHOW PARTITIONS FROM m ORDER BY PartitionName DESC LIMIT 1")] == ["p2"]
    shop.refused(errors.SHOW_PARTITIONS_WHERE, "SHOW PARTITIONS FROM m WHERE DataSize = '0'")
    assert [row[1] for row in shop.run("SHOW PARTITIONS FROM plain")] == ["plain"]


def test_show_table_status_counts_rows(shop: Client) -> None:
    shop.run("INSERT INTO plain VALUES (1, 1), (1, 1)")
    rows = shop.run("SHOW TABLE STATUS LIKE 'plain'")
    assert [(row[0], row[1], row[4]) for row in rows] == [("plain", "Doris", "2")]
    shop.run("CREATE VIEW old COMMENT 'of old' AS SELECT 1 AS one")
    rows = shop.run("SHOW TABLE STATUS")
    assert [(row[0], row[1], row[4], row[-1]) for row in rows][1:] == [
        ("old", "View", None, "of old"), ("plain", "Doris", "2", ""),
    ]  # fmt: skip


def test_table_streams_follows_the_base(shop: Client) -> None:
    asked = (
        "SELECT STREAM_NAME, CONSUME_TYPE, BASE_TABLE_DB, BASE_TABLE_NAME, ENABLED, IS_STALE, STALE_REASON"
        " FROM information_schema.table_streams WHERE DB_NAME = 'shop'"
    )
    healthy = ("s", "MIN_DELTA", "shop", "m2", 1, 0, "N/A")
    shop.run("ALTER TABLE m RENAME m2")
    assert shop.run(asked) == [healthy]
    shop.run("DROP TABLE m2")
    assert shop.run(asked) == [("s", "MIN_DELTA", "N/A", "N/A", 0, 1, "Base table does not exist")]
    shop.run("RECOVER TABLE m2")
    assert shop.run(asked) == [healthy]


CONSUMPTION = (
    "SELECT UNIT, CONSUMPTION_STATUS = 'N/A', LAG, LAST_CONSUMPTION_TIME > 0"
    " FROM information_schema.table_stream_consumption WHERE STREAM_NAME = '{}' ORDER BY UNIT"
)


def test_consumption_shows_each_state_of_a_partition(shop: Client) -> None:
    shop.run("INSERT INTO m (id) VALUES (1)")
    shop.run('CREATE STREAM image ON TABLE m PROPERTIES ("show_initial_rows" = "true"); CREATE STREAM later ON TABLE m')
    assert shop.run(CONSUMPTION.format("image")) == [("p1", 1, "N/A", 0), ("p2", 1, "0", 0)]
    assert shop.run(CONSUMPTION.format("later")) == [("p1", 0, "0", 0), ("p2", 0, "0", 0)]
    shop.run("INSERT INTO plain SELECT id, 1 FROM image")
    assert shop.run(CONSUMPTION.format("image"))[0] == ("p1", 0, "0", 1)
    shop.run("INSERT INTO m (id) VALUES (2)")
    assert int(str(shop.run(CONSUMPTION.format("image"))[0][2])) > 0
    shop.run("ALTER TABLE m ADD PARTITION p3 VALUES LESS THAN (30); INSERT INTO m (id) VALUES (25)")
    assert shop.run(CONSUMPTION.format("later"))[2] == ("p3", 1, "N/A", 0)
    shop.run("ALTER TABLE m DROP PARTITION p3; TRUNCATE TABLE m")
    assert shop.run(CONSUMPTION.format("later")) == [("p1", 1, "0", 0), ("p2", 1, "0", 0)]
    shop.run("DROP TABLE m")
    assert shop.run(CONSUMPTION.format("later")) == []


def test_columns_know_their_types(shop: Client) -> None:
    asked = (
        "SELECT COLUMN_NAME, ORDINAL_POSITION, DATA_TYPE, COLUMN_TYPE, CHARACTER_MAXIMUM_LENGTH, NUMERIC_PRECISION,"
        " NUMERIC_SCALE, DATETIME_PRECISION, IS_NULLABLE, COLUMN_KEY, COLUMN_COMMENT"
        " FROM information_schema.columns WHERE table_schema = 'shop' AND table_name = '{}' ORDER BY 2"
    )
    rows = [
        ("id", 1, "int", "int", None, 10, 0, None, "NO", "UNI", "the id"),
        ("v", 2, "varchar", "varchar(20)", 20, None, None, None, "YES", "", ""),
        ("d", 3, "decimal", "decimal(10,3)", None, 10, 3, None, "YES", "", ""),
        ("t", 4, "datetime", "datetime(3)", None, None, None, 3, "YES", "", ""),
    ]
    assert shop.run(asked.format("m")) == rows
    assert shop.run(asked.format("s")) == rows


def test_tables_and_schemata(shop: Client) -> None:
    columns = "TABLE_NAME, TABLE_TYPE, ENGINE, TABLE_COMMENT"
    asked = f"SELECT {columns} FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = 'shop'"
    assert sorted(shop.run(asked)) == [("m", "BASE TABLE", "Doris", "mow"), ("plain", "BASE TABLE", "Doris", "")]
    assert "shop" in shop.column("SELECT SCHEMA_NAME FROM information_schema.schemata WHERE CATALOG_NAME = 'internal'")
    asked = "SELECT PARTITION_NAME, VISIBLE_VERSION, `RANGE` FROM information_schema.partitions WHERE TABLE_NAME = 'm'"
    assert shop.run(asked)[1] == ("p2", 1, '[("10"), ("20"))')


@pytest.mark.parametrize("name", names())
def test_every_system_table_can_be_read(shop: Client, name: str) -> None:
    table = lookup(name.upper())
    assert table is not None
    assert shop.headings(f"SELECT * FROM information_schema.{name}") == [column for column, _ in table.columns]
    shop.run(f"SELECT * FROM information_schema.{name}")
