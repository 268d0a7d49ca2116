"""Catalog objects as rows of the system tables, and back.

Pure; what the columns of a row are says storage/catalog/schema.py, who stores rows is storage/catalog/store.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import astuple
from typing import Any

from storage.catalog import schema
from storage.catalog.account import Grant, Role, User
from storage.catalog.detail import (
    distribution_text,
    pairs,
    partition_details,
    partitioning_text,
    read_distribution,
    read_partition_details,
    read_partitioning,
    read_table_details,
    table_details,
    type_from_json,
    type_to_json,
)
from storage.catalog.model import (
    Bound,
    Changelog,
    Column,
    DatabaseEntry,
    Model,
    Partition,
    Stream,
    StreamType,
    Table,
    View,
)
from storage.catalog.schema import SystemTable

Row = tuple[object, ...]
Rows = dict[SystemTable, list[Row]]
Entry = DatabaseEntry | Table | Stream | View | User | Role


# -- objects to rows ---------------------------------------------------------------------------
def _bound(bound: Bound | None) -> str | None:
    return None if bound is None else json.dumps(bound.values)


def _database_rows(entry: DatabaseEntry) -> Rows:
    return {schema.DATABASE: [(entry.id, entry.name, json.dumps(entry.properties), entry.dropped_at)]}


def _table_rows(table: Table) -> Rows:
    kept = table.changelog
    return {
        schema.TABLE: [(
            table.id, table.database_id, table.name, table.model.value,
            partitioning_text(table.partitioning),
            distribution_text(table.distribution),
            json.dumps(table.properties), kept.ttl_seconds if kept else None, kept.history if kept else None,
            table.merge_on_write, table.comment, table.schema_version, table.next_uid, table.created_ms,
            table.dropped_at, table_details(table),
        )],
        schema.COLUMN: [
            (table.id, ordinal, c.uid, c.name, json.dumps(type_to_json(c.type)), c.key, c.nullable,
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
    columns = json.dumps([(name, type_to_json(kind), comment) for name, kind, comment in view.columns])
    return {schema.VIEW: [(view.id, view.database_id, view.name, view.query, columns, view.comment)]}


def _grants(grants: Iterable[Grant]) -> str:
    return json.dumps([astuple(grant) for grant in sorted(grants)])


def _user_rows(user: User) -> Rows:
    roles = json.dumps(user.roles)
    return {schema.USER: [(user.id, user.name, user.host, user.password, _grants(user.grants), roles, user.comment)]}


def _role_rows(role: Role) -> Rows:
    return {schema.ROLE: [(role.id, role.name, _grants(role.grants), role.comment)]}


def rows_of(item: Entry | None) -> Rows:
    """The rows of an object in each system table; none of no object."""
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


# -- rows to objects ---------------------------------------------------------------------------
def _values(row: Row) -> tuple[Any, ...]:
    """The cells with the types that storage/catalog/schema.py declares, which the checker cannot know."""
    return row


def read_database(row: Row) -> DatabaseEntry:
    database_id, name, properties, dropped_at = _values(row)
    return DatabaseEntry(database_id, name, pairs(json.loads(properties)), dropped_at)


def _read_column(row: Row) -> Column:
    _, _, uid, name, kind, key, nullable, aggregation, default, is_function, comment, options = _values(row)
    parsed = type_from_json(json.loads(kind))
    return Column(uid, name, parsed, key, nullable, aggregation, default, is_function, comment, *json.loads(options))


def _read_bound(text: str | None) -> Bound | None:
    return None if text is None else Bound(tuple(json.loads(text)))


def _read_partition(row: Row) -> Partition:
    _, part_id, _, name, lo, hi, created_tso, dropped_at, details = _values(row)
    bounds = (_read_bound(lo), _read_bound(hi))
    return Partition(part_id, name, *bounds, created_tso, dropped_at, **read_partition_details(details))


def read_table(row: Row, columns: Mapping[int, list[Row]], partitions: Mapping[int, list[Row]]) -> Table:
    (table_id, database_id, name, model, parting, spread, properties, ttl, history, merge_on_write, comment,
     schema_version, next_uid, created_ms, dropped_at, details) = _values(row)  # fmt: skip
    return Table(
        id=table_id,
        database_id=database_id,
        name=name,
        model=Model(model),
        columns=tuple(_read_column(column) for column in columns.get(table_id, ())),
        partitions=tuple(_read_partition(part) for part in partitions.get(table_id, ())),
        partitioning=read_partitioning(parting),
        distribution=read_distribution(spread),
        properties=pairs(json.loads(properties)),
        changelog=None if ttl is None else Changelog(ttl, history),
        merge_on_write=merge_on_write,
        comment=comment,
        schema_version=schema_version,
        next_uid=next_uid,
        created_ms=created_ms,
        dropped_at=dropped_at,
        **read_table_details(details),
    )


def read_stream(row: Row) -> Stream:
    stream_id, database_id, name, base_id, kind, *rest = _values(row)
    return Stream(stream_id, database_id, name, base_id, StreamType(kind), *rest)


def read_view(row: Row) -> View:
    view_id, database_id, name, query, columns, comment = _values(row)
    read = tuple((column, type_from_json(kind), text) for column, kind, text in json.loads(columns))
    return View(view_id, database_id, name, query, read, comment)


def _read_grants(text: str) -> frozenset[Grant]:
    return frozenset(Grant(*parts) for parts in json.loads(text))


def read_user(row: Row) -> User:
    user_id, name, host, password, grants, roles, comment = _values(row)
    return User(user_id, name, host, password, _read_grants(grants), tuple(json.loads(roles)), comment)


def read_role(row: Row) -> Role:
    role_id, name, grants, comment = _values(row)
    return Role(role_id, name, _read_grants(grants), comment)
