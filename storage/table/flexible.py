"""Flexible partial update: the rows of one key accumulate in their order, each naming columns of its own.

`fold` makes one row of each key of the rows that win one after the other: a later value replaces an earlier one,
a delete forgets all before it and makes the columns that come after it start from their defaults (RESET). Only a
sequence value stays: a row that does not name it takes that of the row or mark before it.
Source: Doris: Partial Column Update, flexible; Changelog, records.
"""

from __future__ import annotations

from dataclasses import replace

from storage import naming
from storage.catalog.model import Table
from storage.catalog.sequence import Sequence, sequence_of
from storage.cursor import Cursor
from storage.naming import DELETE, LSN, PART, TSO, VERSION, quote
from storage.table.batch import ORDINAL, Prepared, key_names

_LAST_DELETE, _TOP = naming.PREFIX + "last_delete", naming.PREFIX + "top"
RESET = naming.PREFIX + "reset"  # BOOLEAN: the key was deleted inside the batch, before this row


def uid_of(sequence: Sequence | None) -> int:
    """The uid by which the flag of the sequence column is named."""
    return naming.HIDDEN_UID if sequence is None or sequence.column is None else sequence.column.uid


def flagged(table: Table) -> dict[str, str]:
    """The columns that a row may leave out, by physical name, and the names of their flags."""
    found = {naming.physical(column.name): naming.given(column.uid) for column in table.values}
    sequence = sequence_of(table)
    if sequence is not None and sequence.column is None:
        found[naming.SEQUENCE] = naming.given(naming.HIDDEN_UID)
    return found


def fold(cursor: Cursor, batch: Prepared) -> Prepared:
    """One row of each key of a stamped batch, with the stamp of its last row."""
    accepted = _accepted(batch, cursor.source(batch.rows))
    return replace(batch, rows=cursor.table(_folded(batch.table, accepted)))


def _accepted(batch: Prepared, source: str) -> str:
    """The rows that do not lose against a sequence value before them; a row without one takes what there is."""
    sequence = sequence_of(batch.table)
    keys = ", ".join(map(quote, batch.keys))
    deleted = f"max(CASE WHEN {DELETE} THEN {ORDINAL} END) OVER (PARTITION BY {keys}) AS {_LAST_DELETE}"
    if sequence is None:
        return f"SELECT *, {deleted} FROM {source}"
    name, flag = quote(sequence.physical), naming.given(uid_of(sequence))
    given = f"CASE WHEN s.{flag} THEN s.{name} END"
    partition = ", ".join(f"s.{quote(key)}" for key in batch.keys)
    earlier = f"(PARTITION BY {partition} ORDER BY s.{ORDINAL} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)"
    top = f"greatest(max({given}) OVER {earlier}, t.{name}, d.{naming.SEQUENCE})"
    joined = (
        f"SELECT s.*, {top} AS {_TOP} FROM {source} s"
        f" LEFT JOIN {naming.current(batch.table.id)} t ON {batch.same_key('t', 's')}"
        f" LEFT JOIN {naming.marks(batch.table.id)} d ON {batch.same_key('d', 's')}"
    )
    wins = f"NOT {flag} OR coalesce({name} >= {_TOP}, {_TOP} IS NULL)"
    return f"SELECT * EXCLUDE ({_TOP}), {deleted} FROM ({joined}) WHERE {wins}"


def _folded(table: Table, accepted: str) -> str:
    keys = ", ".join(map(quote, key_names(table)))
    items = [keys, f"any_value({PART}) AS {PART}", f"max({ORDINAL}) AS {ORDINAL}"]
    items.append(f"coalesce(max({ORDINAL}) = max({_LAST_DELETE}), false) AS {DELETE}")
    items.append(f"max({_LAST_DELETE}) IS NOT NULL AS {RESET}")
    items += [f"max({name}) AS {name}" for name in (TSO, LSN, VERSION)]
    for name, flag in flagged(table).items():
        counted = f"{flag}{_since_delete(table, name)}"
        items.append(f"last({quote(name)} ORDER BY {ORDINAL}) FILTER (WHERE {counted}) AS {quote(name)}")
        items.append(f"coalesce(bool_or({counted}), false) AS {flag}")
    return f"SELECT {', '.join(items)} FROM ({accepted}) GROUP BY {keys} ORDER BY {ORDINAL}"


def _since_delete(table: Table, name: str) -> str:
    """Which rows may give a column its value: those after the last delete; a sequence value outlives it."""
    sequence = sequence_of(table)
    is_sequence = sequence is not None and sequence.physical == name
    return "" if is_sequence else f" AND {ORDINAL} > coalesce({_LAST_DELETE}, -1)"
