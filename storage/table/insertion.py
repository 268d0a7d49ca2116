"""Insert the rows of a batch as they are: all that is stored is in the Arrow table, so that little is left to plan."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from storage import naming
from storage.catalog.physical import hidden
from storage.cursor import Cursor
from storage.errors import STORAGE_FAILURE
from storage.naming import OP
from storage.rows import chained
from storage.table.batch import Prepared


def insert(cursor: Cursor, batch: Prepared, before: Sequence[str], begun: np.ndarray | None = None) -> None:
    """Insert the rows of a stamped batch (storage/table/stamp.py), but for those that only remove their key.

    `before`: writes that are done with it, in one statement. `begun`: OP of each row; 0, an insert, where it is left
    out. BY NAME, since ADD COLUMN puts columns behind the hidden ones; a hidden sequence column may be missing.
    """
    batch = batch.with_columns({OP: pa.array(np.zeros(len(batch.rows), np.int8) if begun is None else begun)})
    columns = [naming.physical(column.name) for column in batch.table.columns]
    columns += [name for name, _ in hidden(batch.table) if batch.has(name)]
    lacking = [name for name in columns if not batch.has(name)]
    if lacking:
        raise STORAGE_FAILURE(reason=f"the rows lack column [{lacking[0]}]")
    rows = batch.kept
    statements = [*before]
    if rows.num_rows:
        source = cursor.source(rows.select(columns))
        statements.append(f"INSERT INTO {naming.current(batch.table.id)} BY NAME SELECT * FROM {source}")
    if statements:
        cursor.execute(chained(statements))
