"""Data lineage for plugins: what a plugin is given after each INSERT … SELECT, and what it has to provide.

A plugin is a folder below `<plugin_dir>/lineage/` with one module that defines `LINEAGE_PLUGIN_FACTORY`; the server
imports it at start and calls it from then on. docs/lineage.md has a complete one.

This module imports nothing of the server, so that a plugin can be tested without one. All values are immutable and
safe to keep and to share between threads. Doris: Data Lineage, Data Lineage Plugin Development.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, Protocol, TypeVar

SCHEMA_VERSION = 1

DirectType = Literal["IDENTITY", "TRANSFORMATION", "AGGREGATION"]
DatasetType = Literal["JOIN", "FILTER", "GROUP_BY", "SORT"]
OutputType = Literal["WINDOW", "CONDITIONAL"]

K = TypeVar("K")
V = TypeVar("V")


def frozen(mapping: Mapping[K, V]) -> Mapping[K, V]:
    """A read-only copy of a mapping."""
    return MappingProxyType(dict(mapping))


def _nothing() -> Mapping[str, V]:
    return frozen({})


@dataclass(frozen=True, slots=True)
class ColumnRef:
    """A column of a table or stream, each name as it was declared."""

    catalog: str
    db: str
    table: str
    column: str


@dataclass(frozen=True, slots=True)
class LineageExpr:
    """An expression over columns of the source tables.

    `sql` is Doris SQL with every alias, CTE, view and subquery resolved and each column written `db.table.column`;
    `columns` are the columns in it, so that nobody has to parse `sql`. A constant has none. An expression that would
    grow beyond 16,000 characters is written `ELIDED(column, …)`; its columns are complete.
    """

    sql: str
    columns: frozenset[ColumnRef] = frozenset()


@dataclass(frozen=True, slots=True)
class DirectLineage:
    """One expression that produces the values of a target column, and how it does that.

    AGGREGATION: it contains an aggregate function; IDENTITY: it is a column and nothing else; TRANSFORMATION: all
    others, constants and window functions too.
    """

    type: DirectType
    expr: LineageExpr


@dataclass(frozen=True, slots=True)
class QueryContext:
    """Who sent the statement, where and when. Unknown texts are empty, unknown numbers -1."""

    source_command: str  # InsertIntoTableCommand, InsertOverwriteTableCommand or CreateTableCommand
    query_id: str = ""  # as in SHOW PROCESSLIST and the logs; with the target table it identifies the event
    query_text: str = ""  # as the client sent it
    user: str = ""
    client_ip: str = ""
    database: str = ""  # the session's, not the target's
    catalog: str = ""  # the session's
    state: str = ""  # OK
    timestamp_ms: int = -1  # when the event was made, in ms since 1970
    duration_ms: int = -1  # from the start of the statement to the event
    external_catalog_properties: Mapping[str, Mapping[str, str]] = field(default_factory=_nothing)

    def to_dict(self) -> dict[str, object]:
        """The fields as plain values."""
        return {
            "source_command": self.source_command,
            "query_id": self.query_id,
            "query_text": self.query_text,
            "user": self.user,
            "client_ip": self.client_ip,
            "database": self.database,
            "catalog": self.catalog,
            "state": self.state,
            "timestamp_ms": self.timestamp_ms,
            "duration_ms": self.duration_ms,
            "external_catalog_properties": {
                catalog: dict(properties) for catalog, properties in self.external_catalog_properties.items()
            },
        }


@dataclass(frozen=True, slots=True)
class LineageInfo:
    """The lineage of one successful statement.

    Tables are written `catalog.db.table`. `direct` and `output_indirect` are by target column, `dataset_indirect` by
    type; what is not there is empty.
    """

    target_table: str
    target_columns: tuple[str, ...]  # in the order they were written
    source_tables: frozenset[str]
    direct: Mapping[str, frozenset[DirectLineage]]
    dataset_indirect: Mapping[DatasetType, frozenset[LineageExpr]]  # conditions, groups and orders of all the rows
    output_indirect: Mapping[str, Mapping[OutputType, frozenset[LineageExpr]]]  # of single columns
    context: QueryContext
    target_types: tuple[str, ...] = ()  # Doris types of `target_columns`, as DESC prints them; empty if not known

    def to_dict(self) -> dict[str, object]:
        """The event as plain JSON values, its lists sorted; stable: keys may be added, never changed or removed."""
        return {
            "schema_version": SCHEMA_VERSION,
            "source_command": self.context.source_command,
            "target_table": self.target_table,
            "target_columns": list(self.target_columns),
            "source_tables": sorted(self.source_tables),
            "direct": [
                {"column": column, "type": kind, "expr": sql}
                for column, kind, sql in sorted(
                    (column, entry.type, entry.expr.sql) for column, entries in self.direct.items() for entry in entries
                )
            ],
            "dataset_indirect": _texts(self.dataset_indirect),
            "output_indirect": {column: _texts(kinds) for column, kinds in sorted(self.output_indirect.items())},
            "context": self.context.to_dict(),
        }


def _texts(
    kinds: Mapping[DatasetType, frozenset[LineageExpr]] | Mapping[OutputType, frozenset[LineageExpr]],
) -> dict[str, list[str]]:
    return {kind: sorted(entry.sql for entry in entries) for kind, entries in sorted(kinds.items())}


@dataclass(frozen=True, slots=True)
class PluginContext:
    """What a plugin may know of its surroundings: `plugin.name`, and `plugin.path`, its folder (absolute)."""

    properties: Mapping[str, str] = field(default_factory=_nothing)


class LineagePlugin(Protocol):
    """A receiver of lineage. Derive from it, or write a class with the same methods.

    Nothing that a plugin raises reaches a statement: it is logged, and the other plugins go on.
    """

    def name(self) -> str:
        """The name of its factory."""
        ...

    def initialize(self, context: PluginContext) -> None:
        """Prepare, once, before the server listens; raising keeps the plugin out of use. Optional."""
        return None

    def event_filter(self) -> bool:
        """Whether events are wanted now. Asked before each extraction and again before each `exec`.

        Called from any thread, also from several at a time, while a statement waits for the answer: be quick. An
        answer that takes longer than a second counts as no.
        """
        ...

    def exec(self, info: LineageInfo) -> bool:
        """Take one event. Called from one thread only, in the order of the events; the result is not used.

        While it runs no other event is handled, and when the queue is full new events are lost: send things off to
        slow receivers from a thread and a queue of your own.
        """
        ...

    def close(self) -> None:
        """Let go, once, when the server stops and the waiting events are handled. Optional."""
        return None


class LineagePluginFactory(Protocol):
    """Makes a plugin. Its module says `LINEAGE_PLUGIN_FACTORY = MyFactory`: a class without arguments, or an object."""

    def name(self) -> str:
        """The name that `activate_lineage_plugin` of fe.conf lists, unique among all plugins."""
        ...

    def create(self, context: PluginContext) -> LineagePlugin:
        """A new plugin; `initialize` of it is called next."""
        ...
