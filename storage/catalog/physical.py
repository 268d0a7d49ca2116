"""The DuckDB tables behind the catalog: which statements lead from one snapshot to the next.

Pure text building: the coordinator runs the statements inside the transaction that saves the
catalog rows. Objects in the recycle bin are still in the snapshot and keep their rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from storage import naming, numbering
from storage.catalog import schema
from storage.catalog.catalog import Catalog
from storage.catalog.conversion import using
from storage.catalog.model import Column, Stream, Table
from storage.catalog.sequence import sequence_of
from storage.naming import sql_name
from storage.state.empty import EMPTY

_PASSING = f"{naming.PREFIX}passing_"  # names for the moment in which two columns change their names
_ENDS = ((naming.END_TSO, "BIGINT"), (naming.END_LSN, "BIGINT"), (naming.END_OP, "TINYINT"))


def hidden(table: Table) -> tuple[tuple[str, str], ...]:
    """The hidden columns of t_<id>, name and DuckDB type, in physical order."""
    found = []
    if table.is_unique or table.changelog is not None:
        found += [(naming.TSO, "BIGINT"), (naming.LSN, "BIGINT"), (naming.OP, "TINYINT")]
    if table.is_unique:
        found.append((naming.VERSION, "BIGINT"))
    return (*found, (naming.PART, "INTEGER"), *_hidden_sequence(table))


def _hidden_sequence(table: Table) -> tuple[tuple[str, str], ...]:
    sequence = sequence_of(table)
    hidden = sequence is not None and sequence.column is None
    return ((naming.SEQUENCE, sequence.type.duckdb),) if sequence is not None and hidden else ()


def _row_tables(table: Table) -> list[str]:
    """The tables that hold whole rows."""
    names = [naming.current(table.id)]
    return names if table.changelog is None else [*names, naming.history(table.id)]


def _mark_tables(table: Table) -> list[str]:
    """The table of delete marks, if there is one; it holds keys only."""
    return [] if sequence_of(table) is None else [naming.marks(table.id)]


def _physical_tables(table: Table) -> list[str]:
    return _row_tables(table) + _mark_tables(table)


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
    return f"{sql_name(column.name)} {column.type.duckdb}"


def _create(table: Table) -> Iterator[str]:
    columns = [_column(column) for column in table.columns]
    columns += [f"{name} {kind}" for name, kind in hidden(table)]
    yield f"CREATE TABLE {naming.current(table.id)} ({', '.join(columns)})"
    if table.changelog is not None:
        columns += [f"{name} {kind}" for name, kind in _ENDS]
        yield f"CREATE TABLE {naming.history(table.id)} ({', '.join(columns)})"
    yield from _create_marks(table)


def _create_marks(table: Table) -> Iterator[str]:
    sequence = sequence_of(table)
    if sequence is not None:
        columns = [_column(column) for column in table.keys]
        hidden = (naming.SEQUENCE, sequence.type.duckdb), (naming.TSO, "BIGINT"), (naming.VERSION, "BIGINT")
        columns += [f"{name} {kind}" for name, kind in (*hidden, (naming.PART, "INTEGER"))]
        yield f"CREATE TABLE {naming.marks(table.id)} ({', '.join(columns)})"


def _drop(table: Table) -> Iterator[str]:
    for name in _physical_tables(table):
        yield f"DROP TABLE {name}"
    yield f"DROP TABLE IF EXISTS {naming.copy(table.id)}"
    for system in (schema.TABLE_VERSION, schema.PURGE, schema.SORTED):
        yield f"DELETE FROM {system.name} WHERE table_id = {table.id}"
    if any(column.auto_increment is not None for column in table.columns):
        yield f"DELETE FROM {schema.LEASE.name} WHERE starts_with(name, '{numbering.prefix(table)}')"


def _alter(old: Table, new: Table) -> Iterator[str]:
    before = {column.uid: column for column in old.columns}
    after = {column.uid: column for column in new.columns}
    for name in _row_tables(new):
        for uid in before.keys() - after.keys():
            yield f"ALTER TABLE {name} DROP COLUMN {sql_name(before[uid].name)}"
        yield from _rename(name, [(before[uid], after[uid]) for uid in before.keys() & after.keys()])
        for uid in sorted(before.keys() & after.keys()):
            yield from _retype(name, before[uid], after[uid])
        for column in new.columns:
            if column.uid not in before:
                yield f"ALTER TABLE {name} ADD COLUMN {_column(column)}{_default(column)}"
        for hidden_name, kind in set(_hidden_sequence(new)) - set(_hidden_sequence(old)):
            yield f"ALTER TABLE {name} ADD COLUMN {hidden_name} {kind}"
    yield from _alter_marks(old, new)
    gone = {part.id for part in old.partitions} - {part.id for part in new.partitions}
    if gone:
        yield from (f"DELETE FROM {name} WHERE {naming.PART} IN ({_list(gone)})" for name in _physical_tables(new))


def _alter_marks(old: Table, new: Table) -> Iterator[str]:
    """Marks begin with the sequence column and follow the keys."""
    if not _mark_tables(old):
        yield from _create_marks(new)
        return
    after = {column.uid: column for column in new.keys}
    both = [(column, after[column.uid]) for column in old.keys if column.uid in after]
    yield from _rename(naming.marks(new.id), both)
    for before, column in both:
        yield from _retype(naming.marks(new.id), before, column)
    known = {column.uid for column in old.keys}
    for column in new.keys:
        if column.uid not in known:
            yield f"ALTER TABLE {naming.marks(new.id)} ADD COLUMN {_column(column)}{_default(column)}"


def _rename(table: str, pairs: Iterable[tuple[Column, Column]]) -> Iterator[str]:
    """Rename the columns whose names differ; where names change places, by way of names nobody has."""
    moved = [(sql_name(old.name), sql_name(new.name), old.uid) for old, new in pairs if old.name != new.name]
    crossing = {old.lower() for old, _, _ in moved} & {new.lower() for _, new, _ in moved}
    if crossing:
        yield from (f"ALTER TABLE {table} RENAME COLUMN {old} TO {_PASSING}{uid}" for old, _, uid in moved)
    for old, new, uid in moved:
        yield f"ALTER TABLE {table} RENAME COLUMN {f'{_PASSING}{uid}' if crossing else old} TO {new}"


def _retype(table: str, old: Column, new: Column) -> Iterator[str]:
    if old.type.duckdb == new.type.duckdb:
        return
    name = sql_name(new.name)
    yield f"ALTER TABLE {table} ALTER COLUMN {name} DROP DEFAULT"
    value = using(name, new.name, old.type, new.type)
    yield f"ALTER TABLE {table} ALTER COLUMN {name} TYPE {new.type.duckdb} USING {value}"


def _default(column: Column) -> str:
    """What rows written before ADD COLUMN read in the new column; also those in the history."""
    if column.type.name in EMPTY:
        return f" DEFAULT {EMPTY[column.type.name]}"
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
    """Where a new stream starts: behind everything, or before the initial image of partitions with data.

    A temporary partition and one in the recycle bin get no offset: what joins the table later is read from its start.
    """
    parts = [part.id for part in base.visible_partitions] if base is not None else []
    if not parts:
        return
    values = ", ".join(f"({part})" for part in parts)
    written = f"{schema.PART_VERSION.name} v USING (part_id)"
    known = f"(VALUES {values}) p(part_id)"
    if stream.show_initial_rows:
        rows = f"SELECT {stream.id}, part_id, NULL, -1 FROM {known} JOIN {written}"
    else:
        rows = f"SELECT {stream.id}, part_id, coalesce(v.tso, 0), -1 FROM {known} LEFT JOIN {written}"
    yield f"INSERT INTO {schema.STREAM_OFFSET.name} {rows}"
