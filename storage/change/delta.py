"""min_delta: the net change of each key between two moments, as state at hi against state at lo."""

from __future__ import annotations

from collections.abc import Sequence

from storage import naming
from storage.catalog.model import LIGHT_DELETE, Table
from storage.change.append import append_only
from storage.change.window import CHANGE_TYPE, SEQUENCE, STREAM_LSN, Scope, Window, names, scope, united
from storage.naming import DELETED, END_LSN, END_OP, END_TSO, LSN, PREFIX, REMOVED, TSO, quote, sql_name

_HAS_AFTER, _HAS_BEFORE, _LAST, _HI = (PREFIX + name for name in ("has_after", "has_before", "last", "hi"))


def min_delta(table: Table, windows: Sequence[Window]) -> str:
    """User columns and the three stream columns; all rows of a key carry the number of its last record.

    Absent then present: APPEND. Present and written: UPDATE_BEFORE and UPDATE_AFTER. Present then
    absent: DELETE with the value at lo. A Duplicate table has appends only (Doris: Table Stream, consume types).
    """
    if not table.is_unique:
        return append_only(table, windows)
    return united(table, windows, _branch)


def _branch(table: Table, windows: Sequence[Window]) -> str:
    bounds = scope(table, windows)
    keys = [sql_name(column.name) for column in table.keys]
    both = ", ".join(f"coalesce(af.{key}, bf.{key}) AS {key}" for key in keys)
    images = "".join(
        f", {side}.{sql_name(column.name)} AS {_image(side, column.name)}"
        for side in ("af", "bf")
        for column in table.values
    )
    same, later = _same_key(table, "af", "bf"), _same_key(table, "dl", "bf")
    living = f"CASE WHEN {_HAS_BEFORE} THEN 'UPDATE_AFTER' ELSE 'APPEND' END"
    ended = f"CASE WHEN {_HAS_AFTER} THEN 'UPDATE_BEFORE' ELSE 'DELETE' END"
    return (
        f"WITH af AS ({_after(table, bounds)}),\n"
        f"bf AS ({_before(table, bounds)}),\n"
        f"dl AS ({_last_delete(table, bounds)}),\n"
        f"r AS MATERIALIZED (SELECT {both},"
        f" af.{TSO} IS NOT NULL AS {_HAS_AFTER}, bf.{END_TSO} IS NOT NULL AS {_HAS_BEFORE}{images},"
        f" coalesce(af.{TSO}, dl.{_LAST}.tso, bf.{END_TSO}) AS {SEQUENCE},"
        f" coalesce(af.{LSN}, dl.{_LAST}.lsn, bf.{END_LSN}) AS {LSN}\n"
        f" FROM af FULL JOIN bf ON {same} LEFT JOIN dl ON af.{TSO} IS NULL AND {later})\n"
        f"SELECT {_row(table, 'af', living, f'{_HAS_BEFORE}::INTEGER')} FROM r WHERE {_HAS_AFTER}\nUNION ALL\n"
        f"SELECT {_row(table, 'bf', ended, '0')} FROM r WHERE {_HAS_BEFORE}"
    )


def _same_key(table: Table, left: str, right: str) -> str:
    """Null-safe only where a key may be NULL: it costs a fifth of the read."""
    same = [(sql_name(column.name), "IS NOT DISTINCT FROM" if column.nullable else "=") for column in table.keys]
    return " AND ".join(f"{left}.{key} {test} {right}.{key}" for key, test in same)


def _image(side: str, column: str) -> str:
    return quote(f"{naming.PREFIX}{side}_{column}")


def _row(table: Table, side: str, change_type: str, half: str) -> str:
    columns = [
        sql_name(column.name) if column.key else f"{_image(side, column.name)} AS {sql_name(column.name)}"
        for column in table.columns
    ]
    return f"{', '.join(columns)}, {change_type} AS {CHANGE_TYPE}, {SEQUENCE}, 2 * {LSN} + {half} AS {STREAM_LSN}"


def _after(table: Table, bounds: Scope) -> str:
    """The version of each key that lives at hi and began inside the window."""
    columns = f"{', '.join(names(table))}, {TSO}, {LSN}"
    current, history = naming.current(table.id), naming.history(table.id)
    living = f"SELECT {columns} FROM {current}{bounds.join} WHERE {bounds.starts()}"
    if table.property(LIGHT_DELETE) is None:  # set to false later, it still has such rows
        return (
            f"{living} UNION ALL SELECT {columns} FROM {history}{bounds.join}"
            f" WHERE {END_TSO} > {bounds.hi} AND {END_TSO} > {bounds.low} AND {bounds.starts()}"
        )
    keys = ", ".join(sql_name(column.name) for column in table.keys)
    return (  # a silently removed row still is the last record of its key
        f"SELECT {columns} FROM (SELECT {columns}, NULL::BIGINT AS {END_TSO}, 0 AS {END_OP}, 0::BIGINT AS {_HI}"
        f" FROM {current}{bounds.join} WHERE {bounds.starts()}"
        f" UNION ALL SELECT {columns}, {END_TSO}, {END_OP}, {bounds.hi} AS {_HI} FROM {history}{bounds.join}"
        f" WHERE {END_TSO} > {bounds.low} AND {bounds.starts()})"
        f" QUALIFY row_number() OVER (PARTITION BY {keys} ORDER BY {TSO} DESC, {LSN} DESC) = 1"
        f" AND ({END_TSO} IS NULL OR {END_TSO} > {_HI} OR {END_OP} = {REMOVED})"
    )


def _before(table: Table, bounds: Scope) -> str:
    """The version of each key that lived at lo and ended inside the window."""
    columns = f"{', '.join(names(table))}, {END_TSO}, {END_LSN}"
    return (
        f"SELECT {columns} FROM {naming.history(table.id)}{bounds.join}"
        f" WHERE {bounds.ends()} AND {TSO} <= {bounds.lo} AND {END_OP} < {REMOVED}"
    )


def _last_delete(table: Table, bounds: Scope) -> str:
    """The last delete of keys that came and went again inside the window; only its number is needed."""
    keys = ", ".join(sql_name(column.name) for column in table.keys)
    return (
        f"SELECT {keys}, max({{'tso': {END_TSO}, 'lsn': {END_LSN}}}) AS {_LAST}"
        f" FROM {naming.history(table.id)}{bounds.join}"
        f" WHERE {bounds.ends()} AND {TSO} > {bounds.lo} AND {END_OP} = {DELETED} GROUP BY {keys}"
    )
