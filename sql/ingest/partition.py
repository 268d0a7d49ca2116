"""Route rows to partitions: the partition id of each row, and the key of a partition that is missing.

    rows (Arrow, physical names)  ->  ids, NULL where there is none  ->  keys of those, for AUTO tables

A search in sorted edges, or a look-up of values, so that many partitions cost no more than few. RANGE partitions are
half open; NULL sorts in front of all values, and the partition without lower edge takes it too
(Doris: CREATE TABLE, partitions).
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sql.ddl.range_partition import Point, edge_point, row_point
from storage.catalog.model import Bound, Partition, Table
from storage.cells import comparable
from storage.naming import PREFIX, physical

KEY = PREFIX + "partition_key"  # JSON array of the texts that name the missing partition; NULL where there is one

_LARGE = pa.binary(16)  # how DuckDB hands over LARGEINT: little-endian

Value = tuple[object, ...]  # of the partition columns, as Python values
Find = Callable[[Value], int | None]


def partition_ids(table: Table, rows: pa.Table, allowed: Sequence[Partition] | None = None) -> pa.Array:
    """The id of each row's partition, as int32; only the `allowed` ones take rows, by default all visible ones."""
    partitions = table.visible_partitions if allowed is None else allowed
    if table.partitioning is None:
        return pa.repeat(pa.scalar(partitions[0].id, pa.int32()), rows.num_rows)
    columns = _columns(table, rows)
    if table.partitioning.kind == "LIST":
        return _each(columns, _listed(partitions, [column.type for column in columns]))
    if len(columns) == 1 and columns[0].type != _LARGE:
        return _search(columns[0], partitions)
    return _each(columns, _ranged(partitions, [column.type for column in columns]))


def _columns(table: Table, rows: pa.Table) -> list[pa.Array]:
    names = table.partitioning.columns if table.partitioning else ()
    found = [table.column(name) for name in names]
    return [_plain(rows.column(physical(column.name)).combine_chunks()) for column in found if column is not None]


def _plain(column: pa.Array) -> pa.Array:
    """BOOLEAN and LARGEINT arrive as extension types of bytes."""
    storage = column.storage if isinstance(column, pa.ExtensionArray) else column
    return storage.cast(pa.bool_()) if storage is not column and storage.type != _LARGE else storage


def _typed(texts: Sequence[str | None], kind: pa.DataType) -> pa.Array:
    """Values as the catalog spells them, as values of a column."""
    if kind == _LARGE:
        return pa.array(
            [None if text is None else int(text).to_bytes(16, "little", signed=True) for text in texts], kind
        )
    return pa.array(texts, pa.string()).cast(kind)


def _objects(column: pa.Array) -> list[object]:
    """Values that sort and compare in Python."""
    return [int.from_bytes(v, "little", signed=True) if isinstance(v, bytes) else v for v in comparable(column)]


# -- RANGE over one column of numbers, dates or times -------------------------------------------------------
def _search(column: pa.Array, partitions: Sequence[Partition]) -> pa.Array:
    lows, highs = [_only(part.lo) for part in partitions], [_only(part.hi) for part in partitions]
    low = _numbers(_typed(lows, column.type), np.iinfo(np.int64).min)
    order = np.argsort(low, kind="stable")
    high = _numbers(_typed(highs, column.type), 0)[order]
    open_end = np.array([text is None for text in highs], bool)[order]
    ids = np.array([part.id for part in partitions], np.int32)[order]
    values, missing = _numbers(column, 0), np.asarray(column.is_null())
    place = np.searchsorted(low[order], values, side="right") - 1
    place[missing] = 0 if None in lows else -1
    found = place >= 0
    if len(ids):
        found &= missing | open_end[place] | (values < high[place])
    return pa.array(ids[place] if len(ids) else np.zeros(len(place), np.int32), mask=~found)


def _only(bound: Bound | None) -> str | None:
    return bound.values[0] if bound is not None else None


