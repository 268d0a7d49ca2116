"""SHOW CREATE TABLE, fed back, makes an equal table; its lines have the documented layout."""

from __future__ import annotations

import pytest

from sql.ddl.show_create import create_database
from storage.catalog.model import DatabaseEntry, Table
from tests.unit.sql.draft import printed, table

ALL_TYPES = (
    "CREATE TABLE t (a TINYINT NOT NULL, b SMALLINT, c INT DEFAULT '5' COMMENT 'it''s', d BIGINT DEFAULT -3,"
    " e LARGEINT,"
    " f DECIMAL(10,2) DEFAULT '1.50', g FLOAT, h DOUBLE, i BOOLEAN DEFAULT TRUE, j DATE DEFAULT CURRENT_DATE,"
    " k DATETIME(3) DEFAULT CURRENT_TIMESTAMP(3), l CHAR(5), m VARCHAR(10) DEFAULT 'x\"y\\\\z', n STRING, o VARCHAR)"
    " UNIQUE KEY(a, b) COMMENT 'all of ''em' DISTRIBUTED BY HASH(a) BUCKETS 4"
    ' PROPERTIES ("changelog.enable" = "true", "changelog.ttl_seconds" = "77")'
)
PARTITIONED = (
    "CREATE TABLE `odd name` (`select` DATE, j INT NOT NULL) PARTITION BY RANGE(`select`, j)"
    " (PARTITION p1 VALUES LESS THAN ('2024-01-01', 5), PARTITION `p-2` VALUES LESS THAN (MAXVALUE, MAXVALUE))"
    ' DISTRIBUTED BY RANDOM BUCKETS AUTO PROPERTIES ("storage_medium" = "SSD", "compaction_policy" = "size_based")'
)
WITHOUT_KEYS = 'CREATE TABLE t (a DOUBLE) PROPERTIES ("enable_duplicate_without_keys_by_default" = "true")'


def essence(made: Table) -> tuple[object, ...]:
    """All of a table but its identities."""
    parts = [(part.name, part.lo, part.hi) for part in made.partitions]
    fixed = (made.name, made.model, made.columns, parts, made.partitioning, made.distribution)
    return (*fixed, made.changelog, made.merge_on_write, made.comment)


@pytest.mark.parametrize("text", [ALL_TYPES, PARTITIONED, WITHOUT_KEYS])
def test_fed_back_it_makes_an_equal_table(text: str) -> None:
    made = table(text)
    again = table(printed(made))
    assert essence(again) == essence(made)
    assert printed(again) == printed(made)


def test_the_layout_is_the_documented_one() -> None:
    made = table(
        "CREATE TABLE t (k BIGINT NOT NULL COMMENT 'key', v VARCHAR(20) DEFAULT 'x') UNIQUE KEY(k) COMMENT 'text'"
        " PARTITION BY RANGE(k) (PARTITION p1 VALUES [('0'), ('100')), PARTITION p2 VALUES [('100'), (MAXVALUE)))"
        ' DISTRIBUTED BY HASH(k) BUCKETS 2 PROPERTIES ("replication_num" = "1")'
    )
    assert (
        printed(made)
        == """CREATE TABLE `t` (
  `k` bigint NOT NULL COMMENT 'key',
  `v` varchar(20) NULL DEFAULT "x"
) ENGINE=OLAP
UNIQUE KEY(`k`)
COMMENT 'text'
PARTITION BY RANGE(`k`)
(PARTITION p1 VALUES [("0"), ("100")),
PARTITION p2 VALUES [("100"), (MAXVALUE)))
DISTRIBUTED BY HASH(`k`) BUCKETS 2
PROPERTIES (
"replication_allocation" = "tag.location.default: 1",
"min_load_replica_num" = "-1",
"is_being_synced" = "false",
"storage_medium" = "hdd",
"storage_format" = "V2",
"inverted_index_storage_format" = "V2",
"enable_unique_key_merge_on_write" = "true",
"light_schema_change" = "true",
"disable_auto_compaction" = "false",
"enable_single_replica_compaction" = "false",
"group_commit_interval_ms" = "10000",
"group_commit_data_bytes" = "134217728",
"enable_mow_light_delete" = "false"
);"""
    )


def test_a_database_prints_its_properties() -> None:
    assert create_database(DatabaseEntry(1, "d")) == "CREATE DATABASE `d`"
    shown = create_database(DatabaseEntry(1, "d", (("changelog.enable", "true"),)))
    assert shown == 'CREATE DATABASE `d`\nPROPERTIES (\n"changelog.enable" = "true"\n)'
