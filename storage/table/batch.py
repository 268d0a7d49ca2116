"""A batch of rows on its way into a table: ordinals, last row of each key, what its columns hold.

Pure Arrow, done before any lock is taken. The batch's columns carry the physical names of
storage/naming.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa
import pyarrow.compute as pc

from storage import naming
from storage.catalog.model import Table
from storage.errors import UNKNOWN_PARTITION_ID

ORDINAL = naming.PREFIX + "ordinal"  # BIGINT: place of the row in its batch


@dataclass(frozen=True)
class Prepared:
    """Rows ready to be written to `table`; `affected` counts them before rows of one key were merged."""

    table: Table
    rows: pa.Table
    affected: int

    @cached_property
    def parts(self) -> list[int]:
        """The partition ids that occur."""
        return sorted(pc.unique(self.rows[naming.PART]).to_pylist())

    @cached_property
    def nullable_keys(self) -> frozenset[str]:
        """Physical names of key columns that hold a NULL here; only they need the null-safe comparison."""
        names = [naming.physical(column.name) for column in self.table.keys]
        return frozenset(name for name in names if self.rows[name].null_count)

    def check_partitions(self) -> None:
        """Every row must belong to a partition that is still there."""
        known = {part.id for part in self.table.visible_partitions}
        for part in self.parts:
            if part not in known:
                raise UNKNOWN_PARTITION_ID(id=part)

    def has(self, name: str) -> bool:
        return name in self.rows.column_names


def prepare(table: Table, rows: pa.Table) -> Prepared:
    """Number the rows; on a Unique Key table keep the last row of each key (table-models R22)."""
    affected = rows.num_rows
    numbered = rows.append_column(ORDINAL, pa.arange(0, affected))
    if table.is_unique and affected > 1:
        numbered = _last_of_each_key(numbered, [naming.physical(column.name) for column in table.keys])
    prepared = Prepared(table, numbered, affected)
    prepared.check_partitions()
    return prepared


def _last_of_each_key(rows: pa.Table, keys: list[str]) -> pa.Table:
    if len(keys) == 1 and len(pc.unique(_storage(rows[keys[0]]))) == rows.num_rows:
        return rows  # three times faster than grouping, and the usual case
    columns = {f"k{place}": _storage(rows[key]) for place, key in enumerate(keys)}
    keyed = pa.table({**columns, ORDINAL: rows[ORDINAL]})
    last = keyed.group_by(list(columns), use_threads=False).aggregate([(ORDINAL, "max")])[f"{ORDINAL}_max"]
    if len(last) == rows.num_rows:
        return rows
    return rows.take(last.take(pc.sort_indices(last)))


def _storage(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The plain values of an extension column (LARGEINT, BOOLEAN), which Arrow cannot group by."""
    if not isinstance(column.type, pa.BaseExtensionType):
        return column
    return pa.chunked_array([chunk.storage for chunk in column.chunks], column.type.storage_type)
