"""Catalog snapshots to rows of the system tables and back.

Works inside the caller's transaction and holds no state; which DuckDB tables the objects need is
storage/catalog/physical.py's matter.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple
from typing import Any, TypeVar

from storage.catalog import schema
from storage.catalog.account import Accounts, Grant, Role, User
from storage.catalog.detail import (
    partition_details,
    partitioning_text,
    read_partition_details,
    read_partitioning,
    read_table_details,
    table_details,
)
from storage.catalog.model import (
    Bound,
    Catalog,
    Changelog,
    Column,
    DatabaseEntry,
    Distribution,
    Model,
    Partition,
    Stream,
    StreamType,
    Table,
    View,
)
from storage.catalog.schema import SystemTable
from storage.duck import Cursor
from storage.types import DorisType

Row = tuple[object, ...]
Rows = dict[SystemTable, list[Row]]
Object = TypeVar("Object", DatabaseEntry, Table, Stream, View, User, Role)
Anything = DatabaseEntry | Table | Stream | View | User | Role | None

_CHUNK = 500  # rows of one INSERT statement


# -- objects to rows ---------------------------------------------------------------------------
def _type_to_json(kind: DorisType) -> list[object]:
    children = [[name, _type_to_json(child)] for name, child in kind.children]
    return [kind.name, kind.length, kind.precision, kind.scale, children, *([kind.function] if kind.function else [])]


def _type_from_json(data: Sequence[Any]) -> DorisType:
    name, length, precision, scale, children, *function = data
    inner = tuple((field, _type_from_json(kind)) for field, kind in children)
    return DorisType(name, length, precision, scale, inner, *function)


def _bound(bound: Bound | None) -> str | None:
    return None if bound is None else json.dumps(bound.values)


def _database_rows(entry: DatabaseEntry) -> Rows:
    return {schema.DATABASE: [(entry.id, entry.name, json.dumps(entry.properties), entry.dropped_at)]}


def _table_rows(table: Table) -> Rows:
    kept = table.changelog
    spread = table.distribution
    return {
        schema.TABLE: [(
            table.id, table.database_id, table.name, table.model.value,
            partitioning_text(table.partitioning),
            json.dumps([spread.kind, spread.columns, spread.buckets]) if spread else None,
            json.dumps(table.properties), kept.ttl_seconds if kept else None, kept.history if kept else None,
            table.merge_on_write, table.comment, table.schema_version, table.next_uid, table.created_ms,
            table.dropped_at, table_details(table),
        )],
        schema.COLUMN: [
            (table.id, ordinal, c.uid, c.name, json.dumps(_type_to_json(c.type)), c.key, c.nullable,
             c.aggregation, c.default, c.default_is_function, c.comment,
             json.dumps([c.auto_increment, c.on_update, c.generated]))
            for ordinal, c in enumerate(table.columns)
        ],
        schema.PARTITION: [
            (table.id, p.id, ordinal, p.name, _bound(p.lo), _bound(p.hi), p.created_tso, p.dropped_at,
             partition_details(p))
            for ordinal, p in enumerate(table.partitions)
        ],
    }  # fmt: skip


def _stream_rows(stream: Stream) -> Rows:
    return {
        schema.STREAM: [(
            stream.id, stream.database_id, stream.name, stream.base_id, stream.type.value,
            stream.show_initial_rows, stream.comment, stream.created_tso, stream.base_name,
        )]
    }  # fmt: skip


def _view_rows(view: View) -> Rows:
    columns = json.dumps([(name, _type_to_json(kind), comment) for name, kind, comment in view.columns])
    return {schema.VIEW: [(view.id, view.database_id, view.name, view.query, columns, view.comment)]}


def _grants(grants: Iterable[Grant]) -> str:
    return json.dumps([astuple(grant) for grant in sorted(grants)])


def _user_rows(user: User) -> Rows:
    roles = json.dumps(user.roles)
    return {schema.USER: [(user.id, user.name, user.host, user.password, _grants(user.grants), roles, user.comment)]}


def _role_rows(role: Role) -> Rows:
    return {schema.ROLE: [(role.id, role.name, _grants(role.grants), role.comment)]}


def _changed(old: Mapping[int, Object], new: Mapping[int, Object]) -> Iterator[tuple[Object | None, Object | None]]:
    for key in old.keys() | new.keys():
        before, after = old.get(key), new.get(key)
        if before is not after and before != after:
            yield before, after


def _object_rows(item: Anything) -> Rows:
    match item:
        case DatabaseEntry():
            return _database_rows(item)
        case Table():
            return _table_rows(item)
        case Stream():
            return _stream_rows(item)
        case View():
            return _view_rows(item)
        case User():
            return _user_rows(item)
        case Role():
            return _role_rows(item)
        case None:
            return {}


# -- difference --------------------------------------------------------------------------------
def save(cursor: Cursor, old: Catalog, new: Catalog, tso: int) -> None:
    """Replace the rows that differ between two snapshots, and the version row."""
    gone: Rows = {}
    come: Rows = {}
    pairs: list[tuple[Anything, Anything]] = [
        *_changed({**old.databases, **old.dropped}, {**new.databases, **new.dropped}),
        *_changed(old.tables, new.tables),
        *_changed(old.streams, new.streams),
        *_changed(old.views, new.views),
        *_changed(old.accounts.users, new.accounts.users),
        *_changed(old.accounts.roles, new.accounts.roles),
    ]
    for before, after in pairs:
        for rows, into in ((_object_rows(before), gone), (_object_rows(after), come)):
            for system, found in rows.items():
                into.setdefault(system, []).extend(found)
    for system in gone.keys() | come.keys():
        before_rows, after_rows = set(gone.get(system, ())), set(come.get(system, ()))
        _delete(cursor, system, before_rows - after_rows)
        _insert(cursor, system, after_rows - before_rows)
    if old.variables is not new.variables:
        before_rows, after_rows = _variable_rows(old), _variable_rows(new)
        _delete(cursor, schema.VARIABLE, before_rows - after_rows)
        _insert(cursor, schema.VARIABLE, after_rows - before_rows)
    cursor.execute(f"DELETE FROM {schema.CATALOG.name}")
    cursor.execute(f"INSERT INTO {schema.CATALOG.name} VALUES (?, ?, ?)", (new.version, tso, schema.FORMAT))


def _variable_rows(catalog: Catalog) -> set[Row]:
    return {(name, json.dumps(value)) for name, value in catalog.variables.items()}


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


# -- rows to objects ---------------------------------------------------------------------------
def version(cursor: Cursor) -> int:
    """The catalog version that the transaction of `cursor` sees."""
    found = cursor.rows(f"SELECT version FROM {schema.CATALOG.name}")[0][0]
    assert isinstance(found, int)
    return found


def load(cursor: Cursor) -> Catalog:
    """The whole catalog as the transaction of `cursor` sees it."""
    columns = _grouped(cursor, schema.COLUMN, "table_id, ordinal")
    partitions = _grouped(cursor, schema.PARTITION, "table_id, ordinal")
    databases = [_read_database(row) for row in _rows(cursor, schema.DATABASE)]
    tables = [_read_table(row, columns, partitions) for row in _rows(cursor, schema.TABLE)]
    streams = [_read_stream(row) for row in _rows(cursor, schema.STREAM)]
    views = [_read_view(row) for row in _rows(cursor, schema.VIEW)]
    return Catalog(
        version(cursor),
        {entry.id: entry for entry in databases if entry.dropped_at is None},
        {table.id: table for table in tables},
        {stream.id: stream for stream in streams},
        {view.id: view for view in views},
        _read_accounts(cursor),
        {entry.id: entry for entry in databases if entry.dropped_at is not None},
        {name: json.loads(value) for name, value in _rows(cursor, schema.VARIABLE)},
    )


def _rows(cursor: Cursor, system: SystemTable, order: str = "") -> list[Any]:
    return cursor.rows(f"SELECT * FROM {system.name}{f' ORDER BY {order}' if order else ''}")


def _grouped(cursor: Cursor, system: SystemTable, order: str) -> dict[int, list[Any]]:
    groups: dict[int, list[Any]] = {}
    for row in _rows(cursor, system, order):
        groups.setdefault(row[0], []).append(row)
    return groups


def _pairs(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((key, value) for key, value in json.loads(text))


def _read_database(row: Sequence[Any]) -> DatabaseEntry:
    return DatabaseEntry(row[0], row[1], _pairs(row[2]), row[3])


def _read_column(row: Sequence[Any]) -> Column:
    _, _, uid, name, kind, key, nullable, aggregation, default, is_function, comment, options = row
    parsed = _type_from_json(json.loads(kind))
    return Column(uid, name, parsed, key, nullable, aggregation, default, is_function, comment, *json.loads(options))


def _read_bound(text: str | None) -> Bound | None:
    return None if text is None else Bound(tuple(json.loads(text)))


def _read_partition(row: Sequence[Any]) -> Partition:
    _, part_id, _, name, lo, hi, created_tso, dropped_at, details = row
    bounds = (_read_bound(lo), _read_bound(hi))
    return Partition(part_id, name, *bounds, created_tso, dropped_at, **read_partition_details(details))


def _read_distribution(text: str | None) -> Distribution | None:
    if text is None:
        return None
    kind, columns, buckets = json.loads(text)
    return Distribution(kind, tuple(columns), buckets)


def _read_table(row: Sequence[Any], columns: dict[int, list[Any]], partitions: dict[int, list[Any]]) -> Table:
    (table_id, database_id, name, model, parting, spread, properties, ttl, history, merge_on_write, comment,
     schema_version, next_uid, created_ms, dropped_at, details) = row  # fmt: skip
    return Table(
        id=table_id,
        database_id=database_id,
        name=name,
        model=Model(model),
        columns=tuple(_read_column(column) for column in columns.get(table_id, ())),
        partitions=tuple(_read_partition(part) for part in partitions.get(table_id, ())),
        partitioning=read_partitioning(parting),
        distribution=_read_distribution(spread),
        properties=_pairs(properties),
        changelog=None if ttl is None else Changelog(ttl, history),
        merge_on_write=merge_on_write,
        comment=comment,
        schema_version=schema_version,
        next_uid=next_uid,
        created_ms=created_ms,
        dropped_at=dropped_at,
        **read_table_details(details),
    )


def _read_stream(row: Sequence[Any]) -> Stream:
    stream_id, database_id, name, base_id, kind, *rest = row
    return Stream(stream_id, database_id, name, base_id, StreamType(kind), *rest)


def _read_view(row: Sequence[Any]) -> View:
    view_id, database_id, name, query, columns, comment = row
    read = tuple((column, _type_from_json(kind), text) for column, kind, text in json.loads(columns))
    return View(view_id, database_id, name, query, read, comment)


def _read_grants(text: str) -> frozenset[Grant]:
    return frozenset(Grant(*parts) for parts in json.loads(text))


def _read_accounts(cursor: Cursor) -> Accounts:
    users = (
        User(user_id, name, host, password, _read_grants(grants), tuple(json.loads(roles)), comment)
        for user_id, name, host, password, grants, roles, comment in _rows(cursor, schema.USER)
    )
    roles = (Role(row[0], row[1], _read_grants(row[2]), row[3]) for row in _rows(cursor, schema.ROLE))
    return Accounts({user.id: user for user in users}, {role.id: role for role in roles})
