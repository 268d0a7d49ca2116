"""Write one batch to its table, whatever the table's model."""

from __future__ import annotations

from storage.catalog.model import Model
from storage.cursor import Cursor
from storage.table import aggregate, duplicate, unique
from storage.table.batch import Prepared
from storage.table.key_bound import KeyBounds
from storage.table.opening import Opening


def write(
    cursor: Cursor, batch: Prepared, opening: Opening, bounds: KeyBounds, *, statement_delete: bool = False
) -> None:
    """Upsert, append or merge the rows of a stamped batch; `statement_delete` as in storage/table/unique.py."""
    model = batch.table.model
    if model is Model.UNIQUE:
        unique.write(cursor, batch, opening, bounds, statement_delete=statement_delete)
    elif model is Model.DUPLICATE:
        duplicate.append(cursor, batch, opening)
    else:
        aggregate.write(cursor, batch, opening)