def _numbers(column: pa.Array, missing: int) -> np.ndarray:
    """Whole numbers that sort as the values do."""
    small = pa.types.is_date32(column.type)
    whole = column.cast(pa.int32() if small else pa.int64()).cast(pa.int64())
    return np.asarray(whole.fill_null(missing))


# -- other keys, one distinct value at a time ---------------------------------------------------------------
def _each(columns: Sequence[pa.Array], find: Find) -> pa.Array:
    first, codes = _distinct(columns)
    values = zip(*(_objects(column.take(first)) for column in columns), strict=True)
    return pa.array([find(value) for value in values], pa.int32()).take(codes)


def _distinct(columns: Sequence[pa.Array]) -> tuple[pa.Array, pa.Array]:
    """Where each distinct value stands first, and for each row the number of its value."""
    codes = np.zeros(len(columns[0]), np.int64)
    first = codes[:0]
    for column in columns:
        encoded = column.dictionary_encode(null_encoding="encode")
        together = codes * len(encoded.dictionary) + np.asarray(encoded.indices)
        _, first, codes = np.unique(together, return_index=True, return_inverse=True)
    return pa.array(first), pa.array(codes)


def _listed(partitions: Sequence[Partition], kinds: Sequence[pa.DataType]) -> Find:
    """One of the listed values; NULL is a value like others."""
    listed = [(value, part.id) for part in partitions for value in part.values or ()]
    columns = [_objects(_typed([value[place] for value, _ in listed], kind)) for place, kind in enumerate(kinds)]
    return dict(zip(zip(*columns, strict=True), (part for _, part in listed), strict=True)).get


def _ranged(partitions: Sequence[Partition], kinds: Sequence[pa.DataType]) -> Find:
    """Compare rows with edges column by column."""
    lows = _edges([part.lo for part in partitions], kinds, ())
    highs = _edges([part.hi for part in partitions], kinds, edge_point([None]))
    ranges = sorted(zip(lows, highs, (part.id for part in partitions), strict=True))
    begins = [low for low, _, _ in ranges]

    def find(value: Value) -> int | None:
        key = row_point(value)
        place = bisect_right(begins, key) - 1
        return ranges[place][2] if place >= 0 and key < ranges[place][1] else None

    return find


def _edges(bounds: Sequence[Bound | None], kinds: Sequence[pa.DataType], unbounded: Point) -> list[Point]:
    """Each edge as a key that sorts among those of rows."""
    texts = [bound.values if bound is not None else () for bound in bounds]
    columns = [
        _objects(_typed([text[place] if place < len(text) else None for text in texts], kind))
        for place, kind in enumerate(kinds)
    ]
    values = zip(texts, zip(*columns, strict=True), strict=True)
    return [edge_point(value[: len(text)]) if any(text) else unbounded for text, value in values]


# -- AUTO PARTITION -----------------------------------------------------------------------------------------
def missing_keys(table: Table, rows: pa.Table, parts: pa.Array) -> pa.Array:
    """The key of the partition that each row without one wants, as JSON text (sql/ingest/auto_partition.py: KEY)."""
    missing = parts.is_null()
    unit = table.partitioning.unit if table.partitioning else None
    columns = [_key_texts(column, unit) for column in _columns(table, rows.filter(missing))]
    first, codes = _distinct(columns)
    keys = zip(*(column.take(first).to_pylist() for column in columns), strict=True)
    texts = pa.array([json.dumps(key) for key in keys], pa.string()).take(codes)
    return pc.replace_with_mask(pa.nulls(len(parts), pa.string()), missing, texts)


def _key_texts(column: pa.Array, unit: str | None) -> pa.Array:
    if unit is not None:
        column = pc.floor_temporal(column, unit=unit)
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    if column.type == _LARGE:
        return pa.array([None if value is None else str(value) for value in _objects(column)], pa.string())
    return column.cast(pa.string())
