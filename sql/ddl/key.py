"""Decide the model of a table and its key columns from the key clause and the columns.

Source: Doris: Data Models, overview; CREATE TABLE, keys; apache/doris: CreateTableInfo.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sql.ddl.column import Declared
from sql.ddl.type import COMPLEX
from sql.dialect.clause import KeyClause
from storage.catalog.model import Model
from storage.errors import (
    CLUSTER_KEY_MODEL,
    FIRST_COLUMN_NO_KEY,
    KEY_AGGREGATED,
    KEY_FLOAT,
    KEY_MISSING,
    KEY_NOT_PREFIX,
    KEY_TWICE,
    KEY_TYPE,
    STATE_KEY,
    VALUE_AGGREGATED,
    VALUE_NOT_AGGREGATED,
)
from storage.types import STATES, DorisType

_SHORT_KEY_COLUMNS = 3
_SHORT_KEY_BYTES = 36


@dataclass(frozen=True, slots=True)
class Keys:
    """The model, how many leading columns are keys, and whether there are cluster keys."""

    model: Model
    count: int
    clustered: bool = False


def settle(columns: Sequence[Declared], clause: KeyClause | None, properties: Mapping[str, str]) -> Keys:
    """Find model and keys; raises the errors of key clauses (Doris: CREATE TABLE, keys)."""
    if clause is not None:
        names = [name.name for name in clause.expressions]
        keys = Keys(Model(str(clause.args["kind"]).upper()), len(names), bool(clause.args.get("cluster")))
        _check_prefix(columns, names)
    else:
        keys = _implied(columns, properties)
    _check_columns(columns, keys)
    return keys


def _check_prefix(columns: Sequence[Declared], names: Sequence[str]) -> None:
    known = [column.name.lower() for column in columns]
    for index, name in enumerate(names):
        if name.lower() not in known:
            raise KEY_MISSING(name=name)
        if name.lower() in (earlier.lower() for earlier in names[:index]):
            raise KEY_TWICE(name=name)
        if known[index] != name.lower():
            raise KEY_NOT_PREFIX(index=index, key=name, column=columns[index].name)


def _implied(columns: Sequence[Declared], properties: Mapping[str, str]) -> Keys:
    """Without key clause: AGGREGATE when a column has an aggregation, else DUPLICATE."""
    marked = [column.name for column in columns if column.key]
    if any(column.aggregation for column in columns):
        marked = marked or [column.name for column in columns if not column.aggregation]
        _check_prefix(columns, marked)
        return Keys(Model.AGGREGATE, len(marked))
    if marked:
        _check_prefix(columns, marked)
        return Keys(Model.DUPLICATE, len(marked))
    if properties.get("enable_duplicate_without_keys_by_default", "").lower() == "true":
        return Keys(Model.DUPLICATE, 0)
    return Keys(Model.DUPLICATE, _short_key(columns))


def _short_key(columns: Sequence[Declared]) -> int:
    """The leading columns that make the short key index: at most 3 and 36 bytes, up to the first VARCHAR."""
    count, size = 0, 0
    for column in columns[:_SHORT_KEY_COLUMNS]:
        size += _index_bytes(column.type)
        if _unusable(column.type) is not None or (count and size > _SHORT_KEY_BYTES):
            break
        count += 1
        if column.type.name == "varchar":
            break
    if not count:
        raise FIRST_COLUMN_NO_KEY()
    return count


_INDEX_BYTES = {"boolean": 1, "tinyint": 1, "smallint": 2, "int": 4, "bigint": 8, "largeint": 16, "date": 4}


def _index_bytes(kind: DorisType) -> int:
    if kind.is_text:
        return min(kind.length or 20, 20) if kind.name == "varchar" else kind.length or 20
    if kind.name == "decimal":
        return 4 if (kind.precision or 0) <= 9 else 8 if (kind.precision or 0) <= 18 else 16
    return _INDEX_BYTES.get(kind.name, 8)


_KEY_TYPE_WORDS = {"string": "String Type", "json": "JsonType type", "variant": "Variant type"}


def _unusable(kind: DorisType) -> str | None:
    """The words with which Doris refuses this type as a key; None when it may be one."""
    if kind.name in ("float", "double"):
        return "Float or double"
    if kind.name in COMPLEX:
        return f"{kind.name.capitalize()} type"
    if kind.name in STATES:
        return f"{kind.name} type"
    return _KEY_TYPE_WORDS.get(kind.name)


_MODEL_WORDS = {Model.DUPLICATE: "DUP", Model.UNIQUE: "UNIQUE", Model.AGGREGATE: "AGG"}


def _check_columns(columns: Sequence[Declared], keys: Keys) -> None:
    for column in columns[: keys.count]:
        check_key(column)
    for column in columns[keys.count :]:
        if keys.model is Model.AGGREGATE and column.aggregation is None:
            raise VALUE_NOT_AGGREGATED(name=column.name)
        if keys.model is not Model.AGGREGATE and column.aggregation is not None:
            raise VALUE_AGGREGATED(model=_MODEL_WORDS[keys.model], name=column.name)
    if keys.clustered and keys.model is not Model.UNIQUE:
        raise CLUSTER_KEY_MODEL()


def check_key(column: Declared) -> None:
    """Refuse a key column with an aggregation or of a type that orders no keys."""
    if column.aggregation is not None:
        raise KEY_AGGREGATED(name=column.name)
    if column.type.name in STATES:
        raise STATE_KEY(name=column.name)
    words = _unusable(column.type)
    if words == "Float or double":
        raise KEY_FLOAT()
    if words is not None:
        raise KEY_TYPE(type=words, name=column.name)
