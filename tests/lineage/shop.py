"""Tables to write statements about, and short words for what they say."""

from __future__ import annotations

from dorisette.lineage import LineageInfo
from tests.lineage.draft import Draft

SHOP = Draft(
    "CREATE DATABASE d",
    "CREATE DATABASE e",
    "USE d",
)
SHOP.table("t", "a INT, b INT, c VARCHAR(10), `status` VARCHAR(5), dt DATE, Big INT")
SHOP.table("u", "a INT, x INT, y INT, z VARCHAR(10)")
SHOP.table("w", "a INT, x INT, k INT")
SHOP.table("o1", "p VARCHAR(50)")
SHOP.table("o2", "p VARCHAR(50), q VARCHAR(50)")
SHOP.table("o3", "p VARCHAR(50), q VARCHAR(50), r VARCHAR(50)")
SHOP.table("e.far", "n INT, m INT")
SHOP.run(
    "CREATE TABLE log (k BIGINT, v INT) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1 PROPERTIES"
    " ('enable_unique_key_merge_on_write' = 'true', 'changelog.enable' = 'true',"
    " 'changelog.need_historical_value' = 'true')"
)
SHOP.run("CREATE STREAM flow ON TABLE log")
SHOP.run("CREATE VIEW v1 AS SELECT a, b + 1 AS b1 FROM t WHERE c = 'x'")
SHOP.run("CREATE VIEW v2 (m, n) AS SELECT * FROM v1 ORDER BY b1")
SHOP.run("CREATE VIEW both AS SELECT a, b AS s FROM t UNION ALL SELECT x, y FROM u")
SHOP.run("CREATE VIEW of_stream AS SELECT k, __DORIS_STREAM_CHANGE_TYPE_COL__ AS what FROM flow")


def lineage(sql: str, show_hidden: bool = False) -> LineageInfo:
    """The lineage of a statement that has one."""
    info = SHOP.lineage(sql, show_hidden)
    assert info is not None, sql
    return info


def direct(sql: str) -> set[str]:
    """`column TYPE expression` of each direct entry."""
    return {
        f"{column} {entry.type} {entry.expr.sql}" for column, found in lineage(sql).direct.items() for entry in found
    }


def dataset(sql: str) -> dict[str, set[str]]:
    """The texts of the dataset-indirect entries by type."""
    return {kind: {entry.sql for entry in found} for kind, found in lineage(sql).dataset_indirect.items()}


def output(sql: str) -> set[str]:
    """`column TYPE expression` of each output-indirect entry."""
    return {
        f"{column} {kind} {entry.sql}"
        for column, kinds in lineage(sql).output_indirect.items()
        for kind, found in kinds.items()
        for entry in found
    }


def tables(sql: str) -> set[str]:
    """The source tables without `internal.`."""
    return {table.removeprefix("internal.") for table in lineage(sql).source_tables}
