"""Print a database, table or stream as the statement that creates it again.

Pure text; fed back, it makes an equal object. Source: Doris: SHOW CREATE TABLE;
Changelog, database defaults; Table Stream, SHOW CREATE STREAM.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sql.ddl import changelog
from sql.ddl.partition import definition, in_order, partition_columns
from sql.dialect.quoting import ident, ident_if_needed, idents, pairs_text, quoted, text
from storage.catalog.catalog import Catalog
from storage.catalog.index import Index, Rollup
from storage.catalog.model import (
    LIGHT_DELETE,
    MERGE_ON_WRITE,
    Column,
    DatabaseEntry,
    Distribution,
    Model,
    Partitioning,
    Stream,
    Table,
)

UNKNOWN_BASE = "UNKNOWN"

_KEY_CLAUSE = {Model.DUPLICATE: "DUPLICATE", Model.UNIQUE: "UNIQUE", Model.AGGREGATE: "AGGREGATE"}

# Printed before and after the properties that depend on the table, unless the table says otherwise.
_FIRST = {
    "replication_allocation": "tag.location.default: 1",
    "min_load_replica_num": "-1",
    "is_being_synced": "false",
    "storage_medium": "hdd",
    "storage_format": "V2",
    "inverted_index_storage_format": "V2",
}
_LIGHT = {"light_schema_change": "true"}
_SEQUENCE = ("function_column.sequence_col", "function_column.sequence_type")
_LAST = {
    "disable_auto_compaction": "false",
    "enable_single_replica_compaction": "false",
    "group_commit_interval_ms": "10000",
    "group_commit_data_bytes": "134217728",
}
_HIDDEN = ("replication_num", "default.replication_num", "default.replication_allocation", "version_info")


def create_table(table: Table, database: DatabaseEntry, name: str | None = None) -> str:
    """The text of SHOW CREATE TABLE."""
    head = "CREATE TABLE" if table.session is None else "CREATE TEMPORARY TABLE"
    members = [*map(column_text, table.columns), *(index_text(table, index) for index in table.indexes)]
    lines = [f"{head} {ident(name or table.name)} (", _lines(members), ") ENGINE=OLAP"]
    if table.keys:
        lines.append(f"{_KEY_CLAUSE[table.model]} KEY({idents(column.name for column in table.keys)})")
    if table.cluster_keys:
        lines.append(f"ORDER BY ({_named(table, table.cluster_keys)})")
    if table.comment:
        lines.append(f"COMMENT {text(table.comment)}")
    lines += _partition_lines(table)
    if table.distribution is not None:
        lines.append(_distribution(table.distribution))
    if table.rollups:
        lines.append(f"ROLLUP ({', '.join(rollup_text(table, rollup) for rollup in table.rollups)})")
    pairs = pairs_text(properties(table, database).items(), ",\n")
    return "\n".join([*lines, "PROPERTIES (", pairs, ");"])


def _lines(columns: Iterable[str]) -> str:
    return ",\n".join(f"  {column}" for column in columns)


def column_text(column: Column) -> str:
    """One column: name, type, aggregation, expression, NULL, AUTO_INCREMENT, DEFAULT, ON UPDATE, COMMENT."""
    parts = [ident(column.name), str(column.type)]
    if column.aggregation:
        parts.append(column.aggregation)
    if column.generated is not None:
        parts.append(f"AS ({column.generated})")
    parts.append("NULL" if column.nullable else "NOT NULL")
    if column.auto_increment is not None:
        parts.append(f"AUTO_INCREMENT({column.auto_increment})")
    if column.default is not None:
        parts.append(f"DEFAULT {shown_default(column) if column.default_is_function else quoted(column.default)}")
    if column.on_update:
        parts.append(f"ON UPDATE {shown_default(column)}")
    if column.comment:
        parts.append(f"COMMENT {text(column.comment)}")
    return " ".join(parts)


def shown_default(column: Column) -> str | None:
    """The default as DESC prints it: the literal, or the function with the precision of the type."""
    if column.default_is_function and column.type.name == "datetime" and column.type.scale:
        return f"{column.default}({column.type.scale})"
    return column.default


def _partition_lines(table: Table) -> Iterator[str]:
    if table.partitioning is None:
        return
    columns = partition_columns(table)
    parts = [f"PARTITION {ident_if_needed(part.name)} VALUES {definition(part, columns)}" for part in in_order(table)]
    yield _partition_by(table.partitioning)
    yield "(" + ",\n".join(parts) + ")"


def _partition_by(parting: Partitioning) -> str:
    over = idents(parting.columns)
    if parting.unit is not None:
        return f"AUTO PARTITION BY RANGE (date_trunc({over}, '{parting.unit}'))"
    return f"{'AUTO ' if parting.auto else ''}PARTITION BY {parting.kind}({over})"


def index_text(table: Table, index: Index) -> str:
    """INDEX i (`v`) USING INVERTED …."""
    parts = [f"INDEX {ident_if_needed(index.name)} ({_named(table, index.columns)}) USING {index.method}"]
    if index.properties:
        parts.append(f"PROPERTIES({pairs_text(index.properties)})")
    if index.comment:
        parts.append(f"COMMENT {text(index.comment)}")
    return " ".join(parts)


def rollup_text(table: Table, rollup: Rollup) -> str:
    """r (`k`, `v`) [DUPLICATE KEY (`k`)] [PROPERTIES (…)]."""
    parts = [f"{ident_if_needed(rollup.name)} ({_named(table, rollup.columns)})"]
    if rollup.keys:
        parts.append(f"DUPLICATE KEY ({_named(table, rollup.keys)})")
    if rollup.properties:
        parts.append(f"PROPERTIES({pairs_text(rollup.properties)})")
    return " ".join(parts)


def _named(table: Table, uids: Iterable[int]) -> str:
    return idents(column.name for uid in uids if (column := table.column_of(uid)) is not None)


def _distribution(spread: Distribution) -> str:
    buckets = "AUTO" if spread.buckets is None else spread.buckets
    over = "RANDOM" if spread.kind == "RANDOM" else f"HASH({idents(spread.columns)})"
    return f"DISTRIBUTED BY {over} BUCKETS {buckets}"


def properties(table: Table, database: DatabaseEntry) -> dict[str, str]:
    """The property lines in order."""
    own = {key: value for key, value in table.properties if key not in _HIDDEN}
    shown = _own_over(_FIRST, own)
    if table.model is Model.UNIQUE:
        shown[MERGE_ON_WRITE] = str(table.merge_on_write).lower()
    shown |= _own_over(_LIGHT, own) | {key: own[key] for key in _SEQUENCE if key in own} | _own_over(_LAST, own)
    rest = {key: value for key, value in own.items() if key not in shown and key != LIGHT_DELETE}
    if table.merge_on_write:
        rest[LIGHT_DELETE] = own.get(LIGHT_DELETE, "false")
    return shown | rest | _changelog(table, database)


def _own_over(defaults: dict[str, str], own: dict[str, str]) -> dict[str, str]:
    return {key: own.get(key, value) for key, value in defaults.items()}


def _changelog(table: Table, database: DatabaseEntry) -> dict[str, str]:
    """The three lines of a changelog table; "false" where the database's default would switch it on."""
    log = table.changelog
    if log is None:
        on = (database.property(changelog.ENABLE) or "").lower() == "true"
        return {changelog.ENABLE: "false"} if on else {}
    return {
        changelog.ENABLE: "true",
        changelog.TTL: str(log.ttl_seconds),
        changelog.HISTORY: str(log.history).lower(),
    }


def create_database(entry: DatabaseEntry) -> str:
    """The text of SHOW CREATE DATABASE."""
    head = f"CREATE DATABASE {ident(entry.name)}"
    if not entry.properties:
        return head
    pairs = pairs_text(entry.properties, ",\n")
    return f"{head}\nPROPERTIES (\n{pairs}\n)"


def create_stream(stream: Stream, catalog: Catalog) -> str:
    """The text of SHOW CREATE STREAM; the base is named without back quotes where that can be read again."""
    lines = [f"CREATE STREAM {ident(stream.name)}", f"ON TABLE {_base_name(stream, catalog)}"]
    if stream.comment:
        lines.append(f"COMMENT {text(stream.comment)}")
    initial = str(stream.show_initial_rows).lower()
    lines += ["PROPERTIES (", f'"type" = "{stream.type.value}",', f'"show_initial_rows" = "{initial}"', ");"]
    return "\n".join(lines)


def _base_name(stream: Stream, catalog: Catalog) -> str:
    base = catalog.live_table(stream.base_id)
    if base is None:
        return UNKNOWN_BASE
    database = catalog.databases[base.database_id].name
    return f"internal.{ident_if_needed(database)}.{ident_if_needed(base.name)}"
