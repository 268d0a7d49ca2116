"""append_only: the insert records of a range; updates and deletes never show."""

from __future__ import annotations

from collections.abc import Sequence

from storage import naming
from storage.catalog.model import Table
from storage.change.window import Window, names, scope, stream_columns, united
from storage.naming import END_TSO, LSN, OP, TSO


def append_only(table: Table, windows: Sequence[Window]) -> str:
    """Rows as they were inserted, changed since or not: user columns and the three stream columns."""
    return united(table, windows, _branch)


def _branch(table: Table, windows: Sequence[Window]) -> str:
    bounds = scope(table, windows)
    columns = ", ".join([*names(table), stream_columns("'APPEND'", TSO, LSN)])
    current, history = naming.current(table.id), naming.history(table.id)
    return (
        f"SELECT {columns} FROM {current}{bounds.join} WHERE {bounds.starts()} AND {OP} = 0\n"
        f"UNION ALL SELECT {columns} FROM {history}{bounds.join}"
        f" WHERE {bounds.starts()} AND {OP} = 0 AND {END_TSO} > {bounds.low}"
    )
