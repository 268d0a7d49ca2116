"""detail: every record of a range; an update gives its row before and its row after."""

from __future__ import annotations

from collections.abc import Sequence

from storage import naming
from storage.catalog.model import Table
from storage.change.append import append_only
from storage.change.window import Window, names, scope, stream_columns, united
from storage.naming import END_LSN, END_OP, END_TSO, LSN, OP, REMOVED, SUPERSEDED, TSO, sql_name


def detail(table: Table, windows: Sequence[Window]) -> str:
    """User columns and the three stream columns, without a join; a Duplicate table has appends only.

    Without before images (need_historical_value=false) UPDATE_BEFORE and DELETE rows hold keys only.
    """
    if not table.is_unique:
        return append_only(table, windows)
    return united(table, windows, _branch)


def _branch(table: Table, windows: Sequence[Window]) -> str:
    bounds = scope(table, windows)
    current, history = naming.current(table.id), naming.history(table.id)
    after = f"CASE {OP} WHEN 0 THEN 'APPEND' ELSE 'UPDATE_AFTER' END"
    before = f"CASE {END_OP} WHEN {SUPERSEDED} THEN 'UPDATE_BEFORE' ELSE 'DELETE' END"
    begun = f"{', '.join(names(table))}, {_started(after)}"
    ended = f"{', '.join(before_images(table))}, {stream_columns(before, END_TSO, END_LSN)}"
    return (
        f"SELECT {begun} FROM {current}{bounds.join} WHERE {bounds.starts()}\n"
        f"UNION ALL SELECT {begun} FROM {history}{bounds.join} WHERE {bounds.starts()} AND {END_TSO} > {bounds.low}\n"
        f"UNION ALL SELECT {ended} FROM {history}{bounds.join} WHERE {bounds.ends()} AND {END_OP} < {REMOVED}"
    )


def _started(change_type: str) -> str:
    """Appends are the first half of their number, UPDATE_AFTER the second."""
    plain = stream_columns(change_type, TSO, LSN)
    return plain.replace(f"2 * {LSN} AS", f"2 * {LSN} + {OP} AS")


def before_images(table: Table) -> list[str]:
    """The columns of an ended version as the records may show them: keys only without history."""
    if table.changelog is not None and table.changelog.history:
        return names(table)
    return [
        sql_name(column.name) if column.key else f"NULL::{column.type.duckdb} AS {sql_name(column.name)}"
        for column in table.columns
    ]
