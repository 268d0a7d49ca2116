"""Number the rows of a batch whose AUTO_INCREMENT column is left out or NULL.

Runs after conversion, before the commit; see storage/numbering.py for the numbers.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from storage.catalog.model import Table
from storage.database import Database
from storage.naming import physical


def numbered(database: Database, table: Table, rows: pa.Table) -> pa.Table:
    """The same rows with a number in each empty cell of an AUTO_INCREMENT column, in their order."""
    for column in table.columns:
        name = physical(column.name)
        if column.auto_increment is None or not rows[name].null_count:
            continue
        empty = rows[name].combine_chunks()
        taken = database.numbering.take(table, column, empty.null_count)
        numbers = pa.array(np.arange(taken.start, taken.stop), pa.int64())
        filled = pc.replace_with_mask(empty, pc.is_null(empty), numbers)
        rows = rows.set_column(rows.schema.get_field_index(name), name, filled)
    return rows
