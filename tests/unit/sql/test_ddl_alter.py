"""ALTER TABLE: columns, names, swapping, and which actions a table with changelog takes."""

from __future__ import annotations

import pytest

from storage import errors
from storage.catalog.model import Stream, StreamType
from storage.errors import Kind
from tests.unit.sql.draft import alter, alter_table, catalog, refuses, table

LOGGED = 'CREATE TABLE m (id INT, a INT, b VARCHAR(8)) UNIQUE KEY(id) PROPERTIES ("changelog.enable" = "true")'
PLAIN = "CREATE TABLE m (id INT, a INT, b VARCHAR(8)) UNIQUE KEY(id)"


def names(text: str, action: str) -> list[str]:
    return [column.name for column in alter_table(table(text), f"ALTER TABLE m {action}").columns]


def test_add_column_stands_where_it_is_told() -> None:
    assert names(LOGGED, 'ADD COLUMN c INT DEFAULT "9"') == ["id", "a", "b", "c"]
    assert names(LOGGED, "ADD COLUMN c INT AFTER a") == ["id", "a", "c", "b"]
    assert names(LOGGED, "ADD COLUMN c INT AFTER id") == ["id", "c", "a", "b"]
    assert names(LOGGED, "ADD COLUMN (c INT, d INT)") == ["id", "a", "b", "c", "d"]


def test_a_column_that_comes_back_is_another_column() -> None:
    made = alter_table(table(LOGGED), "ALTER TABLE m DROP COLUMN b")
    again = alter_table(made, "ALTER TABLE m ADD COLUMN b VARCHAR(8)")
    assert [column.uid for column in again.columns] == [0, 1, 3]
    assert (made.schema_version, again.schema_version, again.next_uid) == (1, 2, 4)


def test_rename_column_keeps_its_identity() -> None:
    made = alter_table(table(PLAIN), "ALTER TABLE m RENAME COLUMN a aa")
    assert [(column.uid, column.name) for column in made.columns] == [(0, "id"), (1, "aa"), (2, "b")]


def test_comments_change_nothing_else() -> None:
    made = alter_table(table(LOGGED), "ALTER TABLE m MODIFY COLUMN a COMMENT 'it''s', MODIFY COMMENT 'all'")
    column = made.column("a")
    assert column is not None and column.comment == "it's" and made.comment == "all" and made.schema_version == 0


REFUSED: list[tuple[str, Kind]] = [
    ("ADD COLUMN a INT", errors.DUPLICATE_COLUMN),
    ("ADD COLUMN __DORIS_x INT", errors.INCORRECT_COLUMN_NAME),
    ("ADD COLUMN c INT FIRST", errors.VALUE_BEFORE_KEY),
    ("ADD COLUMN c INT AFTER zz", errors.COLUMN_UNKNOWN),
    ("ADD COLUMN c INT KEY", errors.CHANGELOG_OPERATION),
    ("ADD COLUMN c INT SUM", errors.VALUE_AGGREGATED),
    ("ADD COLUMN c INT NOT NULL", errors.ADD_NOT_NULL),
    ("ADD COLUMN c VARIANT", errors.CHANGELOG_VARIANT),
    ("ADD COLUMN c BIGINT NOT NULL AUTO_INCREMENT DEFAULT 1", errors.CHANGELOG_AUTO_INCREMENT),
    ("DROP COLUMN zz", errors.COLUMN_MISSING),
    ("DROP COLUMN id", errors.DROP_KEY_COLUMN),
    ('SET ("enable_unique_key_merge_on_write" = "true")', errors.FIXED_PROPERTY),
    ('SET ("colour" = "red")', errors.UNKNOWN_PROPERTIES),
    ("MODIFY COLUMN b VARCHAR(20)", errors.CHANGELOG_OPERATION),
    ("RENAME COLUMN a aa", errors.CHANGELOG_OPERATION),
    ("ORDER BY (id, b, a)", errors.CHANGELOG_OPERATION),
    ("MODIFY ENGINE TO odbc", errors.CHANGELOG_OPERATION),
    ("ADD CONSTRAINT c UNIQUE (a)", errors.CHANGELOG_OPERATION),
]


@pytest.mark.parametrize(("action", "kind"), REFUSED)
def test_a_refused_action_has_its_own_words(action: str, kind: Kind) -> None:
    refuses(kind, alter_table, table(LOGGED), f"ALTER TABLE m {action}")


def test_without_light_schema_change_a_changelog_table_keeps_its_columns() -> None:
    heavy = table(LOGGED.replace('"true")', '"true", "light_schema_change" = "false")'))
    refuses(errors.CHANGELOG_OPERATION, alter_table, heavy, "ALTER TABLE m ADD COLUMN c INT")
    refuses(errors.CHANGELOG_OPERATION, alter_table, heavy, "ALTER TABLE m DROP COLUMN b")


def test_a_column_that_places_rows_stays() -> None:
    made = table(
        "CREATE TABLE m (k INT, d INT, v INT) PARTITION BY RANGE(d) (PARTITION p VALUES LESS THAN (9))"
        " DISTRIBUTED BY HASH(k)"
    )
    refuses(errors.DROP_USED_COLUMN, alter_table, made, "ALTER TABLE m DROP COLUMN d")
    refuses(errors.DROP_USED_COLUMN, alter_table, made, "ALTER TABLE m DROP COLUMN k")


def test_rename_takes_the_single_partition_along() -> None:
    made = alter_table(table(LOGGED), "ALTER TABLE m RENAME n")
    assert made.name == "n" and made.partitions[0].name == "n"


def test_a_name_of_a_table_or_stream_is_taken() -> None:
    first, second = table(LOGGED), table(PLAIN.replace(" m ", " other "))
    before = catalog(first, second).with_stream(Stream(7, 1, "s", first.id, StreamType.DETAIL, False))
    refuses(errors.TABLE_EXISTS, alter, before, first, "ALTER TABLE m RENAME other")
    refuses(errors.TABLE_EXISTS, alter, before, first, "ALTER TABLE m RENAME s")


def test_replace_with_table_swaps_names_and_streams_keep_their_object() -> None:
    first, second = table(LOGGED), table(PLAIN.replace(" m ", " other "))
    after = alter(catalog(first, second), first, "ALTER TABLE m REPLACE WITH TABLE other")
    assert (after.tables[first.id].name, after.tables[second.id].name) == ("other", "m")
    assert after.tables[second.id].partitions[0].name == "m"


def test_replace_without_swap_drops_the_old_table() -> None:
    first, second = table(LOGGED), table(PLAIN.replace(" m ", " other "))
    text = "ALTER TABLE m REPLACE WITH TABLE other PROPERTIES ('swap' = 'false')"
    after = alter(catalog(first, second), first, text)
    found = after.table(1, "m")
    assert found is not None and found.id == second.id
    assert after.table(1, "other") is None and after.tables[first.id].dropped_at is not None


def test_properties_are_merged() -> None:
    made = alter_table(table(PLAIN), 'ALTER TABLE m SET ("disable_auto_compaction" = "true")')
    assert made.property("disable_auto_compaction") == "true"
