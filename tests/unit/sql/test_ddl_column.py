"""MODIFY COLUMN, ORDER BY, key columns and rollup columns of ALTER TABLE, as catalog changes."""

from __future__ import annotations

import pytest

from storage import errors
from storage.catalog.model import Table
from storage.errors import Kind
from tests.unit.sql.draft import alter_table, refuses, table

PLAIN = (
    "CREATE TABLE m (k INT, p DATE, i INT, s VARCHAR(8) DEFAULT 'x', c CHAR(3), d DECIMAL(9, 2), f FLOAT,"
    " t DATETIME, n INT NOT NULL DEFAULT 1 COMMENT 'old') DUPLICATE KEY(k, p)"
    " PARTITION BY RANGE(p) (PARTITION a VALUES LESS THAN ('2024-01-01')) DISTRIBUTED BY HASH(k) BUCKETS 1"
)
UNIQUE = "CREATE TABLE m (a INT, b VARCHAR(8), v INT, w INT) UNIQUE KEY(a, b) DISTRIBUTED BY HASH(a)"


def altered(action: str, text: str = PLAIN) -> Table:
    return alter_table(table(text), f"ALTER TABLE m {action}")


def kind_of(made: Table, name: str) -> str:
    column = made.column(name)
    assert column is not None
    return str(column.type)


ALLOWED = [
    ("i BIGINT", "i", "bigint"),
    ("i DECIMAL(12, 2)", "i", "decimal(12,2)"),
    ("i VARCHAR(20)", "i", "varchar(20)"),
    ("i DATE", "i", "date"),
    ("s VARCHAR(9) DEFAULT 'x'", "s", "varchar(9)"),
    ("s STRING DEFAULT 'x'", "s", "text"),
    ("c INT", "c", "int"),
    ("c DATE", "c", "date"),
    ("c VARCHAR(3)", "c", "varchar(3)"),
    ("d DECIMAL(10, 3)", "d", "decimal(10,3)"),
    ("f DOUBLE", "f", "double"),
    ("t DATE", "t", "date"),
    ("t DATETIME(3)", "t", "datetime(3)"),
    ("n INT NULL DEFAULT 1", "n", "int"),
]


@pytest.mark.parametrize(("definition", "name", "kind"), ALLOWED)
def test_a_type_may_grow_or_become_another(definition: str, name: str, kind: str) -> None:
    made = altered(f"MODIFY COLUMN {definition}")
    assert kind_of(made, name) == kind and made.schema_version == 1
    assert [c.uid for c in made.columns] == list(range(9))


REFUSED: list[tuple[str, Kind]] = [
    ("MODIFY COLUMN zz INT", errors.COLUMN_UNKNOWN),
    ("MODIFY COLUMN i SMALLINT", errors.TYPE_CHANGE),
    ("MODIFY COLUMN i DECIMAL(5, 2)", errors.TYPE_CHANGE),
    ("MODIFY COLUMN s VARCHAR(5) DEFAULT 'x'", errors.TYPE_SHORTER),
    ("MODIFY COLUMN s CHAR(20) DEFAULT 'x'", errors.TYPE_CHANGE),
    ("MODIFY COLUMN d DECIMAL(9, 3)", errors.TYPE_CHANGE),
    ("MODIFY COLUMN t INT", errors.TYPE_CHANGE),
    ("MODIFY COLUMN s VARCHAR(9)", errors.MODIFY_DEFAULT),
    ("MODIFY COLUMN i BIGINT NOT NULL", errors.MODIFY_NULL),
    ("MODIFY COLUMN i BIGINT KEY", errors.MODIFY_KEY),
    ("MODIFY COLUMN k BIGINT", errors.MODIFY_KEY),
    ("MODIFY COLUMN i BIGINT SUM", errors.MODIFY_AGGREGATION),
    ("MODIFY COLUMN p DATETIME KEY", errors.MODIFY_PLACED),
    ("MODIFY COLUMN k BIGINT KEY", errors.MODIFY_PLACED),
    ("MODIFY COLUMN i INT FIRST", errors.VALUE_BEFORE_KEY),
    ("MODIFY COLUMN i INT AFTER i", errors.COLUMN_AFTER_ITSELF),
    ("ORDER BY (k, p, i)", errors.ORDER_ALL),
    ("ORDER BY (k, k)", errors.ORDER_TWICE),
    ("ORDER BY (i, k, p, s, c, d, f, t, n)", errors.VALUE_BEFORE_KEY),
    ("RENAME COLUMN p q", errors.RENAME_PLACED),
    ("RENAME COLUMN k q", errors.RENAME_PLACED),
    ("DROP COLUMN p", errors.DROP_USED_COLUMN),
    ("ADD COLUMN q DOUBLE KEY", errors.KEY_FLOAT),
    ("ADD COLUMN q BIGINT NOT NULL AUTO_INCREMENT", errors.ADD_NUMBERED),
    ("ADD COLUMN q INT SUM", errors.VALUE_AGGREGATED),
]


