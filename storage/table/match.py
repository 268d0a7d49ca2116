"""Which row of a batch has the key of a stored row, found in Arrow: for few rows a join takes DuckDB longer to plan."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from storage.cells import comparable, plain
from storage.cursor import Cursor
from storage.errors import STORAGE_FAILURE
from storage.naming import quote
from storage.table.batch import Prepared

_PLACE = "place"
FEW_ROWS = 50
NOWHERE = pa.scalar(-1, pa.int32())


def matched(cursor: Cursor, batch: Prepared, old: pa.Table) -> np.ndarray:
    """For each stored row the place of the batch row with its key; NULL is a key as any other.

    There is one, at least one stored row, and none twice: they are those that a comparison with the batch has found.
    """
    there = old.select(batch.keys)
    keys = batch.rows.select(batch.keys)
    if keys.schema.types != there.schema.types:
        keys = _cast(cursor, batch)
    if len(keys) <= FEW_ROWS:
        found = _looked_up(keys, there)
    elif len(batch.keys) == 1:
        found = pc.fill_null(pc.index_in(plain(there[0]), value_set=plain(keys[0])), NOWHERE).to_numpy()
    else:
        found = _grouped(keys, there)
    if found.min() < 0:
        raise STORAGE_FAILURE(reason=f"a row of table [{batch.table.name}] has none of the keys it was found by")
    return found


def _looked_up(keys: pa.Table, there: pa.Table) -> np.ndarray:
    """The same by a dictionary: calls into Arrow are dearer than a few rows."""
    places = {key: place for place, key in enumerate(_cells(keys))}
    return np.array([places.get(key, -1) for key in _cells(there)])


def _cells(keys: pa.Table) -> Iterator[tuple[object, ...]]:
    return zip(*(comparable(plain(column)) for column in keys.columns), strict=True)


def _grouped(keys: pa.Table, there: pa.Table) -> np.ndarray:
    """The same for keys of several columns: the two rows of each group."""
    both = [pa.chunked_array([*plain(new).chunks, *plain(was).chunks]) for new, was in zip(keys, there, strict=True)]
    places = pa.array(np.arange(len(keys) + len(there)))
    numbered = pa.Table.from_arrays([*both, places], names=[*map(str, range(len(both))), _PLACE])
    grouped = numbered.group_by(numbered.column_names[:-1], use_threads=False)
    first_and_last = grouped.aggregate([(_PLACE, "min"), (_PLACE, "max")])
    first, last = (first_and_last[f"{_PLACE}_{edge}"].to_numpy() for edge in ("min", "max"))
    found = np.full(len(there), NOWHERE.as_py())
    are_two = (first < len(keys)) & (last >= len(keys))
    found[last[are_two] - len(keys)] = first[are_two]
    return found


def _cast(cursor: Cursor, batch: Prepared) -> pa.Table:
    """The keys in the types of the table; a batch may bring texts that DuckDB casts."""
    kinds = (column.type.duckdb for column in batch.table.keys)
    items = ", ".join(
        f"CAST({name} AS {kind}) AS {name}" for name, kind in zip(map(quote, batch.keys), kinds, strict=True)
    )
    return cursor.table(f"SELECT {items} FROM {cursor.source(batch.rows)}")
