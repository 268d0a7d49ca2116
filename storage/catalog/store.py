"""Save and load the catalog: the rows of the system tables that differ between two snapshots, or all of them.

Works inside the caller's transaction and holds no state. What the rows of an object are is storage/catalog/record.py's
matter, which DuckDB tables the objects need storage/catalog/physical.py's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from storage.catalog import record, schema
from storage.catalog.account import Accounts
from storage.catalog.catalog import Catalog
from storage.catalog.record import Entry, Row, Rows
from storage.catalog.schema import SystemTable
from storage.cursor import Cursor

E = TypeVar("E", bound=Entry)
Pair = tuple[Entry | None, Entry | None]  # an object before and after

_CHUNK = 500  # rows of one INSERT statement


# -- difference --------------------------------------------------------------------------------
def save(cursor: Cursor, old: Catalog, new: Catalog, tso: int) -> None:
    """Replace the rows that differ between two snapshots, and the version row."""
    gone: Rows = {}
    come: Rows = {}
    for before, after in _changed(old, new):
        for rows, into in ((record.rows_of(before), gone), (record.rows_of(after), come)):
            for system, found in rows.items():
                into.setdefault(system, []).extend(found)
    for system in gone.keys() | come.keys():
        _replace(cursor, system, set(gone.get(system, ())), set(come.get(system, ())))
    if old.variables is not new.variables:
        _replace(cursor, schema.VARIABLE, _variable_rows(old), _variable_rows(new))
    cursor.execute(f"DELETE FROM {schema.CATALOG.name}")
    cursor.execute(f"INSERT INTO {schema.CATALOG.name} VALUES (?, ?, ?)", (new.version, tso, schema.FORMAT))


def _changed(old: Catalog, new: Catalog) -> Iterator[Pair]:
    yield from _pairs({**old.databases, **old.dropped}, {**new.databases, **new.dropped})
    yield from _pairs(old.tables, new.tables)
    yield from _pairs(old.streams, new.streams)
    yield from _pairs(old.views, new.views)
    yield from _pairs(old.accounts.users, new.accounts.users)
    yield from _pairs(old.accounts.roles, new.accounts.roles)


def _pairs(old: Mapping[int, E], new: Mapping[int, E]) -> Iterator[Pair]:
    for key in old.keys() | new.keys():
        before, after = old.get(key), new.get(key)
        if before is not after and before != after:
            yield before, after


def _variable_rows(catalog: Catalog) -> set[Row]:
    return {(name, json.dumps(value)) for name, value in catalog.variables.items()}


def _replace(cursor: Cursor, system: SystemTable, before: set[Row], after: set[Row]) -> None:
    _delete(cursor, system, before - after)
    _insert(cursor, system, after - before)


def _chunks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    ordered = sorted(rows, key=repr)
    for start in range(0, len(ordered), _CHUNK):
        yield ordered[start : start + _CHUNK]


def _delete(cursor: Cursor, system: SystemTable, rows: Iterable[Row]) -> None:
    names = system.names[: system.key]
    for chunk in _chunks(row[: system.key] for row in rows):
        values = ", ".join(f"({', '.join('?' * len(names))})" for _ in chunk)
        match_ = " AND ".join(f"{system.name}.{name} = gone.{name}" for name in names)
        cursor.execute(
            f"DELETE FROM {system.name} USING (VALUES {values}) gone({', '.join(names)}) WHERE {match_}",
            [value for row in chunk for value in row],
        )


def _insert(cursor: Cursor, system: SystemTable, rows: Iterable[Row]) -> None:
    for chunk in _chunks(rows):
        values = ", ".join(f"({', '.join('?' * len(system.columns))})" for _ in chunk)
        cursor.execute(f"INSERT INTO {system.name} VALUES {values}", [value for row in chunk for value in row])


# -- the whole ---------------------------------------------------------------------------------
def version(cursor: Cursor) -> int:
    """The catalog version that the transaction of `cursor` sees."""
    found = cursor.rows(f"SELECT version FROM {schema.CATALOG.name}")[0][0]
    assert isinstance(found, int)
    return found


def load(cursor: Cursor) -> Catalog:
    """The whole catalog as the transaction of `cursor` sees it."""
    columns = _grouped(cursor, schema.COLUMN, "table_id, ordinal")
    partitions = _grouped(cursor, schema.PARTITION, "table_id, ordinal")
    databases = [record.read_database(row) for row in _rows(cursor, schema.DATABASE)]
    tables = [record.read_table(row, columns, partitions) for row in _rows(cursor, schema.TABLE)]
    users = [record.read_user(row) for row in _rows(cursor, schema.USER)]
    roles = [record.read_role(row) for row in _rows(cursor, schema.ROLE)]
    return Catalog(
        version(cursor),
        _by_id(entry for entry in databases if entry.dropped_at is None),
        _by_id(tables),
        _by_id(record.read_stream(row) for row in _rows(cursor, schema.STREAM)),
        _by_id(record.read_view(row) for row in _rows(cursor, schema.VIEW)),
        Accounts(_by_id(users), _by_id(roles)),
        _by_id(entry for entry in databases if entry.dropped_at is not None),
        {name: json.loads(value) for name, value in _rows(cursor, schema.VARIABLE)},
    )


def _by_id(entries: Iterable[E]) -> dict[int, E]:
    return {entry.id: entry for entry in entries}


def _rows(cursor: Cursor, system: SystemTable, order: str = "") -> list[tuple[Any, ...]]:
    return cursor.rows(f"SELECT * FROM {system.name}{f' ORDER BY {order}' if order else ''}")


def _grouped(cursor: Cursor, system: SystemTable, order: str) -> dict[int, list[Row]]:
    groups: dict[int, list[Row]] = {}
    for row in _rows(cursor, system, order):
        groups.setdefault(row[0], []).append(row)
    return groups
