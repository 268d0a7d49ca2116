"""The parts of a table and of a partition that are stored as one JSON text each: `details` of the system tables.

Rows and their columns are storage/catalog/store.py's matter; what is written here is read here.
"""

from __future__ import annotations

import json
from typing import Any

from storage.catalog.index import Index, Rollup
from storage.catalog.model import Partition, Partitioning, Table


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
    """LIST values, whether it is temporary, its properties."""
    return json.dumps([part.values, part.temporary, part.properties])


def read_partition_details(text: str) -> dict[str, Any]:
    """The arguments of `Partition` that `partition_details` wrote."""
    values, temporary, properties = json.loads(text)
    listed = None if values is None else tuple(tuple(value) for value in values)
    return {"values": listed, "temporary": temporary, "properties": pairs(properties)}


def partitioning_text(parting: Partitioning | None) -> str | None:
    """PARTITION BY as JSON; None for an unpartitioned table."""
    return json.dumps([parting.kind, parting.columns, parting.auto, parting.unit]) if parting else None


def read_partitioning(text: str | None) -> Partitioning | None:
    """What `partitioning_text` wrote."""
    if text is None:
        return None
    kind, columns, auto, unit = json.loads(text)
    return Partitioning(kind, tuple(columns), auto, unit)
