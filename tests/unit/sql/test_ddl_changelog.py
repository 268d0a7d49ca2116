"""The changelog.* properties: which tables may have one, database defaults, and what ALTER may change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sql.statement.database import created
from storage import errors
from storage.catalog.model import Changelog, DatabaseEntry
from storage.errors import Kind
from tests.unit.sql.draft import SHOP, alter_table, printed, refuses, table

ON = '"changelog.enable" = "true"'
HISTORY = '"changelog.need_historical_value" = "true"'
DUPLICATE = f"CREATE TABLE d (k INT, v INT) DUPLICATE KEY(k) PROPERTIES ({ON})"
UNIQUE = f"CREATE TABLE u (k INT, v INT) UNIQUE KEY(k) PROPERTIES ({ON}, {HISTORY})"
PLAIN = "CREATE TABLE p (k INT, v INT) UNIQUE KEY(k)"


def database(**defaults: str) -> DatabaseEntry:
    return replace(SHOP, properties=tuple((f"changelog.{key}", value) for key, value in defaults.items()))


def test_a_table_has_changelog_only_when_asked() -> None:
    assert table(PLAIN).changelog is None
    assert table(DUPLICATE).changelog == Changelog(86400, False)
    assert table(UNIQUE).changelog == Changelog(86400, True)


def test_the_database_gives_defaults_and_the_table_wins() -> None:
    shop = database(enable="true", need_historical_value="true", ttl_seconds="60")
    assert table(PLAIN, shop).changelog == Changelog(60, True)
    own = 'PROPERTIES ("changelog.need_historical_value" = "false", "changelog.ttl_seconds" = "5")'
    assert table(f"{PLAIN} {own}", shop).changelog == Changelog(5, False)
    assert table(f'{PLAIN} PROPERTIES ("changelog.enable" = "false")', shop).changelog is None


def test_a_database_default_does_not_spare_the_models() -> None:
    shop = database(enable="true", need_historical_value="true")
    refuses(errors.CHANGELOG_MODEL, table, "CREATE TABLE a (k INT, v INT SUM) AGGREGATE KEY(k)", shop)
    refuses(errors.CHANGELOG_DUPLICATE_HISTORY, table, "CREATE TABLE d (k INT) DUPLICATE KEY(k)", shop)


def test_history_without_enable_in_the_database_switches_nothing_on() -> None:
    assert table(PLAIN, database(need_historical_value="true", ttl_seconds="9")).changelog is None


def test_the_longest_ttl_is_legal() -> None:
    text = f'CREATE TABLE d (k INT) PROPERTIES ({ON}, "changelog.ttl_seconds" = "9223372036854775807")'
    log = table(text).changelog
    assert log is not None and log.ttl_seconds == 9223372036854775807


def test_the_switch_of_the_server_is_needed() -> None:
    refuses(errors.CHANGELOG_SWITCHED_OFF, table, DUPLICATE, SHOP, False)
    assert table(PLAIN, SHOP, False).changelog is None


REFUSED: list[tuple[str, str, Kind]] = [
    ("(k INT, v INT SUM) AGGREGATE KEY(k)", ON, errors.CHANGELOG_MODEL),
    ("(k INT) UNIQUE KEY(k)", f'{ON}, "enable_unique_key_merge_on_write" = "false"', errors.CHANGELOG_MODEL),
    ("(k INT, v INT) UNIQUE KEY(k) ORDER BY (v)", ON, errors.CHANGELOG_CLUSTER_KEYS),
    ("(k INT) DUPLICATE KEY(k)", f"{ON}, {HISTORY}", errors.CHANGELOG_DUPLICATE_HISTORY),
    ("(k BIGINT NOT NULL AUTO_INCREMENT) UNIQUE KEY(k)", ON, errors.CHANGELOG_AUTO_INCREMENT),
    ("(k INT, v VARIANT)", ON, errors.CHANGELOG_VARIANT),
    ("(k INT)", f'{ON}, "changelog.ttl_seconds" = "0"', errors.CHANGELOG_TTL),
    ("(k INT)", f'{ON}, "changelog.ttl_seconds" = "-5"', errors.CHANGELOG_TTL),
    ("(k INT)", f'{ON}, "changelog.ttl_seconds" = "soon"', errors.CHANGELOG_TTL_NUMBER),
    ("(k INT)", '"changelog.ttl_seconds" = "60"', errors.CHANGELOG_REQUIRED),
    ("(k INT) UNIQUE KEY(k)", HISTORY, errors.CHANGELOG_REQUIRED),
    ("(k INT)", '"changelog.enable" = "yes"', errors.INVALID_PROPERTY),
    ("(k INT)", f'{ON}, "changelog.max_bytes" = "1"', errors.UNKNOWN_PROPERTIES),
    ("(k INT)", '"binlog.format" = "ROW"', errors.BINLOG_FORMAT),
    ("(k INT)", '"binlog.need_historical_value" = "true"', errors.BINLOG_HISTORY),
    ("(k INT)", f'{ON}, "binlog.enable" = "true"', errors.CHANGELOG_AND_BINLOG),
]


@pytest.mark.parametrize(("columns", "properties", "kind"), REFUSED)
def test_each_limit_is_refused_in_its_own_words(columns: str, properties: str, kind: Kind) -> None:
    refuses(kind, table, f"CREATE TABLE t {columns} PROPERTIES ({properties})")


def test_a_temporary_table_ignores_the_database_but_not_its_own_wish() -> None:
    refuses(errors.CHANGELOG_TEMPORARY, table, f"CREATE TEMPORARY TABLE t (k INT) PROPERTIES ({ON})")
    assert table("CREATE TEMPORARY TABLE t (k INT)", database(enable="true")).changelog is None


def test_a_binlog_database_takes_no_changelog_table() -> None:
    shop = created(SHOP, [("binlog.enable", "true")])
    message = refuses(errors.CHANGELOG_IN_BINLOG_DATABASE, table, DUPLICATE, shop)
    assert message == "Can not create table d with changelog in database shop because the database enables binlog"


def test_database_properties_are_checked() -> None:
    refuses(errors.DATABASE_BOTH_LOGS, created, SHOP, [("binlog.enable", "true"), ("changelog.enable", "true")])
    refuses(errors.CHANGELOG_TTL, created, SHOP, [("changelog.ttl_seconds", "0")])
    refuses(errors.UNKNOWN_PROPERTIES, created, SHOP, [("colour", "red")])


def test_alter_changes_the_ttl_only() -> None:
    changed = alter_table(table(UNIQUE), 'ALTER TABLE u SET ("changelog.ttl_seconds" = "604800")')
    assert changed.changelog == Changelog(604800, True)


ALTERS: list[tuple[str, str, Kind, str]] = [
    (UNIQUE, '"changelog.enable" = "false"', errors.CHANGELOG_ENABLE_FIXED, "from true to false"),
    (PLAIN, '"changelog.enable" = "true"', errors.CHANGELOG_ENABLE_FIXED, "from false to true"),
    (
        UNIQUE, '"changelog.need_historical_value" = "false"', errors.CHANGELOG_HISTORY_FIXED,
        "not support change changelog.need_historical_value from true to false",
    ),
    (DUPLICATE, HISTORY, errors.CHANGELOG_HISTORY_FIXED, "from false to true"),
    (
        PLAIN, '"changelog.ttl_seconds" = "60"', errors.CHANGELOG_TTL_WITHOUT,
        "changelog.ttl_seconds can not be set because changelog is not enabled for table: p",
    ),
    (UNIQUE, '"changelog.ttl_seconds" = "-1"', errors.CHANGELOG_TTL, "must be greater than 0"),
    (UNIQUE, '"binlog.enable" = "true"', errors.CHANGELOG_AND_BINLOG, "both binlog and changelog"),
    (UNIQUE, '"binlog.ttl_seconds" = "1"', errors.CHANGELOG_OPERATION, "Not allowed"),
    (UNIQUE, '"bloom_filter_columns" = "v"', errors.CHANGELOG_OPERATION, "Not allowed"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "properties", "kind", "words"), ALTERS)
def test_alter_refuses_the_rest(text: str, properties: str, kind: Kind, words: str) -> None:
    assert words in refuses(kind, alter_table, table(text), f"ALTER TABLE t SET ({properties})")


def test_alter_to_the_value_it_has_is_no_change() -> None:
    made = table(UNIQUE)
    assert alter_table(made, f"ALTER TABLE u SET ({ON}, {HISTORY})") == made
    assert alter_table(table(PLAIN), 'ALTER TABLE p SET ("changelog.enable" = "false")').changelog is None


def test_show_create_table_prints_the_three_properties_last() -> None:
    assert printed(table(UNIQUE)).endswith(
        '"changelog.enable" = "true",\n"changelog.ttl_seconds" = "86400",\n'
        '"changelog.need_historical_value" = "true"\n);'
    )


def test_show_create_table_says_false_where_the_database_says_true() -> None:
    shop = database(enable="true")
    made = table(f'{PLAIN} PROPERTIES ("changelog.enable" = "false")', shop)
    assert '"changelog.enable" = "false"' in printed(made, shop)
    assert "changelog" not in printed(made)
