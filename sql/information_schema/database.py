"""System tables of databases, tables and columns (Doris: information_schema)."""

from __future__ import annotations

from collections.abc import Iterator

from sql.bind.name import SYSTEM_DATABASES
from sql.ddl.show_create import shown_default
from sql.information_schema import table as register
from sql.information_schema.partition import row_count
from sql.information_schema.table import INFORMATION_SCHEMA, Request, Row, system
from sql.privilege import sees_database
from storage.catalog.catalog import Catalog
from storage.catalog.model import Model, Table
from storage.types import DorisType

_COLLATION = "utf8mb4_0900_bin"


@system(
    "schemata",
    "CATALOG_NAME, SCHEMA_NAME varchar64, DEFAULT_CHARACTER_SET_NAME varchar32, DEFAULT_COLLATION_NAME varchar32,"
    "SQL_PATH, DEFAULT_ENCRYPTION varchar3",
)
def schemata(request: Request) -> Iterator[Row]:
    catalog = request.reader.catalog
    own = (e.name for e in catalog.databases.values() if sees_database(catalog, request.context, e.name))
    for name in sorted((*own, *SYSTEM_DATABASES)):
        yield ("internal", name, "utf8mb4", _COLLATION, None, None)


@system(
    "views",
    "TABLE_CATALOG, TABLE_SCHEMA varchar64, TABLE_NAME varchar64, VIEW_DEFINITION text, CHECK_OPTION varchar8,"
    "IS_UPDATABLE varchar3, DEFINER varchar80, SECURITY_TYPE varchar8, CHARACTER_SET_CLIENT varchar32,"
    "COLLATION_CONNECTION varchar32",
)
def views(request: Request) -> Iterator[Row]:
    for database, view in request.seen(Catalog.views_of):
        tail = ("NONE", "NO", "root@%", "DEFINER", "utf8mb4", _COLLATION)
        yield ("internal", database, view.name, view.query, *tail)


@system(
    "tables",
    "TABLE_CATALOG, TABLE_SCHEMA varchar64, TABLE_NAME varchar64, TABLE_TYPE varchar64, ENGINE varchar64,"
    "VERSION bigint, ROW_FORMAT varchar16, TABLE_ROWS bigint, AVG_ROW_LENGTH bigint, DATA_LENGTH bigint,"
    "MAX_DATA_LENGTH bigint, INDEX_LENGTH bigint, DATA_FREE bigint, AUTO_INCREMENT bigint, CREATE_TIME datetime,"
    "UPDATE_TIME datetime, CHECK_TIME datetime, TABLE_COLLATION varchar32, CHECKSUM bigint, CREATE_OPTIONS varchar256,"
    "TABLE_COMMENT varchar2048",
)
def tables(request: Request) -> Iterator[Row]:
    seen = list(request.seen(Catalog.tables_of))
    counts = request.reader.row_counts(found.id for _, found in seen)
    for database, found in seen:
        sizes = (None, None, row_count(found, counts), 0, 0, None, None, None, None)
        times = (request.moment(found.created_ms), None, None)
        tail = (*times, "utf-8", None, None, found.comment)
        yield ("internal", database, found.name, "BASE TABLE", "Doris", *sizes, *tail)
    nothing = (None,) * 15
    for database, view in request.seen(Catalog.views_of):
        yield ("internal", database, view.name, "VIEW", "View", *nothing, view.comment)
    for name in register.names():
        yield ("internal", INFORMATION_SCHEMA, name, "SYSTEM VIEW", "MEMORY", *nothing, "")


@system(
    "columns",
    "TABLE_CATALOG, TABLE_SCHEMA varchar64, TABLE_NAME varchar64, COLUMN_NAME varchar64, ORDINAL_POSITION bigint,"
    "COLUMN_DEFAULT text, IS_NULLABLE varchar3, DATA_TYPE varchar64, CHARACTER_MAXIMUM_LENGTH bigint,"
    "CHARACTER_OCTET_LENGTH bigint, NUMERIC_PRECISION bigint, NUMERIC_SCALE bigint, DATETIME_PRECISION bigint,"
    "CHARACTER_SET_NAME varchar32, COLLATION_NAME varchar32, COLUMN_TYPE text, COLUMN_KEY varchar3, EXTRA varchar27,"
    "PRIVILEGES varchar80, COLUMN_COMMENT varchar2048, COLUMN_SIZE bigint, DECIMAL_DIGITS bigint,"
    "GENERATION_EXPRESSION text, SRS_ID bigint",
)
def columns(request: Request) -> Iterator[Row]:
    """Tables, streams (the columns of their base), and the system tables themselves."""
    catalog = request.reader.catalog
    for database, found in request.seen(Catalog.tables_of):
        yield from _column_rows(database, found.name, found)
    for database, view in request.seen(Catalog.views_of):
        for ordinal, (name, kind, comment) in enumerate(view.columns, 1):
            yield _column_row((database, view.name, name, ordinal), None, True, kind, "", comment)
    for database, stream in request.seen(Catalog.streams_of):
        base = catalog.live_table(stream.base_id)
        yield from () if base is None else _column_rows(database, stream.name, base)
    for name in register.names():
        found_table = register.lookup(name)
        for ordinal, (column, kind) in enumerate(found_table.columns if found_table else (), 1):
            yield _column_row((INFORMATION_SCHEMA, name, column, ordinal), None, True, kind, "", "")


_KEY_WORDS = {Model.DUPLICATE: "DUP", Model.UNIQUE: "UNI", Model.AGGREGATE: "AGG"}


def _column_rows(database: str, name: str, found: Table) -> Iterator[Row]:
    for ordinal, column in enumerate(found.columns, 1):
        place = (database, name, column.name, ordinal)
        key = _KEY_WORDS[found.model] if column.key else ""
        yield _column_row(place, shown_default(column), column.nullable, column.type, key, column.comment)


def _column_row(
    place: tuple[str, str, str, int], default: str | None, nullable: bool, kind: DorisType, key: str, comment: str
) -> Row:
    length = _length(kind)
    precision, scale = _numeric(kind)
    charset = ("utf8mb4", _COLLATION) if kind.is_text else (None, None)
    fraction = kind.scale or 0 if kind.name == "datetime" else None
    head = ("internal", *place, default, "YES" if nullable else "NO", data_type(kind))
    sizes = (length, length, precision, scale, fraction, *charset)
    tail = (str(kind), key, "", "", comment, precision if length is None else length, scale, None, None)
    return (*head, *sizes, *tail)


def data_type(kind: DorisType) -> str:
    """MySQL's base name of a type: what drivers map to their own types."""
    names = {"boolean": "tinyint", "largeint": "bigint unsigned", "string": "text"}
    return names.get(kind.name, kind.name)


def _length(kind: DorisType) -> int | None:
    return (kind.length or kind.width) if kind.is_text else None


_DIGITS = {"boolean": 1, "tinyint": 3, "smallint": 5, "int": 10, "bigint": 19, "largeint": 39, "float": 7, "double": 15}


def _numeric(kind: DorisType) -> tuple[int | None, int | None]:
    if kind.name == "decimal":
        return kind.precision, kind.scale
    return _DIGITS.get(kind.name), 0 if kind.is_integer or kind.name == "boolean" else None
