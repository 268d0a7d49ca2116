"""A batch of rows on its way into a table: ordinals, one row of each key, what its columns hold.

Pure: Arrow tables and pieces of SQL, no DuckDB; most batches are prepared before any lock is taken. Columns carry the
physical names of storage/naming.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from storage import naming
from storage.catalog.model import Model, Table
from storage.catalog.sequence import sequence_of
from storage.cells import truths
from storage.errors import UNKNOWN_PARTITION_ID
from storage.table.winner import are_distinct, winners
from storage.work import Partial

ORDINAL = naming.PREFIX + "ordinal"  # BIGINT: place of the row in its batch


@dataclass(frozen=True)
class Prepared:
    """Rows ready to be written to `table`; `affected` counts them before rows of one key were merged.

    `distinct`: no two rows have equal keys; only looked for where a write can save work by it (Aggregate Key).
    """

    table: Table
    rows: pa.Table
    affected: int
    distinct: bool = False
    partial: Partial | None = None

    @cached_property
    def parts(self) -> list[int]:
        """The partition ids that occur."""
        return parts_of(self.rows)

    @cached_property
    def keys(self) -> list[str]:
        """The physical names of the key columns."""
        return key_names(self.table)

    @cached_property
    def nullable_keys(self) -> frozenset[str]:
        """Those that hold a NULL here; only they need the null-safe comparison."""
        return frozenset(name for name in self.keys if self.rows[name].null_count)

    def check_partitions(self) -> None:
        """Every row must belong to a partition that is still there; a temporary one counts."""
        known = {part.id for part in self.table.partitions if part.dropped_at is None}
        for part in self.parts:
            if part not in known:
                raise UNKNOWN_PARTITION_ID(id=part)

    def has(self, name: str) -> bool:
        return bool(self.rows.schema.get_field_index(name) >= 0)  # ten times as fast as looking through the names

    def with_columns(self, columns: Mapping[str, pa.Array | pa.ChunkedArray]) -> Prepared:
        """The same rows with more columns, or others of these names."""
        rows = self.rows
        for name, values in columns.items():
            place = rows.schema.get_field_index(name)
            rows = rows.append_column(name, values) if place < 0 else rows.set_column(place, name, values)
        return replace(self, rows=rows)

    def places(self, ordinals: pa.ChunkedArray) -> np.ndarray:
        """Where the rows of these ordinals stand among the rows."""
        places = np.zeros(self.affected, np.int64)
        places[self.rows[ORDINAL].to_numpy()] = np.arange(self.rows.num_rows)
        found: np.ndarray = places[ordinals.to_numpy()]
        return found

    @property
    def kept(self) -> pa.Table:
        """The rows that are to be there afterwards: all but those that only remove their key."""
        if not self.has(naming.DELETE):
            return self.rows
        deletes = truths(self.rows[naming.DELETE])
        return self.rows.filter(pc.invert(deletes)) if pc.any(deletes).as_py() else self.rows

    def has_key(self, stored: str, source: str) -> str:
        """The condition that the batch `source` has the key of a row of `stored`, an alias no user column can have.

        A number that is written out is planned faster than IN, and this faster than EXISTS. None of them reads more
        than the keys; a join would read all columns.
        """
        if len(self.keys) == 1 and not self.nullable_keys and not self._has_hidden:
            name, values = naming.quote(self.keys[0]), self.rows[self.keys[0]]
            if len(values) == 1 and pa.types.is_integer(values.type):
                return f"{stored}.{name} = {values[0].as_py()}"
            return f"{stored}.{name} IN (SELECT CAST({name} AS {self.table.keys[0].type.duckdb}) FROM {source})"
        return f"EXISTS (SELECT 1 FROM {source} s WHERE {self.same_key(stored, 's')})"

    @property
    def _has_hidden(self) -> bool:
        """Whether a key of the batch may also live in the recycle bin."""
        return len(self.table.visible_partitions) < len(self.table.partitions)

    def same_key(self, left: str, right: str) -> str:
        """The key comparison, null-safe only where this batch has a NULL: `=` keeps the zone maps useful."""
        terms = []
        for name in self.keys:
            equal = "IS NOT DISTINCT FROM" if name in self.nullable_keys else "="
            terms.append(f"{left}.{naming.quote(name)} {equal} {right}.{naming.quote(name)}")
        if self._has_hidden:
            terms.append(f"{left}.{naming.PART} = {right}.{naming.PART}")
        return " AND ".join(terms)


def parts_of(rows: pa.Table) -> list[int]:
    """The partition ids that occur, ascending."""
    ids = rows[naming.PART]
    return [ids[0].as_py()] if len(ids) == 1 else sorted(pc.unique(ids).to_pylist())


def key_names(table: Table) -> list[str]:
    """The physical names of the key columns."""
    return [naming.physical(column.name) for column in table.keys]


def prepare(table: Table, rows: pa.Table, partial: Partial | None = None) -> Prepared:
    """Number the rows; on a Unique Key table keep one row of each key (storage/table/winner.py).

    Rows that each name columns of their own are kept all: they accumulate (storage/table/flexible.py).
    """
    affected = rows.num_rows
    numbered = rows.append_column(ORDINAL, pa.arange(0, affected))
    keys = key_names(table)
    if table.is_unique and affected > 1 and not (partial and partial.flexible):
        numbered = winners(numbered, keys, _sequence_in(table, rows))
    distinct = table.model is Model.AGGREGATE and are_distinct(numbered, keys)
    prepared = Prepared(table, numbered, affected, distinct, partial)
    prepared.check_partitions()
    return prepared


def _sequence_in(table: Table, rows: pa.Table) -> str | None:
    """The column of the batch that orders rows of one key, None when there is none."""
    sequence = sequence_of(table)
    given = sequence is not None and sequence.physical in rows.column_names
    return sequence.physical if sequence is not None and given else None
