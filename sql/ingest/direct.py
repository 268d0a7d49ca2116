"""A few rows of plain literals as a batch, without asking DuckDB: what single-row INSERTs save most by.

Only where nothing is left to decide: every column is given and every literal is its column's value as it stands
- an integer in range, a text that is short enough, a date in its form. Anything else gives None, and the statement
goes the common way (sql/ingest/batch.py), which converts, rejects and explains. Both give the same batch.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from decimal import Decimal

import pyarrow as pa

from storage.catalog.model import Column, Partition, Table
from storage.catalog.sequence import sequence_of
from storage.naming import PART, physical
from storage.types import MAX_STRING

MOST_ROWS = 100  # beyond, DuckDB converts faster than a loop

Cell = str | None
Value = int | str | float | Decimal | datetime.date | datetime.datetime
Read = Callable[[str, Column], Value | None]


def direct(table: Table, names: Sequence[str], columns: Sequence[Sequence[Cell]]) -> pa.Table | None:
    """The batch of rows given column by column (a column list, or none for all in order); None if in doubt."""
    places = _places(table, names, len(columns))
    if places is None or len(columns[0]) > MOST_ROWS:
        return None
    values = {column.name: _values(column, columns[place]) for column, place in zip(table.columns, places, strict=True)}
    arrays = {}
    for column in table.columns:
        found = values[column.name]
        if found is None:
            return None
        arrays[physical(column.name)] = pa.array(found, _arrow(column))
    parts = _parts(table, values, len(columns[0]))
    if parts is None:
        return None
    return pa.table({**arrays, PART: pa.array(parts, pa.int32())})


def _places(table: Table, names: Sequence[str], width: int) -> list[int] | None:
    """Where the source has each column of the table; every one must be there, and none that fills itself."""
    if sequence_of(table) is not None or any(not _is_plain(column) for column in table.columns):
        return None
    given = [name.lower() for name in names] or [column.name.lower() for column in table.columns]
    wanted = [column.name.lower() for column in table.columns]
    if len(given) != width or sorted(given) != sorted(wanted):
        return None
    return [given.index(name) for name in wanted]


def _is_plain(column: Column) -> bool:
    return column.type.name in _READ and column.generated is None and column.auto_increment is None


def _values(column: Column, cells: Sequence[Cell]) -> list[Value | None] | None:
    """The values of a column; None if one of them is in doubt."""
    read, found = _READ[column.type.name], list[Value | None]()
    for cell in cells:
        value = None if cell is None else read(cell, column)
        if value is None and (cell is not None or not column.nullable):
            return None
        found.append(value)
    return found


# -- one literal, or None if it is in doubt -------------------------------------------------------------
_INTEGER = re.compile(r"-?\d{1,18}", re.ASCII)
_FIXED = re.compile(r"-?0*(\d*)(?:\.(\d+))?", re.ASCII)
_FLOATING = re.compile(r"-?\d{1,8}(?:\.\d{1,7})?", re.ASCII)  # fifteen digits are exact in a DOUBLE
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_DATETIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", re.ASCII)
_BITS = {"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64}


def _integer(text: str, column: Column) -> int | None:
    if not _INTEGER.fullmatch(text):
        return None
    value, edge = int(text), 1 << (_BITS[column.type.name] - 1)
    return value if -edge <= value < edge else None


def _text(text: str, column: Column) -> str | None:
    return text if len(text.encode()) <= (column.type.length or MAX_STRING) else None


def _decimal(text: str, column: Column) -> Decimal | None:
    found, precision, scale = _FIXED.fullmatch(text), column.type.precision or 0, column.type.scale or 0
    if found is None or text in ("", "-") or len(found[1]) > precision - scale or len(found[2] or "") > scale:
        return None
    return Decimal(text)


def _double(text: str, column: Column) -> float | None:
    return float(text) if _FLOATING.fullmatch(text) else None


def _date(text: str, column: Column) -> datetime.date | None:
    if not _DATE.fullmatch(text):
        return None
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None


def _datetime(text: str, column: Column) -> datetime.datetime | None:
    if not _DATETIME.fullmatch(text):
        return None
    try:
        return datetime.datetime.fromisoformat(text)
    except ValueError:
        return None


_READ: dict[str, Read] = {
    **dict.fromkeys(_BITS, _integer),
    **dict.fromkeys(("char", "varchar", "string"), _text),
    "decimal": _decimal,
    "double": _double,
    "date": _date,
    "datetime": _datetime,
}

_ARROW = {
    "tinyint": pa.int8(),
    "smallint": pa.int16(),
    "int": pa.int32(),
    "bigint": pa.int64(),
    "double": pa.float64(),
    "date": pa.date32(),
    "datetime": pa.timestamp("us"),
}


def _arrow(column: Column) -> pa.DataType:
    kind = column.type
    if kind.name == "decimal":
        return pa.decimal128(kind.precision or 38, kind.scale or 0)
    return _ARROW.get(kind.name, pa.string())


# -- partitions ----------------------------------------------------------------------------------------
def _parts(table: Table, values: dict[str, list[Value | None] | None], count: int) -> list[int] | None:
    """The partition id of each row; None if one has none, or where finding it takes more than comparing a column."""
    parting, partitions = table.partitioning, table.visible_partitions
    if parting is None:
        return [partitions[0].id] * count
    column = table.column(parting.columns[0])
    if parting.kind != "RANGE" or len(parting.columns) > 1 or parting.auto or column is None:
        return None
    given = values[column.name]
    ranges = [edges for part in partitions if (edges := _edges(part, column)) is not None]
    if given is None or len(ranges) < len(partitions):
        return None
    found = [_within(value, ranges) for value in given]
    return None if None in found else [part for part in found if part is not None]


Range = tuple[int, Value | None, Value | None]  # partition id, inclusive lower and exclusive upper edge


def _edges(part: Partition, column: Column) -> Range | None:
    edges: list[Value | None] = []
    for bound in (part.lo, part.hi):
        text = bound.values[0] if bound is not None else None
        value = None if text is None else _READ[column.type.name](text, column)
        if value is None and text is not None:
            return None
        edges.append(value)
    return part.id, edges[0], edges[1]


def _within(value: Value | None, ranges: Sequence[Range]) -> int | None:
    """NULL belongs to the partition that starts at the minimum."""
    for part, low, high in ranges:
        if value is None:
            if low is None:
                return part
        elif (low is None or low <= value) and (high is None or value < high):  # type: ignore[operator]
            return part
    return None
