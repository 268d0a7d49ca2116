"""Indexes in DDL: of CREATE TABLE, CREATE INDEX, DROP INDEX and ALTER TABLE. Pure.

An index is kept and shown and changes no result. Source: Doris: CREATE INDEX; words of the errors: apache/doris,
IndexDefinition and SchemaChangeHandler.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sqlglot import exp

from sql.ddl.name import find_column
from sql.ddl.partition import Stamp
from sql.dialect.clause import pairs
from storage.catalog.index import Index
from storage.catalog.model import Column, Model, Table
from storage.errors import (
    INDEX_COLUMN,
    INDEX_COLUMN_COUNT,
    INDEX_COLUMN_MODEL,
    INDEX_COLUMN_TYPE,
    INDEX_EXISTS,
    INDEX_MISSING,
    INDEX_NGRAM,
    INDEX_SAME,
)
from storage.types import STATES

_METHODS = {"BITMAP": "INVERTED"}  # Doris: enable_create_bitmap_index_as_inverted_index
_REFUSED = {
    "INVERTED": STATES | {"float", "double", "json", "map", "struct"},
    "NGRAM_BF": frozenset[str](),
    "ANN": frozenset[str](),
}


def added(table: Table, clause: exp.Expr) -> Table:
    """The table with the index of an INDEX clause or a CREATE INDEX; raises INDEX_…."""
    name = clause.name
    if any(index.name.lower() == name.lower() for index in table.indexes):
        if clause.args.get("exists"):
            return table
        raise INDEX_EXISTS(name=name)
    given = str(clause.args.get("method") or "INVERTED").upper()
    method = _METHODS.get(given, given)
    columns = [find_column(table.columns, item.name, INDEX_COLUMN) for item in clause.expressions]
    if len(columns) != 1:
        raise INDEX_COLUMN_COUNT(method=method)
    properties = pairs(clause.args.get("properties"))
    _check(table, columns[0], method, dict(properties))
    comment = clause.args.get("comment")
    made = Index(name, (columns[0].uid,), method, properties, comment.name if comment is not None else "")
    return replace(table, indexes=(*table.indexes, made))


def _check(table: Table, column: Column, method: str, properties: dict[str, str]) -> None:
    for index in table.indexes:
        if (index.method, index.columns, dict(index.properties)) == (method, (column.uid,), properties):
            raise INDEX_SAME(method=method, column=column.name)
    if table.model is Model.AGGREGATE and not column.key:
        raise INDEX_COLUMN_MODEL(method=method, column=column.name)
    if column.type.name in _REFUSED[method] or (method == "NGRAM_BF" and not column.type.is_text):
        raise INDEX_COLUMN_TYPE(method=method, type=column.type, column=column.name)
    if method == "NGRAM_BF" and not all(properties.get(key, "1").isdigit() for key in ("gram_size", "bf_size")):
        raise INDEX_NGRAM()


def add(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """ADD INDEX as an action of ALTER TABLE."""
    return added(table, action.this)


def drop(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """DROP INDEX as an action of ALTER TABLE."""
    return dropped(table, action.name, bool(action.args.get("exists")))


def dropped(table: Table, name: str, exists: bool) -> Table:
    """The table without an index; `exists`: it need not be there."""
    kept = tuple(index for index in table.indexes if index.name.lower() != name.lower())
    if len(kept) == len(table.indexes) and not exists:
        raise INDEX_MISSING(name=name)
    return replace(table, indexes=kept)


def without_column(indexes: Iterable[Index], uid: int) -> tuple[Index, ...]:
    """The indexes that stay when a column goes (Doris: an index goes with its column)."""
    return tuple(index for index in indexes if uid not in index.columns)
