"""Rows of an AUTO PARTITION table that have no partition yet: make what they need, in the same transaction.

    batch with PART NULL and a KEY  ->  provisional partitions  ->  PART = their ids
    under the lock: change adds those still missing, route gives rows the ids of the ones that are there

So a failed statement leaves no partition behind, and two writers of one new value share the partition that the
first of them makes. Used by INSERT and by every load.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from sql.ddl.auto_partition import Key, added, settled, wanted
from sql.ddl.commit import stamp
from sql.ddl.literal import canonical
from sql.ddl.partition import partition_columns
from sql.ingest.partition import KEY
from storage.catalog.catalog import Catalog
from storage.catalog.model import Column, Partition, Table
from storage.config import MAX_AUTO_PARTITION_NUM
from storage.errors import TABLE_CHANGED
from storage.naming import PART
from storage.work import Batch, Change

if TYPE_CHECKING:
    from sql.engine import Engine


@dataclass(frozen=True, slots=True)
class Made:
    """The rows, each with a partition id, and the partitions among them that do not exist yet."""

    rows: pa.Table
    partitions: tuple[Partition, ...] = ()

    def batch(self, plain: Batch) -> Batch:
        """The batch of these rows, to be routed once more under the lock if partitions are missing."""
        batch = replace(plain, rows=self.rows)
        return replace(batch, route=lambda table: self.routed(table)) if self.partitions else batch

    def routed(self, table: Table) -> pa.Table:
        """The rows with the ids of the partitions that are there now."""
        return renumbered(self.rows, settled(table, self.partitions))

    def change(self, table_id: int) -> Change | None:
        """The catalog with the missing partitions; None when nothing is missing."""
        return creation(table_id, self.partitions) if self.partitions else None


def creation(table_id: int, partitions: Iterable[Partition]) -> Change:
    """Add these partitions to a table, but for those somebody else has made."""

    def change(catalog: Catalog) -> Catalog:
        table = catalog.live_table(table_id)
        if table is None:
            raise TABLE_CHANGED(table=table_id)
        return catalog.with_table(added(table, partitions))

    return change


def complete(engine: Engine, table: Table, rows: pa.Table) -> Made:
    """Give rows with a KEY a new partition; tables that are not AUTO pass unchanged."""
    if KEY not in rows.column_names:
        return Made(rows)
    encoded = rows.column(KEY).combine_chunks().dictionary_encode()
    plain = rows.drop_columns([KEY])
    if encoded.null_count == len(encoded):
        return Made(plain)
    keys = [_key(table, text) for text in encoded.dictionary.to_pylist()]
    parts = wanted(table, keys, stamp(engine), engine.config[MAX_AUTO_PARTITION_NUM])
    known = {_first(part): part.id for part in parts}
    ids = pa.array([known[key] for key in keys], pa.int32())
    filled = pc.coalesce(plain.column(PART), ids.take(encoded.indices))
    return Made(plain.set_column(plain.schema.get_field_index(PART), PART, filled), parts)


def _first(part: Partition) -> Key:
    """The key of a provisional partition."""
    if part.values is not None:
        return part.values[0]
    return part.lo.values if part.lo is not None else ()


def _key(table: Table, text: str) -> Key:
    values = zip(json.loads(text), partition_columns(table), strict=True)
    return tuple(None if value is None else _canonical(column, value) for value, column in values)


def _canonical(column: Column, value: str) -> str:
    return canonical(column.type, value) or value


def renumbered(rows: pa.Table, ids: Mapping[int, int]) -> pa.Table:
    """The rows with some partition ids replaced by others."""
    old = rows.column(PART).combine_chunks().dictionary_encode()
    new = pa.array([ids.get(part, part) for part in old.dictionary.to_pylist()], pa.int32())
    return rows.set_column(rows.schema.get_field_index(PART), PART, new.take(old.indices))
