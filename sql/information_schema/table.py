"""What a system table is: a name, columns with Doris types, and a function that reads it.

The families beside register their tables here; `lookup` finds them in any case. A reader function
gives rows as tuples, or a DuckDB SELECT text over the storage's system tables when that is cheaper and
must agree with the data of the same snapshot.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from sql.bind.name import Named
from sql.privilege import Lister, seen
from storage.reader import Reader
from storage.types import BIGINT, BOOLEAN, DATETIME, INT, STRING, DorisType, varchar
from storage.zone import local_time

if TYPE_CHECKING:
    from sql.context import Context
    from sql.engine import Engine

Row = tuple[object, ...]

INFORMATION_SCHEMA = "information_schema"


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks, and of which snapshot."""

    reader: Reader
    context: Context
    engine: Engine

    def seen(self, lister: Lister[Named]) -> Iterator[tuple[str, Named]]:
        """The tables, views or streams that the user may know of, with their databases (Doris: information_schema)."""
        return seen(lister, self.reader.catalog, self.context)

    def moment(self, unix_ms: int) -> datetime.datetime:
        """A moment in the session's time zone, without zone."""
        return local_time(unix_ms, self.context.variables.zone)


Fill = Callable[[Request], Iterable[Row] | str]


@dataclass(frozen=True, slots=True)
class SystemTable:
    """One table of information_schema (or mysql); `columns` are names and types in order."""

    name: str
    columns: tuple[tuple[str, DorisType], ...]
    fill: Fill
    database: str = INFORMATION_SCHEMA

    def read(self, reader: Reader, context: Context, engine: Engine) -> pa.Table | str:
        """The rows in the reader's snapshot: an Arrow table, or a DuckDB SELECT text with these columns."""
        content = self.fill(Request(reader, context, engine))
        return content if isinstance(content, str) else arrow(self.columns, content)


_TABLES: dict[tuple[str, str], SystemTable] = {}

_TYPES = {
    "text": STRING,
    "int": INT,
    "bigint": BIGINT,
    "boolean": BOOLEAN,
    "datetime": DATETIME,
    **{f"varchar{length}": varchar(length) for length in (1, 3, 8, 16, 20, 27, 32, 64, 80, 193, 256, 512, 2048)},
}

_ARROW = {"bigint": pa.int64(), "int": pa.int32(), "boolean": pa.bool_(), "datetime": pa.timestamp("us")}


def columns(text: str, default: str = "varchar512") -> tuple[tuple[str, DorisType], ...]:
    """Read a list of columns: ``NAME`` or ``NAME type``, separated by commas."""
    words = (item.split() for item in text.split(","))
    return tuple((word[0], _TYPES[word[1] if len(word) > 1 else default]) for word in words)


def system(name: str, column_list: str, database: str = INFORMATION_SCHEMA) -> Callable[[Fill], Fill]:
    """Register a reader function as a system table."""

    def register(fill: Fill) -> Fill:
        _TABLES[database, name] = SystemTable(name, columns(column_list), fill, database)
        return fill

    return register


def empty(name: str, column_list: str) -> None:
    """Register a table that never has rows here; tools only ask whether it exists."""
    system(name, column_list)(lambda request: ())


def lookup(name: str, database: str = INFORMATION_SCHEMA) -> SystemTable | None:
    """Find a table of information_schema (or mysql); names are case-insensitive."""
    return _TABLES.get((database.lower(), name.lower()))


def names(database: str = INFORMATION_SCHEMA) -> list[str]:
    """All tables of information_schema (or mysql)."""
    return sorted(name for owner, name in _TABLES if owner == database)


def arrow(described: Iterable[tuple[str, DorisType]], rows: Iterable[Row]) -> pa.Table:
    """Rows as an Arrow table with the types of their columns."""
    pairs = list(described)
    schema = pa.schema([(name, _ARROW.get(kind.name, pa.string())) for name, kind in pairs])
    values = list(zip(*rows, strict=True)) or [()] * len(pairs)
    arrays = [pa.array(column, field.type) for column, field in zip(values, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)
