"""The parts of catalog objects that are stored as JSON: types, partitioning, distribution, `details`.

Rows and their columns are storage/catalog/record.py's matter; what is written here is read here.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from storage.catalog.index import Index, Rollup
from storage.catalog.model import Distribution, Partition, Partitioning, Table
from storage.types import DorisType


def table_details(table: Table) -> str:
    """Indexes, rollups, cluster keys and the session of a temporary table."""
    indexes = [[i.name, i.columns, i.method, i.properties, i.comment] for i in table.indexes]
    rollups = [[r.name, r.columns, r.keys, r.properties] for r in table.rollups]
    return json.dumps([indexes, rollups, table.cluster_keys, table.session])


def read_table_details(text: str) -> dict[str, Any]:
    """The arguments of `Table` that `table_details` wrote."""
    indexes, rollups, cluster_keys, session = json.loads(text)
    return {
        "indexes": tuple(Index(name, tuple(cols), how, pairs(given), note) for name, cols, how, given, note in indexes),
        "rollups": tuple(Rollup(name, tuple(cols), tuple(keys), pairs(given)) for name, cols, keys, given in rollups),
        "cluster_keys": tuple(cluster_keys),
        "session": session,
    }


def pairs(items: list[list[str]]) -> tuple[tuple[str, str], ...]:
    """Property pairs from JSON."""
    return tuple((key, value) for key, value in items)


def partition_details(part: Partition) -> str:
    """LIST values, whether it is temporary, its properties, its number of buckets."""
    return json.dumps([part.values, part.temporary, part.properties, part.buckets])


def read_partition_details(text: str) -> dict[str, Any]:
    """The arguments of `Partition` that `partition_details` wrote."""
    values, temporary, properties, *more = json.loads(text)  # databases of before have no buckets
    listed = None if values is None else tuple(tuple(value) for value in values)
    buckets = more[0] if more else None
    return {"values": listed, "temporary": temporary, "properties": pairs(properties), "buckets": buckets}


def partitioning_text(parting: Partitioning | None) -> str | None:
    """PARTITION BY as JSON; None for an unpartitioned table."""
    return json.dumps([parting.kind, parting.columns, parting.auto, parting.unit]) if parting else None


def read_partitioning(text: str | None) -> Partitioning | None:
    """What `partitioning_text` wrote."""
    if text is None:
        return None
    kind, columns, auto, unit = json.loads(text)
    return Partitioning(kind, tuple(columns), auto, unit)


def distribution_text(spread: Distribution | None) -> str | None:
    """DISTRIBUTED BY as JSON; None without it."""
    return json.dumps([spread.kind, spread.columns, spread.buckets]) if spread else None


def read_distribution(text: str | None) -> Distribution | None:
    """What `distribution_text` wrote."""
    if text is None:
        return None
    kind, columns, buckets = json.loads(text)
    return Distribution(kind, tuple(columns), buckets)


def type_to_json(kind: DorisType) -> list[object]:
    """A type as a JSON value."""
    children = [[name, type_to_json(child)] for name, child in kind.children]
    rest = [kind.function, kind.comments] if kind.comments else [kind.function] if kind.function else []
    return [kind.name, kind.length, kind.precision, kind.scale, children, *rest]


def type_from_json(data: Sequence[object]) -> DorisType:
    """What `type_to_json` wrote."""
    parts: tuple[Any, ...] = tuple(data)
    name, length, precision, scale, children, *rest = parts
    inner = tuple((field, type_from_json(kind)) for field, kind in children)
    function, comments = rest[0] if rest else "", tuple(rest[1]) if len(rest) > 1 else ()
    return DorisType(name, length, precision, scale, inner, function, comments)
