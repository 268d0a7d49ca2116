"""The catalog as frozen values: databases, tables, columns, partitions, streams.

A `Catalog` is an immutable snapshot. DDL is a pure function from one snapshot to the next;
storage/catalog/store.py persists the difference and storage/catalog/physical.py gives it its DuckDB
tables. Objects refer to each other by id only, never by name (Doris: a stream follows its base
table through RENAME and REPLACE).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Literal

from storage.catalog.account import Accounts, Role, User
from storage.catalog.index import Index, Rollup
from storage.types import DorisType


class Model(Enum):
    """The three table models."""

    DUPLICATE = "DUPLICATE"
    UNIQUE = "UNIQUE"
    AGGREGATE = "AGGREGATE"


class StreamType(Enum):
    """What a stream (or an @incr read) emits (Doris: Table Stream, consume types)."""

    APPEND_ONLY = "APPEND_ONLY"
    MIN_DELTA = "MIN_DELTA"
    DETAIL = "DETAIL"


@dataclass(frozen=True, slots=True)
class Column:
    """A declared column. `uid` is unique in its table for ever, so that a re-added name is another column.

    `default` is the literal text without quotes, or CURRENT_TIMESTAMP when `default_is_function`.
    `auto_increment` is the first number of a column that numbers itself; `on_update` sets the default anew with
    each update; `generated` is the Doris expression of a column that nobody writes.
    """

    uid: int
    name: str
    type: DorisType
    key: bool = False
    nullable: bool = True
    aggregation: str | None = None
    default: str | None = None
    default_is_function: bool = False
    comment: str = ""
    auto_increment: int | None = None
    on_update: bool = False
    generated: str | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """One edge of a RANGE partition: a value per partition column; None is MAXVALUE (or, below, the minimum)."""

    values: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Partition:
    """A partition: RANGE `lo` (inclusive) to `hi` (exclusive), or LIST `values`; none of them when unpartitioned.

    A LIST value has one text per partition column, None for NULL. A temporary partition is outside of every
    read and write that does not name it, until REPLACE PARTITION makes it an ordinary one.
    """

    id: int
    name: str
    lo: Bound | None = None
    hi: Bound | None = None
    created_tso: int = 0
    dropped_at: int | None = None  # unix ms; set while it waits in the recycle bin
    values: tuple[tuple[str | None, ...], ...] | None = None
    temporary: bool = False
    properties: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """The name as `partition_key` compares it."""
        return partition_key(self.name)


def partition_key(name: str) -> str:
    """What makes two partition names the same: case does not count (apache/doris: OlapTable, partitions by name)."""
    return name.lower()


@dataclass(frozen=True, slots=True)
class Partitioning:
    """[AUTO] PARTITION BY kind(columns), or kind(date_trunc(column, unit)); `auto` makes partitions for rows."""

    kind: Literal["RANGE", "LIST"]
    columns: tuple[str, ...]
    auto: bool = False
    unit: str | None = None  # lower case; only for auto RANGE


@dataclass(frozen=True, slots=True)
class Distribution:
    """DISTRIBUTED BY; stored and shown, without effect on one node. `buckets` None prints AUTO."""

    kind: Literal["HASH", "RANDOM"]
    columns: tuple[str, ...]
    buckets: int | None


@dataclass(frozen=True, slots=True)
class Changelog:
    """The changelog settings of a table that has one."""

    ttl_seconds: int
    history: bool  # changelog.need_historical_value


@dataclass(frozen=True, slots=True)
class Table:
    """A table. `properties` are the other properties, as written; `schema_version` rises with each column change."""

    id: int
    database_id: int
    name: str
    model: Model
    columns: tuple[Column, ...]
    partitions: tuple[Partition, ...]
    partitioning: Partitioning | None = None
    distribution: Distribution | None = None
    properties: tuple[tuple[str, str], ...] = ()
    changelog: Changelog | None = None
    merge_on_write: bool = False
    comment: str = ""
    schema_version: int = 0
    next_uid: int = 0
    created_ms: int = 0
    dropped_at: int | None = None  # unix ms; set while it waits in the recycle bin
    indexes: tuple[Index, ...] = ()
    rollups: tuple[Rollup, ...] = ()
    cluster_keys: tuple[int, ...] = ()  # uids of ORDER BY behind the key clause
    session: int | None = None  # connection id of a temporary table

    @property
    def keys(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.key)

    @property
    def values(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if not column.key)

    @property
    def is_unique(self) -> bool:
        return self.model is Model.UNIQUE

    @property
    def visible_partitions(self) -> tuple[Partition, ...]:
        """What reads and writes see that name no partition: neither dropped nor temporary ones."""
        return tuple(part for part in self.partitions if part.dropped_at is None and not part.temporary)

    @property
    def temporary_partitions(self) -> tuple[Partition, ...]:
        return tuple(part for part in self.partitions if part.dropped_at is None and part.temporary)

    def column(self, name: str) -> Column | None:
        """Find a column; names are case-insensitive."""
        lowered = name.lower()
        return next((column for column in self.columns if column.name.lower() == lowered), None)

    def partition(self, name: str, temporary: bool = False) -> Partition | None:
        """Find a visible (or a temporary) partition by its name."""
        key = partition_key(name)
        parts = self.temporary_partitions if temporary else self.visible_partitions
        return next((part for part in parts if part.key == key), None)

    def column_of(self, uid: int) -> Column | None:
        """Find a column by its identity."""
        return next((column for column in self.columns if column.uid == uid), None)

    def property(self, key: str) -> str | None:
        return dict(self.properties).get(key)


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream over one changelog table; its offsets live in `sys_stream_offset`, not here."""

    id: int
    database_id: int
    name: str
    base_id: int
    type: StreamType
    show_initial_rows: bool
    comment: str = ""
    created_tso: int = 0
    base_name: str = ""  # the last name of the base table, once that is gone for good


