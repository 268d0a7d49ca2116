"""Short words for tests: make tables and streams, write rows, read forms as Python rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from storage import naming
from storage.catalog.catalog import Catalog
from storage.catalog.model import Changelog, Column, DatabaseEntry, Model, Partition, Stream, StreamType, Table
from storage.database import Database
from storage.types import BIGINT, STRING, DorisType
from storage.work import Batch, Change, Commit, Move, Predicate, Query, Work, Write

Row = tuple[object, ...]


class ManualClock:
    """Unix milliseconds that stand still until the test moves them."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now


def column(uid: int, name: str, kind: DorisType = BIGINT, *, key: bool = False, nullable: bool = True) -> Column:
    return Column(uid, name, kind, key=key, nullable=nullable)


def make_table(
    database: Database, name: str, model: Model = Model.UNIQUE, *, changelog: bool = True, history: bool = True,
    parts: int = 1, columns: Sequence[Column] | None = None, properties: tuple[tuple[str, str], ...] = (),
) -> Table:  # fmt: skip
    """Create a table (k BIGINT, v VARCHAR) in database 1, which is made when missing."""
    ids = database.reserve_ids(parts + 1)
    declared = tuple(columns or (column(0, "k", key=True, nullable=False), column(1, "v", STRING)))
    table = Table(
        id=ids[0], database_id=1, name=name, model=model, columns=declared,
        partitions=tuple(Partition(part, f"p{place}") for place, part in enumerate(ids[1:])),
        properties=properties, changelog=Changelog(86400, history) if changelog else None,
        merge_on_write=model is Model.UNIQUE, next_uid=len(declared),
    )  # fmt: skip

    def create(catalog: Catalog) -> Catalog:
        return catalog.with_database(DatabaseEntry(1, "shop")).with_table(table)

    database.apply(Work(change=create))
    return table


def make_stream(
    database: Database, table: Table, kind: StreamType = StreamType.MIN_DELTA, *, initial: bool = False
) -> Stream:
    stream = Stream(
        database.reserve_ids(1)[0], 1, f"s_{table.name}", table.id, kind, initial, "", database.reference_tso()
    )
    change(database, lambda catalog: catalog.with_stream(stream))
    return stream


def change(database: Database, function: Change) -> Commit:
    return database.apply(Work(change=function))


def alter(database: Database, table_id: int, **fields: object) -> Table:
    """Replace fields of a table and publish it."""

    def altered(catalog: Catalog) -> Catalog:
        return catalog.with_table(replace(catalog.tables[table_id], **fields))  # type: ignore[arg-type]

    change(database, altered)
    return database.catalog.tables[table_id]


def batch(table: Table, rows: Sequence[Row], part: int = 0, deletes: Sequence[int] = ()) -> Batch:
    """Rows for one partition; `deletes` are the places of rows that remove their key."""
    names = [naming.physical(column.name) for column in table.columns]
    arrays = {name: pa.array([row[place] for row in rows]) for place, name in enumerate(names)}
    for column in table.columns:
        name = naming.physical(column.name)
        if pa.types.is_null(arrays[name].type):
            arrays[name] = arrays[name].cast(pa.int64() if column.type == BIGINT else pa.string())
    arrays[naming.PART] = pa.array([table.partitions[part].id] * len(rows), pa.int32())
    if deletes:
        arrays[naming.DELETE] = pa.array([place in deletes for place in range(len(rows))])
    return Batch(pa.table(arrays))


def write(table: Table, source: Batch | Query | Predicate) -> Write:
    return Write(table.id, table.schema_version, source)


def put(
    database: Database, table: Table, rows: Sequence[Row], part: int = 0, deletes: Sequence[int] = (),
    moves: tuple[Move, ...] = (),
) -> Commit:  # fmt: skip
    """Insert rows into the newest form of a table."""
    newest = database.catalog.tables[table.id]
    return database.apply(Work((write(newest, batch(newest, rows, part, deletes)),), moves))


def select(database: Database, sql: str) -> list[Row]:
    """Rows of a DuckDB SELECT in a reader of its own, sorted."""
    reader = database.reader()
    try:
        columns = reader.table(sql).to_pydict()
        return sorted(zip(*columns.values(), strict=True), key=repr)
    finally:
        reader.close()
