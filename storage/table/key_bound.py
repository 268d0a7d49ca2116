"""Which rows bring new keys: those whose first key column lies above all that the table has ever held.

Ids and times mostly grow, and nobody has to look for a key that cannot be there. The bound is in memory, learned from
the table at its first write. Rows that go leave it too high, which costs a look. A transaction that fails makes it
forgotten: it may have been learned beside rows that were removed and came back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from storage import naming
from storage.catalog.model import Table
from storage.catalog.sequence import sequence_of
from storage.cells import numbered
from storage.cursor import Cursor
from storage.naming import sql_name
from storage.table.batch import Prepared

_ORDERED: dict[str, Callable[[pa.DataType], bool]] = {  # types, and in which Arrow form their order is known
    **dict.fromkeys(("tinyint", "smallint", "int", "bigint"), pa.types.is_integer),
    "date": pa.types.is_date32,
    "datetime": lambda kind: kind == pa.timestamp("us"),
}
_EMPTY = -(1 << 63) - 1  # below every number


class KeyBounds:
    """The bounds of the Unique Key tables that were written, by table id; one per open database."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, int]] = {}  # schema version, bound: another first key column is learned anew

    @contextmanager
    def learned(self, tables: Iterable[int]) -> Iterator[None]:
        """Around a transaction that writes these tables, under their locks: keep what it learns only if it succeeds."""
        try:
            yield
        except BaseException:
            for table in tables:
                self._known.pop(table, None)
            raise

    def sought(self, cursor: Cursor, batch: Prepared) -> Prepared:
        """The rows whose keys the table may have; all keys are noted: asked for every batch that is written.

        Under the table's write lock and in the transaction that writes. All rows where the order of the keys says
        nothing. Tables with a sequence column are always looked into: a key that is not there may have a delete mark.
        """
        table = batch.table
        is_ordered = _ORDERED.get(table.keys[0].type.name)
        if is_ordered is None or sequence_of(table) is not None:
            return batch
        column = batch.rows[batch.keys[0]]
        if not is_ordered(column.type):  # DuckDB casts such values, if it can: what they are is seen in the table
            self._known.pop(table.id, None)
            return batch
        values = numbered(column)
        low, high = (edge(values).as_py() for edge in (pc.min, pc.max))
        if low is None or high is None:
            return batch
        bound = self._bound(cursor, table)
        self._known[table.id] = table.schema_version, max(bound, high)
        if column.null_count or high <= bound:
            return batch
        rows = batch.rows
        return replace(batch, rows=rows.slice(0, 0) if low > bound else rows.filter(pc.less_equal(values, bound)))

    def _bound(self, cursor: Cursor, table: Table) -> int:
        version, bound = self._known.get(table.id, (None, _EMPTY))
        if version == table.schema_version:
            return bound
        name = sql_name(table.keys[0].name)
        largest = cursor.table(f"SELECT max({name}) AS largest FROM {naming.current(table.id)}")["largest"]
        found: int | None = numbered(largest)[0].as_py()
        return _EMPTY if found is None else found
