"""The DuckDB tables behind the catalog: which statements lead from one snapshot to the next.

Pure text building: the coordinator runs the statements inside the transaction that saves the
catalog rows. Objects in the recycle bin are still in the snapshot and keep their rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from storage import naming
from storage.catalog import schema
from storage.catalog.model import Catalog, Column, Stream, Table

_ENDS = ((naming.END_TSO, "BIGINT"), (naming.END_LSN, "BIGINT"), (naming.END_OP, "TINYINT"))


def hidden(table: Table) -> tuple[tuple[str, str], ...]:
    """The hidden columns of t_<id>, name and DuckDB type, in physical order."""
    found = []
    if table.is_unique or table.changelog is not None:
        found += [(naming.TSO, "BIGINT"), (naming.LSN, "BIGINT"), (naming.OP, "TINYINT")]
    if table.is_unique:
        found.append((naming.VERSION, "BIGINT"))
    return (*found, (naming.PART, "INTEGER"))


def _physical_tables(table: Table) -> list[str]:
    names = [naming.current(table.id)]
    return names if table.changelog is None else [*names, naming.history(table.id)]


def statements(old: Catalog, new: Catalog) -> Iterator[str]:
    """DDL and row removals that turn the physical state of `old` into that of `new`."""
    for table in new.tables.values():
        before = old.tables.get(table.id)
        if before is None:
            yield from _create(table)
        elif before is not table:
            yield from _alter(before, table)
    for gone in old.tables.keys() - new.tables.keys():
        yield from _drop(old.tables[gone])
    yield from _forget_partitions(_partitions(old) - _partitions(new))
    yield from _forget_streams(old.streams.keys() - new.streams.keys())
    for stream_id in new.streams.keys() - old.streams.keys():
        stream = new.streams[stream_id]
        yield from _first_offsets(stream, new.tables.get(stream.base_id))


def _column(column: Column) -> str:
    return f"{naming.quote(naming.physical(column.name))} {column.type.duckdb}"


def _create(table: Table) -> Iterator[str]:
    columns = [_column(column) for column in table.columns]
    columns += [f"{name} {kind}" for name, kind in hidden(table)]
    yield f"CREATE TABLE {naming.current(table.id)} ({', '.join(columns)})"
    if table.changelog is not None:
        columns += [f"{name} {kind}" for name, kind in _ENDS]
        yield f"CREATE TABLE {naming.history(table.id)} ({', '.join(columns)})"


def _drop(table: Table) -> Iterator[str]:
    for name in _physical_tables(table):
        yield f"DROP TABLE {name}"
    for system in (schema.TABLE_VERSION, schema.PURGE):
        yield f"DELETE FROM {system.name} WHERE table_id = {table.id}"


def _alter(old: Table, new: Table) -> Iterator[str]:
    before = {column.uid: column for column in old.columns}
    after = {column.uid: column for column in new.columns}
    for name in _physical_tables(new):
        for uid in before.keys() - after.keys():
            yield f"ALTER TABLE {name} DROP COLUMN {_name(before[uid])}"
        for uid in before.keys() & after.keys():
            yield from _modify(name, before[uid], after[uid])
        for column in new.columns:
            if column.uid not in before:
                yield f"ALTER TABLE {name} ADD COLUMN {_column(column)}{_default(column)}"
    gone = {part.id for part in old.partitions} - {part.id for part in new.partitions}
    if gone:
        yield from (f"DELETE FROM {name} WHERE {naming.PART} IN ({_list(gone)})" for name in _physical_tables(new))


def _modify(name: str, old: Column, new: Column) -> Iterator[str]:
    if old.name != new.name:
        yield f"ALTER TABLE {name} RENAME COLUMN {_name(old)} TO {_name(new)}"
    if old.type.duckdb != new.type.duckdb:
        yield f"ALTER TABLE {name} ALTER COLUMN {_name(new)} TYPE {new.type.duckdb}"


def _name(column: Column) -> str:
    return naming.quote(naming.physical(column.name))


def _default(column: Column) -> str:
    """What rows written before ADD COLUMN read in the new column; also those in the history."""
    if column.default is None:
        return ""
    if column.default_is_function:
        return f" DEFAULT CAST({column.default} AS {column.type.duckdb})"
    return f" DEFAULT CAST({naming.literal(column.default)} AS {column.type.duckdb})"


def _partitions(catalog: Catalog) -> set[int]:
    return {part.id for table in catalog.tables.values() for part in table.partitions}


def _list(ids: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(ids)))


def _forget_partitions(gone: set[int]) -> Iterator[str]:
    if gone:
        for system in (schema.PART_VERSION, schema.STREAM_OFFSET):
            yield f"DELETE FROM {system.name} WHERE part_id IN ({_list(gone)})"


def _forget_streams(gone: set[int]) -> Iterator[str]:
    if gone:
        yield f"DELETE FROM {schema.STREAM_OFFSET.name} WHERE stream_id IN ({_list(gone)})"


def _first_offsets(stream: Stream, base: Table | None) -> Iterator[str]:
    """Where a new stream starts: behind everything, or before the initial image of partitions with data."""
    if base is None or not base.partitions:
        return
    values = ", ".join(f"({part.id})" for part in base.partitions)
    written = f"{schema.PART_VERSION.name} v USING (part_id)"
    parts = f"(VALUES {values}) p(part_id)"
    if stream.show_initial_rows:
        rows = f"SELECT {stream.id}, part_id, NULL, -1 FROM {parts} JOIN {written}"
    else:
        rows = f"SELECT {stream.id}, part_id, coalesce(v.tso, 0), -1 FROM {parts} LEFT JOIN {written}"
    yield f"INSERT INTO {schema.STREAM_OFFSET.name} {rows}"
