"""Cluster keys: ORDER BY | CLUSTER BY behind the key clause, an order of storage without meaning on one node.

Kept and shown. Pure. Source: Doris: CREATE TABLE, keys; Changelog, prerequisites; words of the errors:
apache/doris, CreateTableInfo.
"""

from __future__ import annotations

from collections.abc import Sequence

from sql.ddl.name import find_column
from sql.dialect.clause import KeyClause
from storage.catalog.model import Column
from storage.errors import (
    CLUSTER_KEY_COLUMN,
    CLUSTER_KEY_MERGE_ON_WRITE,
    CLUSTER_KEY_SAME,
    CLUSTER_KEY_TWICE,
    CLUSTER_KEY_TYPE,
)
from storage.types import STATES

_REFUSED = STATES | {"float", "double", "string", "json", "variant", "array", "map", "struct"}


def settle(clause: KeyClause | None, columns: Sequence[Column], merge_on_write: bool) -> tuple[int, ...]:
    """The uids of the cluster keys, none without the clause; that the model is UNIQUE was checked before."""
    names = [item.name for item in clause.args.get("cluster") or ()] if clause is not None else []
    if not names:
        return ()
    if not merge_on_write:
        raise CLUSTER_KEY_MERGE_ON_WRITE()
    found = [_column(name, columns) for name in names]
    uids = tuple(column.uid for column in found)
    if len(set(uids)) < len(uids):
        raise CLUSTER_KEY_TWICE(name=next(name for place, name in enumerate(names) if uids[place] in uids[:place]))
    keys = tuple(column.uid for column in columns if column.key)
    if uids == keys[: len(uids)] or keys == uids[: len(keys)]:
        raise CLUSTER_KEY_SAME()
    return uids


def _column(name: str, columns: Sequence[Column]) -> Column:
    column = find_column(columns, name, CLUSTER_KEY_COLUMN)
    if column.type.name in _REFUSED:
        raise CLUSTER_KEY_TYPE(type=column.type, name=name)
    return column
