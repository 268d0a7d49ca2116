"""Rows of plain literals as a batch, without asking DuckDB: what INSERTs of few rows save most by.

Only where nothing is left to decide: every column is given and every literal is its column's value as it stands
- an integer in range, a text that is short enough, a date in its form. Anything else gives None, and the statement
goes the common way (sql/ingest/batch.py), which converts, rejects and explains. Both give the same batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from sql.dialect.literal_column import Kind, LiteralColumn
from sql.ingest.partition import partition_ids
from storage.catalog.model import Column, Table
from storage.catalog.sequence import sequence_of
from storage.naming import PART, physical

Read = Callable[[pa.Array, Column], pa.Array | None]


def direct(table: Table, names: Sequence[str], columns: Sequence[LiteralColumn]) -> pa.Table | None:
    """The batch of rows given column by column (a column list, or none for all in order); None if in doubt."""
    places = _places(table, names, len(columns))
    if places is None:
        return None
    arrays: dict[str, pa.Array] = {}
    for column, place in zip(table.columns, places, strict=True):
        found = _values(column, columns[place])
        if found is None:
            return None
        arrays[physical(column.name)] = found
    rows = pa.table(arrays)
    parts = partition_ids(table, rows)
    return None if parts.null_count else rows.append_column(PART, parts)


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


def _values(column: Column, written: LiteralColumn) -> pa.Array | None:
    """The values of a column; None if one of them is in doubt."""
    cells = pa.array(written.texts(), pa.string())
    if cells.null_count and not column.nullable:
        return None
    exact = _exact(column) if written.kind is Kind.NUMBERS else None
    try:
        return _READ[column.type.name](cells, column) if exact is None else cells.cast(exact)
    except pa.ArrowInvalid:  # in the right form, but out of range, or a day that no calendar has
        return None


def _exact(column: Column) -> pa.DataType | None:
    """The type that takes a number as it stands, or fails."""
    if column.type.name == "decimal":
        return pa.decimal128(column.type.precision or 38, column.type.scale or 0)
    return _INTEGERS.get(column.type.name)


# -- the literals of one column, or None if one is in doubt --------------------------------------------
_INTEGERS = {"tinyint": pa.int8(), "smallint": pa.int16(), "int": pa.int32(), "bigint": pa.int64()}
_DATETIME_BYTES = pa.scalar(len("2024-01-02 03:04:05"), pa.int32())  # a number would take longer than the comparison


def _fit(cells: pa.Array, form: str) -> bool:
    """Whether all of them have this form; NULL has."""
    return _all(pc.match_substring_regex(cells, f"^{form}$"))


def _all(truths: pa.Array) -> bool:
    return pc.all(truths).as_py() is not False  # None: there are only NULLs


def _integer(cells: pa.Array, column: Column) -> pa.Array | None:
    return cells.cast(_exact(column)) if _fit(cells, r"-?[0-9]{1,18}") else None


def _text(cells: pa.Array, column: Column) -> pa.Array | None:
    longest = pc.max(pc.binary_length(cells)).as_py() or 0
    return cells if longest <= (column.type.most_bytes or 0) else None


def _decimal(cells: pa.Array, column: Column) -> pa.Array | None:
    precision, scale = column.type.precision or 38, column.type.scale or 0
    fraction = rf"(\.[0-9]{{1,{scale}}})?" if scale else ""
    if not _fit(cells, rf"-?0*[0-9]{{1,{precision - scale}}}{fraction}" if precision > scale else rf"-?0+{fraction}"):
        return None
    return cells.cast(_exact(column))


def _double(cells: pa.Array, column: Column) -> pa.Array | None:
    """Fifteen digits are exact in a DOUBLE."""
    return cells.cast(pa.float64()) if _fit(cells, r"-?[0-9]{1,8}(\.[0-9]{1,7})?") else None


def _date(cells: pa.Array, column: Column) -> pa.Array | None:
    return cells.cast(pa.date32()) if _fit(cells, "[0-9]{4}-[0-9]{2}-[0-9]{2}") else None


def _datetime(cells: pa.Array, column: Column) -> pa.Array | None:
    """Of that many bytes Arrow takes no other form than a date and a time of day, joined by a blank or a T."""
    fits = _all(pc.equal(pc.binary_length(cells), _DATETIME_BYTES))
    return cells.cast(pa.timestamp("us")) if fits else None


_READ: dict[str, Read] = {
    **dict.fromkeys(_INTEGERS, _integer),
    **dict.fromkeys(("char", "varchar", "string"), _text),
    "decimal": _decimal,
    "double": _double,
    "date": _date,
    "datetime": _datetime,
}
