"""The table of PROPERTIES that CREATE TABLE and ALTER TABLE accept, and their checks.

A property without meaning on one node is checked, stored and shown. changelog.* and binlog.* have
rules of their own in sql/ddl/changelog.py. Source: Doris: CREATE TABLE, properties.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from storage.catalog.model import LIGHT_DELETE, MERGE_ON_WRITE
from storage.errors import FIXED_PROPERTY, INVALID_PROPERTY, LIGHT_DELETE_MODEL, UNKNOWN_PROPERTIES

Pairs = Iterable[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _Rule:
    """What a value must be (`expected` in words), and whether ALTER TABLE may change it."""

    expected: str
    holds: Callable[[str], bool]
    alterable: bool = True


def _is_true(value: str) -> bool:
    return value.lower() == "true"


def _is_switch(value: str) -> bool:
    return value.lower() in ("true", "false")


def _is_number(value: str) -> bool:
    return value.lstrip("-").isdigit()


def _is_positive(value: str) -> bool:
    return value.isdigit() and int(value) > 0


def _any(value: str) -> bool:
    return True


def _one_of(*words: str, alterable: bool = True) -> _Rule:
    """One of these words, in any case."""
    expected = f"{', '.join(words[:-1])} or {words[-1]}"
    return _Rule(expected, lambda value: value.lower() in map(str.lower, words), alterable)


_TEXT = _Rule("a text", _any)
_FIXED_TEXT = _Rule("a text", _any, alterable=False)
_SWITCH = _Rule("true or false", _is_switch)
_FIXED_SWITCH = _Rule("true or false", _is_switch, alterable=False)
_NUMBER = _Rule("a number", _is_number)
_POSITIVE = _Rule("a positive number", _is_positive)

_COMPRESSIONS = ("default", "no_compression", "lz4", "lz4f", "lz4hc", "zlib", "zstd", "snappy")

RULES: dict[str, _Rule] = {
    "replication_num": _POSITIVE,
    "default.replication_num": _POSITIVE,
    "replication_allocation": _TEXT,
    "default.replication_allocation": _TEXT,
    "min_load_replica_num": _NUMBER,
    "storage_medium": _one_of("HDD", "SSD"),
    "storage_cooldown_time": _TEXT,
    "storage_policy": _TEXT,
    "storage_format": _one_of("default", "V2", "V3", alterable=False),
    "inverted_index_storage_format": _one_of("default", "V1", "V2", "V3", alterable=False),
    "compression": _one_of(*_COMPRESSIONS, alterable=False),
    "bloom_filter_columns": _TEXT,
    "bloom_filter_fpp": _TEXT,
    "colocate_with": _TEXT,
    "in_memory": _SWITCH,
    "light_schema_change": _SWITCH,
    "disable_auto_compaction": _SWITCH,
    "enable_single_replica_compaction": _SWITCH,
    "compaction_policy": _one_of("time_series", "size_based"),
    "group_commit_interval_ms": _POSITIVE,
    "group_commit_data_bytes": _POSITIVE,
    "group_commit_mode": _one_of("off_mode", "sync_mode", "async_mode"),
    MERGE_ON_WRITE: _FIXED_SWITCH,
    LIGHT_DELETE: _SWITCH,
    "enable_unique_key_skip_bitmap_column": _FIXED_SWITCH,
    "store_row_column": _FIXED_SWITCH,
    "row_store_columns": _FIXED_TEXT,
    "function_column.sequence_col": _FIXED_TEXT,
    "function_column.sequence_type": _FIXED_TEXT,
    "enable_duplicate_without_keys_by_default": _FIXED_SWITCH,
    "skip_write_index_on_load": _SWITCH,
    "estimate_partition_size": _TEXT,
    "partition.retention_count": _TEXT,
    "is_being_synced": _SWITCH,
    "version_info": _TEXT,
}

_PREFIXES: dict[str, _Rule] = {
    "time_series_compaction_": _NUMBER,
    "dynamic_partition.": _TEXT,
    "variant_": _TEXT,
}


def rule(key: str) -> _Rule | None:
    """The rule of a property; names are case-sensitive."""
    return RULES.get(key) or next((found for prefix, found in _PREFIXES.items() if key.startswith(prefix)), None)


def check(pairs: Pairs) -> None:
    """Refuse unknown names and bad values."""
    unknown = {key: value for key, value in pairs if rule(key) is None}
    if unknown:
        raise unknown_properties(unknown)
    for key, value in pairs:
        found = RULES.get(key) or rule(key)
        if found is not None and not found.holds(value):
            raise INVALID_PROPERTY(key=key, value=value, expected=found.expected)


JOB_SECONDS = 2592000  # Doris: FE Configuration, alter_table_timeout_second


def job_seconds(given: Pairs) -> int:
    """How long a schema change may take by its own PROPERTIES, which hold nothing else; here it never takes long."""
    rest = dict(given)
    seconds = rest.pop("timeout", str(JOB_SECONDS))
    if rest:
        raise unknown_properties(rest)
    if not _POSITIVE.holds(seconds):
        raise INVALID_PROPERTY(key="timeout", value=seconds, expected=_POSITIVE.expected)
    return int(seconds)


def unknown_properties(pairs: Mapping[str, str]) -> Exception:
    """The error that names properties nobody knows."""
    return UNKNOWN_PROPERTIES(pairs=", ".join(f"{key}={value}" for key, value in pairs.items()))


def check_alterable(pairs: Pairs, table: str) -> None:
    """Refuse names that are fixed at creation."""
    for key, _ in pairs:
        found = rule(key)
        if found is not None and not found.alterable:
            raise FIXED_PROPERTY(key=key, table=table)


def check_light_delete(given: Mapping[str, str], merge_on_write: bool) -> None:
    """Light deletes are for merge-on-write tables."""
    if _is_true(given.get(LIGHT_DELETE, "false")) and not merge_on_write:
        raise LIGHT_DELETE_MODEL()


def switch(key: str, value: str) -> bool:
    """Read true or false in any case."""
    if not _is_switch(value):
        raise INVALID_PROPERTY(key=key, value=value, expected="true or false")
    return _is_true(value)
