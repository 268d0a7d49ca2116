"""The objects of the catalog as frozen values: databases, tables, columns, partitions, streams, views.

Objects refer to each other by id only, never by name (Doris: a stream follows its base table through RENAME and
REPLACE). What there is at one time is a `Catalog` (storage/catalog/catalog.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from storage.catalog.index import Index, Rollup
from storage.types import DorisType

MERGE_ON_WRITE = "enable_unique_key_merge_on_write"  # property of UNIQUE tables
LIGHT_DELETE = "enable_mow_light_delete"  # property: DELETE statements end rows without a record


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
    buckets: int | None = None  # if its number is its own, not the table's

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

    def is_on(self, key: str) -> bool:
        """Whether a property that is a switch says yes."""
        return (self.property(key) or "").lower() == "true"


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
