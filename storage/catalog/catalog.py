"""The catalog: an immutable snapshot of all objects, with look-ups and successors.

DDL is a pure function from one snapshot to the next; storage/catalog/store.py persists the difference and
storage/catalog/physical.py gives it its DuckDB tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from storage.catalog.account import Accounts, Role, User
from storage.catalog.model import DatabaseEntry, Stream, Table, View

E = TypeVar("E", DatabaseEntry, Table, Stream, View, User, Role)


def _without(entries: Mapping[int, E], gone: int) -> dict[int, E]:
    return {key: entry for key, entry in entries.items() if key != gone}


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
            databases=_without(self.databases, database_id),
            dropped=_without(self.dropped, database_id),
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
            databases=_without(self.databases, database_id),
            dropped={**self.dropped, database_id: replace(entry, dropped_at=now_ms)},
            tables={k: v for k, v in self.tables.items() if k not in gone},
            streams={k: v for k, v in self.streams.items() if v.database_id != database_id},
        )

    def recovered(self, entry: DatabaseEntry) -> Catalog:
        """Take a database out of the recycle bin, as `entry`."""
        kept = _without(self.dropped, entry.id)
        return replace(self, dropped=kept, databases={**self.databases, entry.id: replace(entry, dropped_at=None)})

    def with_table(self, table: Table) -> Catalog:
        return replace(self, tables={**self.tables, table.id: table})

    def without_table(self, table_id: int) -> Catalog:
        """Remove a table for good; streams on it stay and keep its name for their errors."""
        return replace(
            self,
            tables=_without(self.tables, table_id),
            streams={k: self._bereft(v, lambda base: base.id == table_id) for k, v in self.streams.items()},
        )

    def with_stream(self, stream: Stream) -> Catalog:
        return replace(self, streams={**self.streams, stream.id: stream})

    def without_stream(self, stream_id: int) -> Catalog:
        return replace(self, streams=_without(self.streams, stream_id))

    def with_view(self, view: View) -> Catalog:
        return replace(self, views={**self.views, view.id: view})

    def without_view(self, view_id: int) -> Catalog:
        return replace(self, views=_without(self.views, view_id))

    def with_user(self, user: User) -> Catalog:
        return replace(self, accounts=replace(self.accounts, users={**self.accounts.users, user.id: user}))

    def without_user(self, user_id: int) -> Catalog:
        return replace(self, accounts=replace(self.accounts, users=_without(self.accounts.users, user_id)))

    def with_role(self, role: Role) -> Catalog:
        return replace(self, accounts=replace(self.accounts, roles={**self.accounts.roles, role.id: role}))

    def without_role(self, role_id: int) -> Catalog:
        return replace(self, accounts=replace(self.accounts, roles=_without(self.accounts.roles, role_id)))

    def with_variables(self, values: Mapping[str, bool | int | float | str]) -> Catalog:
        return replace(self, variables={**self.variables, **values})
