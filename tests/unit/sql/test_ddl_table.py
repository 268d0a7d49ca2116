"""CREATE TABLE: models, keys, columns, properties, and the words in which each mistake is refused."""

from __future__ import annotations

import pytest

from storage import errors
from storage.catalog.model import Distribution, Model
from storage.errors import Kind
from tests.unit.sql.draft import refuses, table


def test_a_unique_table_is_merge_on_write_and_hashed_by_its_keys() -> None:
    made = table("CREATE TABLE t (k INT NOT NULL, l INT, v STRING) UNIQUE KEY(k, l)")
    assert made.model is Model.UNIQUE and made.merge_on_write
    assert [column.name for column in made.keys] == ["k", "l"]
    assert made.distribution == Distribution("HASH", ("k", "l"), None)
    assert [column.nullable for column in made.columns] == [False, True, True]


def test_an_unpartitioned_table_has_one_partition_named_like_it() -> None:
    made = table("CREATE TABLE t (k INT)")
    assert [part.name for part in made.partitions] == ["t"]
    assert made.partitions[0].id != made.id


def test_without_key_clause_the_leading_columns_are_duplicate_keys() -> None:
    assert len(table("CREATE TABLE t (a INT, b INT, c INT, d INT)").keys) == 3
    assert len(table("CREATE TABLE t (a VARCHAR(5), b INT)").keys) == 1
    assert len(table("CREATE TABLE t (a INT, b DOUBLE, c INT)").keys) == 1
    assert len(table("CREATE TABLE t (a LARGEINT, b LARGEINT, c LARGEINT)").keys) == 2


def test_a_table_may_have_no_keys_when_it_says_so() -> None:
    text = 'CREATE TABLE t (a DOUBLE) PROPERTIES ("enable_duplicate_without_keys_by_default" = "true")'
    assert table(text).keys == ()


def test_types_are_printed_as_doris_prints_them() -> None:
    made = table(
        "CREATE TABLE t (a INT(11), b DATEV2, c DATETIMEV2(3), d DECIMALV3(9,2), e DECIMAL, f TEXT, g VARCHAR, h CHAR,"
        " i INTEGER, j LARGEINT, k VARCHAR(*), l BOOLEAN, m DECIMAL(5), n DATETIME)"
    )
    assert [str(column.type) for column in made.columns] == [
        "int", "date", "datetime(3)", "decimal(9,2)", "decimal(38,9)", "text", "varchar(65533)", "char(1)", "int",
        "largeint", "varchar(65533)", "boolean", "decimal(5,0)", "datetime",
    ]  # fmt: skip


def test_defaults_are_the_literal_text() -> None:
    made = table(
        'CREATE TABLE t (a INT DEFAULT 5, b INT DEFAULT "-3", c DATETIME(3) DEFAULT CURRENT_TIMESTAMP(3),'
        " d VARCHAR(9) DEFAULT 'x', e INT DEFAULT NULL, f DATE DEFAULT CURRENT_DATE, g DOUBLE DEFAULT PI)"
    )
    assert [column.default for column in made.columns] == [
        "5", "-3", "CURRENT_TIMESTAMP", "x", None, "CURRENT_DATE", "3.141592653589793",
    ]  # fmt: skip
    assert [column.default_is_function for column in made.columns] == [False, False, True, False, False, True, False]


