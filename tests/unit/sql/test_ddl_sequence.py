"""Sequence columns, the skip bitmap, and columns that fill themselves, in DDL."""

from __future__ import annotations

import pytest

from storage import errors
from storage.catalog.sequence import has_skip_bitmap, sequence_of
from storage.errors import Kind
from tests.unit.sql.draft import alter_table, printed, refuses, table

KEY = "UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1"


def _properties(**pairs: str) -> str:
    names = {"col": "function_column.sequence_col", "type": "function_column.sequence_type"}
    names |= {"skip": "enable_unique_key_skip_bitmap_column", "mow": "enable_unique_key_merge_on_write"}
    return "PROPERTIES (" + ", ".join(f'"{names[key]}" = "{value}"' for key, value in pairs.items()) + ")"


def test_a_mapped_column_is_found_in_any_case_and_kept_as_declared() -> None:
    made = table(f"CREATE TABLE t (k INT, Ver INT) {KEY} {_properties(col='VER')}")
    sequence = sequence_of(made)
    assert sequence is not None and sequence.column is made.columns[1] and sequence.physical == "Ver"
    assert '"function_column.sequence_col" = "Ver"' in printed(made)


@pytest.mark.parametrize("kind", ["tinyint", "Int", "LARGEINT", "Date", "datetime", "datev2"])
def test_a_hidden_column_may_have_these_types(kind: str) -> None:
    sequence = sequence_of(table(f"CREATE TABLE t (k INT, v INT) {KEY} {_properties(type=kind)}"))
    assert sequence is not None and sequence.column is None
    assert sequence.type.name == {"datev2": "date"}.get(kind.lower(), kind.lower())


@pytest.mark.parametrize(
    ("columns", "clause", "kind"),
    [
        ("k INT, v INT", f"{KEY} {_properties(col='nope')}", errors.SEQUENCE_COLUMN),
        ("k INT, v DOUBLE", f"{KEY} {_properties(col='v')}", errors.SEQUENCE_TYPE),
        ("k INT, v INT", f"{KEY} {_properties(type='varchar')}", errors.SEQUENCE_TYPE),
        ("k INT, v INT", f"{KEY} {_properties(col='v', type='int')}", errors.SEQUENCE_BOTH),
        ("k INT, v INT", f"DUPLICATE KEY(k) {_properties(col='v')}", errors.SEQUENCE_MODEL),
        ("k INT, v INT SUM", f"AGGREGATE KEY(k) {_properties(type='int')}", errors.SEQUENCE_MODEL),
        ("k INT, v INT", f"DUPLICATE KEY(k) {_properties(skip='true')}", errors.SKIP_BITMAP_PROPERTY),
        ("k INT, v INT", f"{KEY} {_properties(skip='true', mow='false')}", errors.SKIP_BITMAP_PROPERTY),
        ("k INT, v BIGINT AUTO_INCREMENT", KEY, errors.AUTO_INCREMENT_NULL),
        ("k INT, v INT NOT NULL AUTO_INCREMENT", KEY, errors.AUTO_INCREMENT_TYPE),
        ("k INT, v DATETIME ON UPDATE CURRENT_TIMESTAMP", KEY, errors.ON_UPDATE_DEFAULT),
        ("k INT, v INT AS (w)", KEY, errors.GENERATED_COLUMN),
        ("k INT, v INT AS (w), w INT AS (k)", KEY, errors.GENERATED_COLUMN),
        ("k INT, v INT AS (sum(k))", KEY, errors.GENERATED_EXPRESSION),
        ("k INT, v INT SUM AS (k)", "AGGREGATE KEY(k)", errors.GENERATED_MODEL),
    ],
)
def test_what_a_table_cannot_have(columns: str, clause: str, kind: Kind) -> None:
    refuses(kind, table, f"CREATE TABLE t ({columns}) {clause}")


