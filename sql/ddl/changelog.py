"""The rules of the changelog.* and binlog.* properties: defaults of the database, checks, and the fixed ones.

Pure functions over property pairs. Source: Doris: Changelog, properties, database defaults, errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from sql.ddl.column import Declared
from sql.ddl.key import Keys
from sql.ddl.table_property import switch, unknown_properties
from storage.catalog.model import Changelog, DatabaseEntry, Model, Table
from storage.errors import (
    BINLOG_FORMAT,
    BINLOG_HISTORY,
    CHANGELOG_AND_BINLOG,
    CHANGELOG_AUTO_INCREMENT,
    CHANGELOG_CLUSTER_KEYS,
    CHANGELOG_DUPLICATE_HISTORY,
    CHANGELOG_ENABLE_FIXED,
    CHANGELOG_HISTORY_FIXED,
    CHANGELOG_IN_BINLOG_DATABASE,
    CHANGELOG_MODEL,
    CHANGELOG_OPERATION,
    CHANGELOG_REQUIRED,
    CHANGELOG_SWITCHED_OFF,
    CHANGELOG_TEMPORARY,
    CHANGELOG_TTL,
    CHANGELOG_TTL_NUMBER,
    CHANGELOG_TTL_WITHOUT,
    CHANGELOG_VARIANT,
    Kind,
)

ENABLE = "changelog.enable"
HISTORY = "changelog.need_historical_value"
TTL = "changelog.ttl_seconds"
BINLOG = "binlog.enable"
DEFAULT_TTL = 86400
_LONGEST_TTL = (1 << 63) - 1
_WHOLE = re.compile(r"[+-]?\d{1,19}", re.ASCII)  # more are no BIGINT

_NAMES = (ENABLE, HISTORY, TTL)
_OLD: dict[str, Kind] = {"binlog.format": BINLOG_FORMAT, "binlog.need_historical_value": BINLOG_HISTORY}
_BINLOG_NAMES = (BINLOG, "binlog.ttl_seconds", "binlog.max_bytes", "binlog.max_history_nums")


def is_log_property(key: str) -> bool:
    """Whether this module, and not the table of sql/ddl/table_property.py, rules over the name."""
    return key.startswith(("changelog.", "binlog."))


def check_names(properties: Mapping[str, str]) -> None:
    """Refuse the names of early builds and unknown ones."""
    for key in properties:
        if key in _OLD:
            raise _OLD[key]()
    logs = {key: value for key, value in properties.items() if is_log_property(key)}
    unknown = {key: value for key, value in logs.items() if key not in _NAMES + _BINLOG_NAMES}
    if unknown:
        raise unknown_properties(unknown)
    for key in (ENABLE, HISTORY, BINLOG):
        if key in logs:
            switch(key, logs[key])


@dataclass(frozen=True, slots=True)
class Wish:
    """What a CREATE TABLE asks for, before its changelog is settled."""

    table: str
    properties: Mapping[str, str]
    keys: Keys
    merge_on_write: bool
    columns: tuple[Declared, ...]
    temporary: bool = False


def settle(wish: Wish, database: DatabaseEntry, feature_on: bool) -> Changelog | None:
    """The changelog of a new table, None without; raises what its wishes break (Doris: Changelog, properties)."""
    check_names(wish.properties)
    if wish.temporary and _is_on(wish.properties, ENABLE):
        raise CHANGELOG_TEMPORARY()
    defaults = {} if wish.temporary else dict(database.properties)
    if not _is_on(wish.properties, ENABLE, defaults):
        _check_without(wish)
        return None
    log = Changelog(
        ttl_seconds=ttl_seconds(wish.properties.get(TTL, defaults.get(TTL, str(DEFAULT_TTL)))),
        history=_is_on(wish.properties, HISTORY, defaults),
    )
    _check_with(wish, database, log, feature_on)
    return log


def _is_on(properties: Mapping[str, str], key: str, defaults: Mapping[str, str] | None = None) -> bool:
    value = properties.get(key, (defaults or {}).get(key))
    return value is not None and switch(key, value)


def _check_without(wish: Wish) -> None:
    for key in (TTL, HISTORY):
        if key in wish.properties:
            raise CHANGELOG_REQUIRED(key=key)


def _check_with(wish: Wish, database: DatabaseEntry, log: Changelog, feature_on: bool) -> None:
    if _is_on(wish.properties, BINLOG):
        raise CHANGELOG_AND_BINLOG(table=wish.table)
    if not feature_on:
        raise CHANGELOG_SWITCHED_OFF(table=wish.table)
    check_model(wish.keys, wish.merge_on_write, log)
    check_database(wish.table, database)
    for column in wish.columns:
        check_column(column)


def check_model(keys: Keys, merge_on_write: bool, log: Changelog) -> None:
    """Refuse models without changelog, cluster keys, history on Duplicate (Doris: Changelog, prerequisites)."""
    if keys.model is not Model.DUPLICATE and not merge_on_write:
        raise CHANGELOG_MODEL()
    if keys.clustered:
        raise CHANGELOG_CLUSTER_KEYS()
    if keys.model is Model.DUPLICATE and log.history:
        raise CHANGELOG_DUPLICATE_HISTORY()


def check_database(table: str, database: DatabaseEntry) -> None:
    """Refuse a changelog table in a database with CCR binlog; also for RECOVER."""
    if _is_on(dict(database.properties), BINLOG):
        raise CHANGELOG_IN_BINLOG_DATABASE(table=table, database=database.name)


def check_column(column: Declared) -> None:
    """Refuse the columns that a changelog table cannot have, in CREATE TABLE and ADD COLUMN."""
    if column.auto_increment is not None:
        raise CHANGELOG_AUTO_INCREMENT(name=column.name)
    if column.type.name == "variant":
        raise CHANGELOG_VARIANT(name=column.name)


def ttl_seconds(text: str) -> int:
    """Read a TTL, decimal digits of a BIGINT; 0 and less is CHANGELOG_TTL."""
    seconds = int(text) if _WHOLE.fullmatch(text) else None
    if seconds is None or seconds > _LONGEST_TTL:
        raise CHANGELOG_TTL_NUMBER(value=text)
    if seconds <= 0:
        raise CHANGELOG_TTL()
    return seconds


def altered(table: Table, properties: Iterable[tuple[str, str]]) -> Table:
    """Apply the log properties of ALTER TABLE SET; only the TTL may change (Doris: Changelog, properties)."""
    logs = {key: value for key, value in properties if is_log_property(key)}
    check_names(logs)
    log = table.changelog
    _check_fixed(CHANGELOG_ENABLE_FIXED, log is not None, logs.get(ENABLE))
    _check_fixed(CHANGELOG_HISTORY_FIXED, log is not None and log.history, logs.get(HISTORY))
    _check_binlog(table, logs)
    if TTL not in logs:
        return table
    if log is None:
        raise CHANGELOG_TTL_WITHOUT(table=table.name)
    return replace(table, changelog=replace(log, ttl_seconds=ttl_seconds(logs[TTL])))


def _check_fixed(kind: Kind, old: bool, value: str | None) -> None:
    if value is not None and switch("", value) is not old:
        raise kind(old=str(old).lower(), new=str(not old).lower())


def _check_binlog(table: Table, logs: Mapping[str, str]) -> None:
    if table.changelog is None or not any(key in _BINLOG_NAMES for key in logs):
        return
    if _is_on(logs, BINLOG):
        raise CHANGELOG_AND_BINLOG(table=table.name)
    raise CHANGELOG_OPERATION()
