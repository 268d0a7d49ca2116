"""Images of a table: as of a TSO per partition, and the current one as a stream's initial rows."""

from __future__ import annotations

from collections.abc import Mapping

from storage import naming
from storage.catalog.model import Table
from storage.change.window import STREAM_COLUMNS, Window, empty, names, scope, stream_columns
from storage.naming import END_OP, END_TSO, PART, PREFIX, REMOVED, TSO
from storage.rows import relation

_START_PART, _START = PREFIX + "start_part", PREFIX + "start"


def image(table: Table, tsos: Mapping[int, int]) -> str:
    """Rows as they were at a TSO, given per partition id: user columns and the commit TSO of the row.

    A Duplicate table has its current rows only: rows that DELETE removed are missing from past
    images (Doris: Incremental Query, time travel). Partitions that are not named contribute nothing.
    """
    if not tsos:
        return empty(table, [(TSO, "BIGINT")])
    bounds = scope(table, [Window(part, 0, tso) for part, tso in tsos.items()])
    only = f" AND {bounds.parts}" if bounds.parts else ""
    columns = ", ".join([*names(table), TSO])
    living = f"SELECT {columns} FROM {naming.current(table.id)}{bounds.join} WHERE {TSO} <= {bounds.hi}{only}"
    if not table.is_unique or table.changelog is None:
        return living
    least = min(tsos.values())
    return (
        f"{living}\nUNION ALL SELECT {columns} FROM {naming.history(table.id)}{bounds.join}"
        f" WHERE {END_TSO} > {bounds.hi} AND {END_TSO} > {least} AND {TSO} <= {bounds.hi}"
        f" AND {END_OP} < {REMOVED}{only}"
    )


def initial(table: Table, parts: Mapping[int, int]) -> str:
    """Current rows of the partitions as APPEND; each with the sequence TSO given for its partition, LSN 0."""
    if not parts:
        return empty(table, STREAM_COLUMNS)
    values = relation(list(parts.items()), ("INTEGER", "BIGINT"))
    columns = [*names(table), stream_columns("'APPEND'", _START, "0::BIGINT")]
    starts = f"{values} b({_START_PART}, {_START}) ON {_START_PART} = {PART}"
    return f"SELECT {', '.join(columns)} FROM {naming.current(table.id)} JOIN {starts}"