@pytest.mark.parametrize(
    "call",
    [
        "LAST_QUERY_ID()",
        "SYSTEM_USER()",
        "SESSION_USER()",
        "USER()",
        "CURRENT_USER()",
        "DATABASE()",
        "VERSION()",
        "CONNECTION_ID()",
        "@x",
        "CURRENT_CATALOG()",
        "@@version",
        "UUID()",
        "RAND()",
        "RANDOM(3)",
        "NOW(3)",
        "SYSDATE()",
        "CURDATE()",
        "CURRENT_TIMESTAMP",
        "LOCALTIME",
        "UTC_TIMESTAMP()",
        "CURRENT_TIME()",
        "UNIX_TIMESTAMP()",
    ],
)
def test_a_generated_column_is_the_same_at_any_time_and_for_all(call: str) -> None:
    refuses(errors.GENERATED_EXPRESSION, table, f"CREATE TABLE t (k INT, v STRING AS (CONCAT(k, {call}))) {KEY}")
    assert table(f"CREATE TABLE t (k INT, v INT AS (UNIX_TIMESTAMP(k))) {KEY}").columns[1].generated


def test_features_can_be_enabled_once() -> None:
    plain = table(f"CREATE TABLE t (k INT, v INT) {KEY}")
    load = 'ALTER TABLE t ENABLE FEATURE "SEQUENCE_LOAD" WITH PROPERTIES ("function_column.sequence_type" = "Date")'
    ordered = alter_table(plain, load)
    assert sequence_of(ordered) is not None and ordered.schema_version == plain.schema_version + 1
    assert '"function_column.sequence_type" = "Date"' in printed(ordered)
    refuses(errors.SEQUENCE_EXISTS, alter_table, ordered, load)
    flexible = 'ALTER TABLE t ENABLE FEATURE "UPDATE_FLEXIBLE_COLUMNS"'
    assert has_skip_bitmap(alter_table(plain, flexible))
    refuses(errors.SKIP_BITMAP_EXISTS, alter_table, alter_table(plain, flexible), flexible)
    refuses(errors.BATCH_DELETE_EXISTS, alter_table, plain, 'ALTER TABLE t ENABLE FEATURE "BATCH_DELETE"')
    refuses(errors.FEATURE_UNKNOWN, alter_table, plain, 'ALTER TABLE t ENABLE FEATURE "MORE"')
    refuses(errors.FEATURE_TYPE_MISSING, alter_table, plain, 'ALTER TABLE t ENABLE FEATURE "SEQUENCE_LOAD"')
    duplicate = table("CREATE TABLE t (k INT, v INT) DUPLICATE KEY(k)")
    refuses(errors.SEQUENCE_FEATURE_MODEL, alter_table, duplicate, load)
    refuses(errors.SKIP_BITMAP_MODEL, alter_table, duplicate, flexible)


def test_the_mapped_column_stays_and_keeps_its_type() -> None:
    made = table(f"CREATE TABLE t (k INT, v INT, w INT) {KEY} {_properties(col='v')}")
    refuses(errors.SEQUENCE_DROP, alter_table, made, "ALTER TABLE t DROP COLUMN v")
    refuses(errors.SEQUENCE_MODIFY, alter_table, made, "ALTER TABLE t MODIFY COLUMN v BIGINT")
    assert sequence_of(alter_table(made, "ALTER TABLE t DROP COLUMN w")) is not None
    renamed = sequence_of(alter_table(made, "ALTER TABLE t RENAME COLUMN v TO x"))
    assert renamed is not None and renamed.physical == "x"


def test_columns_that_fill_themselves_are_printed_as_they_were_declared() -> None:
    made = table(
        "CREATE TABLE t (k BIGINT NOT NULL AUTO_INCREMENT(7), n INT, d INT GENERATED ALWAYS AS (n * 2),"
        f" at DATETIME DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP) {KEY}"
    )
    text = printed(made)
    assert "`k` bigint NOT NULL AUTO_INCREMENT(7)" in text and "`d` int AS (n * 2) NULL" in text
    assert "`at` datetime NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP" in text
    assert table(text).columns == made.columns


def test_what_a_generated_column_uses_stays() -> None:
    made = table(f"CREATE TABLE t (k INT, n INT, d INT AS (n * 2)) {KEY}")
    for action in ("DROP COLUMN n", "RENAME COLUMN n TO m"):
        refuses(errors.GENERATED_USE, alter_table, made, f"ALTER TABLE t {action}")
    refuses(errors.GENERATED_ADDED, alter_table, made, "ALTER TABLE t ADD COLUMN e INT AS (n)")
