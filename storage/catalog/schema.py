"""The system tables of the database file: their columns and what identifies a row.

Catalog, offsets and versions live in the same file as the data, so that they commit or vanish
together. Rows are replaced by DELETE and INSERT only: a committed UPDATE beside an open reader stops
every checkpoint (docs/duckdb.md).
"""

from __future__ import annotations

from dataclasses import dataclass

from storage.cursor import Cursor
from storage.errors import STORAGE_FAILURE

FORMAT = 1  # rises when an older file cannot be read any more


@dataclass(frozen=True, slots=True)
class SystemTable:
    """A system table; the first `key` columns identify a row."""

    name: str
    columns: tuple[tuple[str, str], ...]
    key: int = 1

    @property
    def ddl(self) -> str:
        return f"CREATE TABLE {self.name} ({', '.join(f'{name} {kind}' for name, kind in self.columns)})"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.columns)


def _table(name: str, columns: str, key: int = 1) -> SystemTable:
    pairs = (column.strip().rsplit(" ", 1) for column in columns.split(","))
    return SystemTable(name, tuple((name, kind) for name, kind in pairs), key)


CATALOG = _table("sys_catalog", "version BIGINT, tso BIGINT, format INTEGER", key=0)
LEASE = _table("sys_lease", "name VARCHAR, upto BIGINT")
DATABASE = _table("sys_database", "database_id BIGINT, name VARCHAR, properties VARCHAR, dropped_at BIGINT")
TABLE = _table(
    "sys_table",
    "table_id BIGINT, database_id BIGINT, name VARCHAR, model VARCHAR, partitioning VARCHAR, distribution VARCHAR,"
    "properties VARCHAR, changelog_ttl BIGINT, changelog_history BOOLEAN, merge_on_write BOOLEAN, comment VARCHAR,"
    "schema_version BIGINT, next_uid BIGINT, created_ms BIGINT, dropped_at BIGINT, details VARCHAR",
)
COLUMN = _table(
    "sys_column",
    "table_id BIGINT, ordinal INTEGER, uid BIGINT, name VARCHAR, type VARCHAR, is_key BOOLEAN, nullable BOOLEAN,"
    "aggregation VARCHAR, default_text VARCHAR, default_is_function BOOLEAN, comment VARCHAR, options VARCHAR",
    key=2,
)
PARTITION = _table(
    "sys_partition",
    "table_id BIGINT, part_id BIGINT, ordinal INTEGER, name VARCHAR, lo VARCHAR, hi VARCHAR,"
    "created_tso BIGINT, dropped_at BIGINT, details VARCHAR",
    key=2,
)
STREAM = _table(
    "sys_stream",
    "stream_id BIGINT, database_id BIGINT, name VARCHAR, base_id BIGINT, type VARCHAR, show_initial_rows BOOLEAN,"
    "comment VARCHAR, created_tso BIGINT, base_name VARCHAR",
)
VIEW = _table(
    "sys_view",
    "view_id BIGINT, database_id BIGINT, name VARCHAR, query VARCHAR, columns VARCHAR, comment VARCHAR",
)
USER = _table(
    "sys_user",
    "user_id BIGINT, name VARCHAR, host VARCHAR, password VARCHAR, grants VARCHAR, roles VARCHAR, comment VARCHAR",
)
ROLE = _table("sys_role", "role_id BIGINT, name VARCHAR, grants VARCHAR, comment VARCHAR")
VARIABLE = _table("sys_variable", "name VARCHAR, value VARCHAR")  # SET GLOBAL; JSON values
STREAM_OFFSET = _table("sys_stream_offset", "stream_id BIGINT, part_id BIGINT, tso BIGINT, consumed_ms BIGINT", key=2)
TABLE_VERSION = _table("table_version", "table_id BIGINT, tso BIGINT")
PART_VERSION = _table("part_version", "part_id BIGINT, table_id BIGINT, tso BIGINT, version BIGINT")
PURGE = _table("sys_purge", "table_id BIGINT, purged_tso BIGINT")  # change records at or below are gone
SORTED = _table("sys_sorted", "table_id BIGINT, tso BIGINT")  # rows up to this TSO lie in the order of their keys
LABEL = _table("sys_label", "database_id BIGINT, name VARCHAR, transaction_id BIGINT, committed_ms BIGINT", key=2)

ALL = (
    CATALOG, LEASE, DATABASE, TABLE, COLUMN, PARTITION, STREAM, VIEW, USER, ROLE, VARIABLE,
    STREAM_OFFSET, TABLE_VERSION, PART_VERSION, PURGE, SORTED, LABEL,
)  # fmt: skip


def install(cursor: Cursor) -> None:
    """Create the system tables that the file lacks, in the caller's transaction; refuse a file of another format."""
    known = {row[0] for row in cursor.rows("SELECT table_name FROM duckdb_tables()")}
    for table in ALL:
        if table.name not in known:
            cursor.execute(table.ddl)
    if CATALOG.name not in known:
        cursor.execute(f"INSERT INTO {CATALOG.name} VALUES (0, 0, {FORMAT})")
        return
    found = cursor.rows(f"SELECT format FROM {CATALOG.name}")
    if found != [(FORMAT,)]:
        raise STORAGE_FAILURE(reason=f"the data directory has format {found}, this version reads {FORMAT}")
