"""Temporary partitions: outside of every read and write that does not name them, until they replace others."""

from __future__ import annotations

import pytest

from storage import errors
from storage.audit import audit
from storage.errors import Kind
from tests.unit.sql.client import Client
from tests.unit.sql.draft import alter_table, refuses, table

RANGED = (
    "CREATE TABLE t (k INT, v INT) {} PARTITION BY RANGE(k) (PARTITION p1 VALUES [(0), (10)),"
    " PARTITION p2 VALUES [(10), (20)), PARTITION p3 VALUES [(30), (40))) DISTRIBUTED BY HASH(k) BUCKETS 1 {}"
)
LOGGED = "PROPERTIES ('changelog.enable' = 'true', 'changelog.need_historical_value' = 'true')"
DRAFT = RANGED.format("DUPLICATE KEY(k)", "")


def replacing(*temporary: str, old: str = "p1", properties: str = "") -> str:
    """ALTER TABLE actions: add these ranges as q0, q1, … and replace `old` with them."""
    adds = [f"ADD TEMPORARY PARTITION q{place} VALUES {text}" for place, text in enumerate(temporary)]
    names = ", ".join(f"q{place}" for place in range(len(temporary)))
    tail = f" PROPERTIES ({properties})" if properties else ""
    return ", ".join([*adds, f"REPLACE PARTITION ({old}) WITH TEMPORARY PARTITION ({names}){tail}"])


REFUSED: list[tuple[str, Kind]] = [
    ("ADD TEMPORARY PARTITION p1 VALUES [(0), (5))", errors.PARTITION_EXISTS),
    (
        "ADD TEMPORARY PARTITION q VALUES [(0), (5)), ADD TEMPORARY PARTITION r VALUES [(4), (9))",
        errors.PARTITION_INTERSECTED,
    ),
    ("ADD TEMPORARY PARTITION q VALUES [(0), (5)), ADD PARTITION q VALUES [(50), (60))", errors.PARTITION_EXISTS),
    ("DROP TEMPORARY PARTITION p1", errors.PARTITION_MISSING),
    ("ADD TEMPORARY PARTITION q VALUES [(0), (5)), DROP PARTITION q", errors.PARTITION_MISSING),
    ("ADD TEMPORARY PARTITION q VALUES [(0), (5)), ADD COLUMN x INT", errors.TEMPORARY_PARTITIONS),
    ("ADD TEMPORARY PARTITION q VALUES [(0), (5)), MODIFY COLUMN v BIGINT", errors.TEMPORARY_PARTITIONS),
    ("ADD TEMPORARY PARTITION q VALUES [(0), (5)), ADD ROLLUP r (k)", errors.TEMPORARY_PARTITIONS),
    (replacing("[(0), (9))"), errors.REPLACE_RANGES),
    (replacing("[(0), (5))", "[(6), (10))"), errors.REPLACE_RANGES),
    (replacing("[(0), (15))", properties="'strict_range' = 'false'"), errors.REPLACE_CONFLICT),
    (replacing("[(0), (10))", old="zz"), errors.REPLACE_MISSING),
    ("REPLACE PARTITION (p1) WITH TEMPORARY PARTITION (zz)", errors.REPLACE_TEMPORARY),
    (replacing("[(0), (10))", properties="'colour' = 'red'"), errors.UNKNOWN_PROPERTIES),
]


@pytest.mark.parametrize(("actions", "kind"), REFUSED)
def test_each_mistake_has_its_own_words(actions: str, kind: Kind) -> None:
    refuses(kind, alter_table, table(DRAFT), f"ALTER TABLE t {actions}")


NAMES = [
    (replacing("[(0), (10))"), ["p1", "p2", "p3"]),
    (replacing("[(0), (10))", properties="'use_temp_partition_name' = 'true'"), ["p2", "p3", "q0"]),
    (replacing("[(0), (5))", "[(5), (10))"), ["p2", "p3", "q0", "q1"]),
    (replacing("[(0), (20))", old="p1, p2"), ["p3", "q0"]),
    (replacing("[(0), (20))", "[(30), (40))", old="p1, p2, p3"), ["q0", "q1"]),
    (replacing("[(2), (7))", properties="'strict_range' = 'false'"), ["p1", "p2", "p3"]),
]


@pytest.mark.parametrize(("actions", "names"), NAMES)
def test_replacing_partitions_keep_the_names_if_they_are_as_many(actions: str, names: list[str]) -> None:
    made = alter_table(table(DRAFT), f"ALTER TABLE t {actions}")
    assert sorted(part.name for part in made.visible_partitions) == names
    assert made.temporary_partitions == ()


def test_lists_are_replaced_by_equal_lists_only() -> None:
    lists = "(PARTITION p1 VALUES IN (1, 2), PARTITION p2 VALUES IN (3))"
    listed = table(f"CREATE TABLE t (k INT) PARTITION BY LIST(k) {lists}")
    made = alter_table(listed, f"ALTER TABLE t {replacing('IN (2)', 'IN (1, 3)', old='p1, p2')}")
    assert [part.values for part in made.visible_partitions] == [(("2",),), (("1",), ("3",))]
    text = f"ALTER TABLE t {replacing('IN (1)', properties='''strict_range = 'false' ''')}"
    refuses(errors.REPLACE_LISTS, alter_table, listed, text.replace("strict_range", "'strict_range'"))


