"""Refuse new keys of a partial update: all of them, or those that lack a column which needs a value.

Runs on the rows that storage/table/probe.py found, before anything is written. Rows that only
delete are exempt.
Source: Doris: Partial Column Update, partial_update_new_key_behavior.
"""

from __future__ import annotations

from storage import naming
from storage.catalog.model import Column
from storage.cursor import Cursor
from storage.errors import PARTIAL_COLUMN_REQUIRED, PARTIAL_NEW_KEY
from storage.naming import DELETE, ROW_ID, sql_name
from storage.table import flexible
from storage.table.batch import ORDINAL, Prepared


def check(cursor: Cursor, batch: Prepared) -> None:
    """Raise PARTIAL_NEW_KEY or PARTIAL_COLUMN_REQUIRED for the first new key that may not be."""
    assert batch.partial is not None
    new = [_is_new(batch), *([f"NOT coalesce(s.{DELETE}, false)"] if batch.has(DELETE) else [])]
    where = " AND ".join(new)
    found = cursor.source(batch.rows)
    if not batch.partial.append and (first := _first_key(cursor, batch, found, where)) is not None:
        raise PARTIAL_NEW_KEY(key=first)
    for column in batch.table.columns:
        if _lacks(cursor, batch, column, found, where):
            raise PARTIAL_COLUMN_REQUIRED(name=column.name)


def _is_new(batch: Prepared) -> str:
    return f"(s.{ROW_ID} IS NULL OR s.{flexible.RESET})" if batch.has(flexible.RESET) else f"s.{ROW_ID} IS NULL"


def _first_key(cursor: Cursor, batch: Prepared, found: str, where: str) -> str | None:
    """The key of the first new row, its columns with a blank between."""
    columns = (f"coalesce(CAST(s.{sql_name(c.name)} AS VARCHAR), 'NULL')" for c in batch.table.keys)
    key = " || ' ' || ".join(columns)
    rows = cursor.rows(f"SELECT {key} FROM {found} s WHERE {where} ORDER BY s.{ORDINAL} LIMIT 1")
    return str(rows[0][0]) if rows else None


def _lacks(cursor: Cursor, batch: Prepared, column: Column, found: str, where: str) -> bool:
    """Whether some new key is not given a column that has neither default nor NULL."""
    assert batch.partial is not None
    name = naming.physical(column.name)
    if name not in batch.partial.defaults or batch.partial.defaults[name] is not None:
        return False
    flag = naming.given(column.uid)
    more = f" AND NOT s.{flag}" if batch.has(flag) else ""
    return bool(cursor.rows(f"SELECT 1 FROM {found} s WHERE {where}{more} LIMIT 1"))