@pytest.mark.parametrize(("action", "kind"), REFUSED)
def test_each_mistake_has_its_own_words(action: str, kind: Kind) -> None:
    refuses(kind, altered, action)


def test_a_modified_column_keeps_its_comment_and_moves_where_it_is_told() -> None:
    made = altered("MODIFY COLUMN n BIGINT NOT NULL DEFAULT 1 AFTER p")
    assert [column.name for column in made.columns][:4] == ["k", "p", "n", "i"]
    assert made.columns[2].comment == "old" and made.columns[2].uid == 8


def test_order_by_moves_keys_among_keys_and_values_among_values() -> None:
    made = altered("ORDER BY (p, k, n, t, f, d, c, s, i)")
    assert [column.name for column in made.keys] == ["p", "k"]
    assert [column.uid for column in made.columns] == [1, 0, 8, 7, 6, 5, 4, 3, 2]


def test_keys_of_a_keyed_table_change_only_if_they_stay_apart() -> None:
    assert kind_of(altered("MODIFY COLUMN b VARCHAR(20) KEY", UNIQUE), "b") == "varchar(20)"
    refuses(errors.MODIFY_KEY_TYPE, altered, "MODIFY COLUMN b INT KEY", UNIQUE)
    refuses(errors.DROP_KEY_COLUMN, altered, "DROP COLUMN b", UNIQUE)
    made = altered("ADD COLUMN c INT KEY DEFAULT '0' AFTER a", UNIQUE)
    assert [column.name for column in made.keys] == ["a", "c", "b"]


def test_a_duplicate_table_may_lose_keys_but_not_the_last() -> None:
    text = "CREATE TABLE m (a INT, b INT, v INT) DUPLICATE KEY(a, b) DISTRIBUTED BY RANDOM"
    made = altered("DROP COLUMN a", text)
    assert [column.name for column in made.keys] == ["b"]
    refuses(errors.LAST_KEY_COLUMN, alter_table, made, "ALTER TABLE m DROP COLUMN b")


def test_an_aggregate_table_takes_values_with_an_aggregation_and_else_keys() -> None:
    text = "CREATE TABLE m (k INT, v INT SUM) AGGREGATE KEY(k)"
    assert altered("ADD COLUMN w INT MAX", text).columns[-1].aggregation == "MAX"
    assert [column.name for column in altered("ADD COLUMN q INT DEFAULT '0'", text).keys] == ["k", "q"]
    refuses(errors.DROP_KEY_COLUMN, altered, "DROP COLUMN k", text)
    refuses(errors.MODIFY_AGGREGATION, altered, "MODIFY COLUMN v BIGINT MAX", text)
    assert kind_of(altered("MODIFY COLUMN v BIGINT SUM", text), "v") == "bigint"


def test_indexes_and_bloom_filters_follow_their_columns() -> None:
    text = (
        "CREATE TABLE m (k INT, v INT, w INT, INDEX i (v)) DUPLICATE KEY(k) PROPERTIES ('bloom_filter_columns' = 'v,w')"
    )
    assert altered("RENAME COLUMN v x", text).property("bloom_filter_columns") == "x,w"
    gone = altered("DROP COLUMN v", text)
    assert gone.indexes == () and gone.property("bloom_filter_columns") == "w"
    assert alter_table(gone, "ALTER TABLE m DROP COLUMN w").property("bloom_filter_columns") is None


def test_a_rollup_has_columns_of_its_own() -> None:
    made = altered("ADD ROLLUP r (a, b, v)", UNIQUE)
    refuses(errors.DROP_IN_ROLLUP, alter_table, made, "ALTER TABLE m DROP COLUMN v")
    more = alter_table(made, "ALTER TABLE m ADD COLUMN x INT TO r")
    assert [column.name for column in more.columns] == ["a", "b", "v", "w", "x"]
    assert more.rollups[0].columns == (0, 1, 2, 4)
    assert alter_table(more, "ALTER TABLE m DROP COLUMN v FROM r").rollups[0].columns == (0, 1, 4)
    assert alter_table(more, "ALTER TABLE m ORDER BY (b, a, x, v) FROM r").rollups[0].columns == (1, 0, 4, 2)
    refuses(errors.ROLLUP_KEYS, altered, "ADD ROLLUP r (a, v)", UNIQUE)