@pytest.mark.parametrize("model", ["DUPLICATE KEY(k)", "UNIQUE KEY(k)"])
@pytest.mark.parametrize("log", ["", LOGGED])
def test_a_temporary_partition_is_apart(client: Client, model: str, log: str) -> None:
    if model.startswith("DUP"):
        log = log.replace(", 'changelog.need_historical_value' = 'true'", "")
    client.run(f"{RANGED.format(model, log)}; INSERT INTO t VALUES (1, 1), (2, 2), (11, 11)")
    client.run("ALTER TABLE t ADD TEMPORARY PARTITION tp VALUES [(0), (10))")
    client.run("INSERT INTO t TEMPORARY PARTITION (tp) VALUES (1, 100), (3, 300)")
    client.run("INSERT INTO t TEMPORARY PARTITION (tp) SELECT k, v + 1 FROM t TEMPORARY PARTITION (tp) WHERE k = 3")
    assert client.run("SELECT * FROM t ORDER BY k") == [(1, 1), (2, 2), (11, 11)]
    expected = [(1, 100), (3, 300), (3, 301)] if model.startswith("DUP") else [(1, 100), (3, 301)]
    assert client.run("SELECT * FROM t TEMPORARY PARTITION (tp) ORDER BY k, v") == expected
    client.run("INSERT INTO t VALUES (1, 5)")
    assert client.run("SELECT * FROM t TEMPORARY PARTITION (tp) ORDER BY k, v") == expected
    client.run("DELETE FROM t WHERE k = 3")
    assert client.run("SELECT * FROM t TEMPORARY PARTITION (tp) ORDER BY k, v") == expected
    client.refused(errors.FILTERED_IN_STRICT_MODE, "INSERT INTO t TEMPORARY PARTITION (tp) VALUES (11, 1)")
    client.refused(errors.UNKNOWN_PARTITION, "SELECT * FROM t PARTITION (tp)")
    client.refused(errors.UNKNOWN_PARTITION, "SELECT * FROM t TEMPORARY PARTITION (p1)")
    assert [row[1] for row in client.run("SHOW TEMPORARY PARTITIONS FROM t")] == ["tp"]
    assert [row[1] for row in client.run("SHOW PARTITIONS FROM t")] == ["p1", "p2", "p3"]
    client.run("ALTER TABLE t REPLACE PARTITION (p1) WITH TEMPORARY PARTITION (tp)")
    assert client.run("SELECT * FROM t PARTITION (p1) ORDER BY k, v") == expected
    assert audit(client.engine.database) == []


def test_a_stream_reads_the_replacing_partition_from_its_start(client: Client) -> None:
    client.run(f"{RANGED.format('UNIQUE KEY(k)', LOGGED)}; ALTER TABLE t ADD TEMPORARY PARTITION tp VALUES [(0), (10))")
    client.run("INSERT INTO t VALUES (1, 1); INSERT INTO t TEMPORARY PARTITION (tp) VALUES (7, 7)")
    client.run("CREATE STREAM s ON TABLE t; INSERT INTO t VALUES (2, 2)")
    assert client.run("SELECT k FROM s") == [(2,)]
    client.run("ALTER TABLE t REPLACE PARTITION (p1) WITH TEMPORARY PARTITION (tp)")
    assert client.run("SELECT k, __DORIS_STREAM_CHANGE_TYPE_COL__ FROM s") == [(7, "APPEND")]


def test_what_goes_with_the_table(client: Client) -> None:
    client.run(f"{DRAFT}; ALTER TABLE t ADD TEMPORARY PARTITION tp VALUES [(0), (10))")
    client.run("TRUNCATE TABLE t PARTITION (p1)")
    assert len(client.run("SHOW TEMPORARY PARTITIONS FROM t")) == 1
    client.run("TRUNCATE TABLE t")
    assert client.run("SHOW TEMPORARY PARTITIONS FROM t") == []
    client.run("ALTER TABLE t ADD TEMPORARY PARTITION tp VALUES [(0), (10)); DROP TABLE t; RECOVER TABLE t")
    assert client.run("SHOW TEMPORARY PARTITIONS FROM t") == []
    client.run("ALTER TABLE t ADD TEMPORARY PARTITION tp VALUES [(0), (10))")
    client.run("ALTER TABLE t MODIFY TEMPORARY PARTITION tp SET ('storage_medium' = 'SSD')")
    assert client.run("SHOW TEMPORARY PARTITIONS FROM t")[0][10] == "SSD"
    client.run("ALTER TABLE t DROP TEMPORARY PARTITION tp, DROP TEMPORARY PARTITION IF EXISTS tp")


def test_overwriting_a_temporary_partition_leaves_the_others(client: Client) -> None:
    client.run(f"{DRAFT}; INSERT INTO t VALUES (1, 1); ALTER TABLE t ADD TEMPORARY PARTITION tp VALUES [(0), (10))")
    client.run("INSERT INTO t TEMPORARY PARTITION (tp) VALUES (5, 5)")
    client.run("INSERT OVERWRITE TABLE t TEMPORARY PARTITION (tp) VALUES (6, 6)")
    assert client.run("SELECT k FROM t TEMPORARY PARTITION (tp)") == [(6,)]
    client.run("INSERT OVERWRITE TABLE t VALUES (2, 2)")
    assert client.run("SELECT k FROM t") == [(2,)] and client.run("SELECT k FROM t TEMPORARY PARTITION (tp)") == [(6,)]
