"""Sequence columns and the skip bitmap in DDL: properties of CREATE TABLE, ENABLE FEATURE, what may not change.

Pure functions; which row wins is storage's matter. Source: Doris: Concurrency Control for Updates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sqlglot import exp

from sql.ddl import table_property
from sql.ddl.column import Declared
from sql.ddl.name import find_column
from sql.ddl.partition import Stamp
from sql.dialect.clause import pairs
from storage.catalog.model import Column, Model, Table
from storage.catalog.sequence import MAPPED, SKIP_BITMAP, TYPED, TYPES, has_skip_bitmap, sequence_of, sequence_type
from storage.errors import (
    BATCH_DELETE_EXISTS,
    BATCH_DELETE_MODEL,
    FEATURE_TYPE_MISSING,
    FEATURE_UNKNOWN,
    SEQUENCE_BOTH,
    SEQUENCE_COLUMN,
    SEQUENCE_DROP,
    SEQUENCE_EXISTS,
    SEQUENCE_FEATURE_MODEL,
    SEQUENCE_MODEL,
    SEQUENCE_MODIFY,
    SEQUENCE_TYPE,
    SKIP_BITMAP_EXISTS,
    SKIP_BITMAP_MODEL,
    SKIP_BITMAP_PROPERTY,
)


def checked(
    given: Mapping[str, str], model: Model, columns: Sequence[Declared], merge_on_write: bool
) -> dict[str, str]:
    """The properties of a new table, a mapped column spelled as declared; raises the errors of sequence columns."""
    if table_property.switch(SKIP_BITMAP, given.get(SKIP_BITMAP, "false")) and not merge_on_write:
        raise SKIP_BITMAP_PROPERTY()
    if MAPPED not in given and TYPED not in given:
        return dict(given)
    if model is not Model.UNIQUE:
        raise SEQUENCE_MODEL()
    if MAPPED in given and TYPED in given:
        raise SEQUENCE_BOTH()
    if TYPED in given:
        return {**given, TYPED: _type(given[TYPED])}
    column = find_column(columns, given[MAPPED], SEQUENCE_COLUMN)
    if column.type.name not in TYPES:
        raise SEQUENCE_TYPE()
    return {**given, MAPPED: column.name}


def _type(text: str) -> str:
    if sequence_type(text) is None:
        raise SEQUENCE_TYPE()
    return text


# -- ALTER TABLE -----------------------------------------------------------------------------------
def enable_feature(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """ENABLE FEATURE "name" [WITH PROPERTIES (…)]."""
    given = dict(pairs(action.args.get("properties")))
    feature = _FEATURES.get(action.name.upper())
    if feature is None:
        raise FEATURE_UNKNOWN(name=action.name)
    added = feature(table, given)
    properties = {**dict(table.properties), **added}
    return replace(table, properties=tuple(properties.items()), schema_version=table.schema_version + 1)


def _sequence_load(table: Table, given: dict[str, str]) -> dict[str, str]:
    if table.model is not Model.UNIQUE:
        raise SEQUENCE_FEATURE_MODEL()
    if sequence_of(table) is not None:
        raise SEQUENCE_EXISTS()
    kind = given.pop(TYPED, None)
    if given:
        raise table_property.unknown_properties(given)
    if kind is None:
        raise FEATURE_TYPE_MISSING()
    return {TYPED: _type(kind)}


def _update_flexible_columns(table: Table, given: dict[str, str]) -> dict[str, str]:
    if not table.merge_on_write:
        raise SKIP_BITMAP_MODEL(table=table.name)
    if has_skip_bitmap(table):
        raise SKIP_BITMAP_EXISTS(table=table.name)
    return {SKIP_BITMAP: "true"}


def _batch_delete(table: Table, given: dict[str, str]) -> dict[str, str]:
    """Every Unique Key table has its delete sign from the start."""
    raise (BATCH_DELETE_EXISTS if table.is_unique else BATCH_DELETE_MODEL)()


_FEATURES: dict[str, Callable[[Table, dict[str, str]], dict[str, str]]] = {
    "SEQUENCE_LOAD": _sequence_load,
    "UPDATE_FLEXIBLE_COLUMNS": _update_flexible_columns,
    "BATCH_DELETE": _batch_delete,
}


def check_drop(table: Table, column: Column) -> None:
    """Refuse DROP COLUMN of the mapped column (Doris: Concurrency Control for Updates)."""
    if _is_mapped(table, column):
        raise SEQUENCE_DROP(column=column.name, table=table.name)


def check_modify(table: Table, column: Column) -> None:
    """Refuse MODIFY COLUMN of the mapped column: the sequence type never changes."""
    if _is_mapped(table, column):
        raise SEQUENCE_MODIFY(column=column.name, table=table.name)


def renamed(table: Table, old: Column, new: str) -> Table:
    """Let the mapping follow a RENAME COLUMN."""
    if not _is_mapped(table, old):
        return table
    return replace(table, properties=tuple({**dict(table.properties), MAPPED: new}.items()))


def _is_mapped(table: Table, column: Column) -> bool:
    sequence = sequence_of(table)
    return sequence is not None and sequence.column is not None and sequence.column.uid == column.uid