REFUSED: list[tuple[str, Kind]] = [
    ("CREATE TABLE t (v INT, k INT) DUPLICATE KEY(k)", errors.KEY_NOT_PREFIX),
    ("CREATE TABLE t (k INT, v INT) UNIQUE KEY(zz)", errors.KEY_MISSING),
    ("CREATE TABLE t (k INT, v INT) UNIQUE KEY(k, k)", errors.KEY_TWICE),
    ("CREATE TABLE t (k INT, v INT SUM) DUPLICATE KEY(k)", errors.VALUE_AGGREGATED),
    ("CREATE TABLE t (k INT, v INT MAX) UNIQUE KEY(k)", errors.VALUE_AGGREGATED),
    ("CREATE TABLE t (k INT, v INT) AGGREGATE KEY(k)", errors.VALUE_NOT_AGGREGATED),
    ("CREATE TABLE t (k INT SUM, v INT SUM) AGGREGATE KEY(k)", errors.KEY_AGGREGATED),
    ("CREATE TABLE t (k STRING, v INT) DUPLICATE KEY(k)", errors.KEY_TYPE),
    ("CREATE TABLE t (k DOUBLE, v INT) UNIQUE KEY(k)", errors.KEY_FLOAT),
    ("CREATE TABLE t (k FLOAT, v INT)", errors.FIRST_COLUMN_NO_KEY),
    ("CREATE TABLE t (k INT, v INT) DUPLICATE KEY(k) ORDER BY (v)", errors.CLUSTER_KEY_MODEL),
    ("CREATE TABLE t (a INT, A INT)", errors.DUPLICATE_COLUMN),
    ("CREATE TABLE t (__DORIS_a INT)", errors.INCORRECT_COLUMN_NAME),
    ("CREATE TABLE t (__doris_tso INT)", errors.INCORRECT_COLUMN_NAME),
    ("CREATE TABLE `1t` (a INT)", errors.INCORRECT_TABLE_NAME),
    ("CREATE TABLE t (a INT NOT NULL DEFAULT NULL)", errors.NULL_DEFAULT),
    ("CREATE TABLE t (a INT DEFAULT 'abc')", errors.INVALID_DEFAULT),
    ("CREATE TABLE t (a TINYINT DEFAULT 300)", errors.INVALID_DEFAULT),
    ("CREATE TABLE t (a INT, b DATE DEFAULT '2024-02-30')", errors.INVALID_DEFAULT),
    ("CREATE TABLE t (a VARCHAR(2) DEFAULT 'éé')", errors.INVALID_DEFAULT),
    ("CREATE TABLE t (a INT DEFAULT CURRENT_TIMESTAMP)", errors.DEFAULT_FUNCTION),
    ("CREATE TABLE t (a INT DEFAULT uuid())", errors.DEFAULT_EXPRESSION),
    ("CREATE TABLE t (a CHAR(256))", errors.TYPE_SIZE),
    ("CREATE TABLE t (a VARCHAR(0))", errors.TYPE_SIZE),
    ("CREATE TABLE t (a DECIMAL(39,1))", errors.DECIMAL_PRECISION),
    ("CREATE TABLE t (a DECIMAL(4,5))", errors.DECIMAL_SCALE),
    ("CREATE TABLE t (a DATETIME(7))", errors.DATETIME_SCALE),
    ("CREATE TABLE t (a INT, b TIME)", errors.TIME_COLUMN),
    ("CREATE TABLE t (k INT) UNIQUE KEY(k) DISTRIBUTED BY RANDOM", errors.RANDOM_UNIQUE),
    ("CREATE TABLE t (k INT, v INT) UNIQUE KEY(k) DISTRIBUTED BY HASH(v)", errors.DISTRIBUTION_NOT_KEY),
    ("CREATE TABLE t (k INT) DISTRIBUTED BY HASH(zz)", errors.DISTRIBUTION_COLUMN),
    ("CREATE TABLE t (k INT) DISTRIBUTED BY HASH(k) BUCKETS 0", errors.BUCKETS_ZERO),
    ('CREATE TABLE t (k INT) PROPERTIES ("a" = "b")', errors.UNKNOWN_PROPERTIES),
    ('CREATE TABLE t (k INT) PROPERTIES ("replication_num" = "0")', errors.INVALID_PROPERTY),
    ('CREATE TABLE t (k INT) PROPERTIES ("enable_unique_key_merge_on_write" = "true")', errors.MOW_ON_OTHER_MODEL),
    ('CREATE TABLE t (k INT) PROPERTIES ("enable_mow_light_delete" = "true")', errors.LIGHT_DELETE_MODEL),
]


@pytest.mark.parametrize(("text", "kind"), REFUSED)
def test_each_mistake_has_its_own_words(text: str, kind: Kind) -> None:
    refuses(kind, table, text)


def test_another_engine_is_refused_by_name() -> None:
    message = refuses(errors.NOT_SUPPORTED_YET, table, "CREATE TABLE t (k INT) ENGINE = mysql")
    assert message.endswith("is not supported yet")