@dataclass(frozen=True, slots=True)
class View:
    """A view: its query as text, whose plain names belong to the view's database, and its columns as they were made.

    `columns` are (name, type, comment); the types are what the query gave when the view was made.
    """

    id: int
    database_id: int
    name: str
    query: str
    columns: tuple[tuple[str, DorisType, str], ...]
    comment: str = ""


@dataclass(frozen=True, slots=True)
class DatabaseEntry:
    """A database and its properties (the changelog defaults of later tables)."""

    id: int
    name: str
    properties: tuple[tuple[str, str], ...] = ()
    dropped_at: int | None = None  # unix ms; set while it waits in the recycle bin

    def property(self, key: str) -> str | None:
        return dict(self.properties).get(key)


@dataclass(frozen=True, slots=True)
class Catalog:
    """One immutable snapshot; `version` rises with every committed change.

    `dropped` holds the databases in the recycle bin; their tables and views stay where they are and are
    found by id only. `variables` are the values of SET GLOBAL.
    """

    version: int = 0
    databases: Mapping[int, DatabaseEntry] = field(default_factory=dict)
    tables: Mapping[int, Table] = field(default_factory=dict)
    streams: Mapping[int, Stream] = field(default_factory=dict)
    views: Mapping[int, View] = field(default_factory=dict)
    accounts: Accounts = field(default_factory=Accounts)
    dropped: Mapping[int, DatabaseEntry] = field(default_factory=dict)
    variables: Mapping[str, bool | int | float | str] = field(default_factory=dict)

    # -- look-ups; names of databases, tables and streams are case-sensitive ------------------
    def database(self, name: str) -> DatabaseEntry | None:
        return next((entry for entry in self.databases.values() if entry.name == name), None)

    def table(self, database_id: int, name: str) -> Table | None:
        """A live table; those in the recycle bin are found by id only, temporary ones by their session too."""
        return next((t for t in self._live(database_id) if t.name == name), None)

    def _live(self, database_id: int) -> Iterator[Table]:
        """The tables of a database that everybody sees."""
        for table in self.tables.values():
            if table.database_id == database_id and table.dropped_at is None and table.session is None:
                yield table

    def temporary_table(self, database_id: int, name: str, session: int) -> Table | None:
        """The temporary table that this session has under a name."""
        own = (t for t in self.tables.values() if t.session == session and t.database_id == database_id)
        return next((table for table in own if table.name == name), None)

    def live_table(self, table_id: int) -> Table | None:
        """The table of that id unless it is gone, in the recycle bin, or its database is."""
        table = self.tables.get(table_id)
        if table is None or table.dropped_at is not None or table.database_id not in self.databases:
            return None
        return table

    def stream(self, database_id: int, name: str) -> Stream | None:
        return next((s for s in self.streams.values() if s.database_id == database_id and s.name == name), None)

    def view(self, database_id: int, name: str) -> View | None:
        return next((v for v in self.views.values() if v.database_id == database_id and v.name == name), None)

    def named(self, database_id: int, name: str) -> Table | Stream | View | None:
        """Whatever has this name: tables, streams and views share one name space."""
        return self.table(database_id, name) or self.stream(database_id, name) or self.view(database_id, name)

    def views_of(self, database_id: int) -> list[View]:
        return sorted((v for v in self.views.values() if v.database_id == database_id), key=lambda view: view.name)

    def tables_of(self, database_id: int) -> list[Table]:
        return sorted(self._live(database_id), key=lambda table: table.name)

    def streams_of(self, database_id: int) -> list[Stream]:
        found = [s for s in self.streams.values() if s.database_id == database_id]
        return sorted(found, key=lambda stream: stream.name)

    # -- successors --------------------------------------------------------------------------
    def with_database(self, entry: DatabaseEntry) -> Catalog:
        return replace(self, databases={**self.databases, entry.id: entry})

    def without_database(self, database_id: int) -> Catalog:
        """Remove a database with what it holds; streams elsewhere on its tables stay (Doris: they need FORCE)."""
        return replace(
            self,
            databases={k: v for k, v in self.databases.items() if k != database_id},
            dropped={k: v for k, v in self.dropped.items() if k != database_id},
            tables={k: v for k, v in self.tables.items() if v.database_id != database_id},
            streams={
                k: self._bereft(v, lambda base: base.database_id == database_id)
                for k, v in self.streams.items()
                if v.database_id != database_id
            },
            views={k: v for k, v in self.views.items() if v.database_id != database_id},
        )

    def _bereft(self, stream: Stream, goes: Callable[[Table], bool]) -> Stream:
        """The stream as it is once its base table is gone for good, if that is one of those that go."""
        base = self.tables.get(stream.base_id)
        return replace(stream, base_name=base.name) if base is not None and goes(base) else stream

    def recycled(self, database_id: int, now_ms: int) -> Catalog:
        """Put a database into the recycle bin: its tables and views wait with it, streams and temporary tables go."""
        entry = self.databases[database_id]
        gone = [t.id for t in self.tables.values() if t.database_id == database_id and t.session is not None]
        return replace(
            self,
            databases={k: v for k, v in self.databases.items() if k != database_id},
            dropped={**self.dropped, database_id: replace(entry, dropped_at=now_ms)},
            tables={k: v for k, v in self.tables.items() if k not in gone},
            streams={k: v for k, v in self.streams.items() if v.database_id != database_id},
        )

    def recovered(self, entry: DatabaseEntry) -> Catalog:
        """Take a database out of the recycle bin, as `entry`."""
        kept = {k: v for k, v in self.dropped.items() if k != entry.id}
        return replace(self, dropped=kept, databases={**self.databases, entry.id: replace(entry, dropped_at=None)})

    def with_table(self, table: Table) -> Catalog:
        return replace(self, tables={**self.tables, table.id: table})

    def without_table(self, table_id: int) -> Catalog:
        """Remove a table for good; streams on it stay and keep its name for their errors."""
        return replace(
            self,
            tables={k: v for k, v in self.tables.items() if k != table_id},
            streams={k: self._bereft(v, lambda base: base.id == table_id) for k, v in self.streams.items()},
        )

    def with_stream(self, stream: Stream) -> Catalog:
        return replace(self, streams={**self.streams, stream.id: stream})

    def without_stream(self, stream_id: int) -> Catalog:
        return replace(self, streams={k: v for k, v in self.streams.items() if k != stream_id})

    def with_view(self, view: View) -> Catalog:
        return replace(self, views={**self.views, view.id: view})

    def without_view(self, view_id: int) -> Catalog:
        return replace(self, views={k: v for k, v in self.views.items() if k != view_id})

    def with_user(self, user: User) -> Catalog:
        return replace(self, accounts=replace(self.accounts, users={**self.accounts.users, user.id: user}))

    def without_user(self, user_id: int) -> Catalog:
        kept = {k: v for k, v in self.accounts.users.items() if k != user_id}
        return replace(self, accounts=replace(self.accounts, users=kept))

    def with_role(self, role: Role) -> Catalog:
        return replace(self, accounts=replace(self.accounts, roles={**self.accounts.roles, role.id: role}))

    def without_role(self, role_id: int) -> Catalog:
        kept = {k: v for k, v in self.accounts.roles.items() if k != role_id}
        return replace(self, accounts=replace(self.accounts, roles=kept))

    def with_variables(self, values: Mapping[str, bool | int | float | str]) -> Catalog:
        return replace(self, variables={**self.variables, **values})
