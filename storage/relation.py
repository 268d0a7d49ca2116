"""The current rows of a table as a plain relation, with the hidden columns its model has."""

from __future__ import annotations

from collections.abc import Sequence

from storage import naming
from storage.catalog.model import Column, Table
from storage.catalog.sequence import has_skip_bitmap, sequence_of
from storage.change.window import in_parts, names
from storage.naming import quote, sql_name
from storage.types import BIGINT, STRING, TINYINT, DorisType

DELETE_SIGN = "__DORIS_DELETE_SIGN__"
ROW_STORE = "__DORIS_ROW_STORE_COL__"
VERSION = "__DORIS_VERSION_COL__"
SEQUENCE = "__DORIS_SEQUENCE_COL__"
SKIP_BITMAP = "__DORIS_SKIP_BITMAP_COL__"
COMMIT_TSO = "__DORIS_COMMIT_TSO_COL__"


def hidden_columns(table: Table) -> tuple[tuple[str, DorisType], ...]:
    """The hidden columns of a table in Doris's order (show_hidden_columns), the commit TSO last."""
    found = [(DELETE_SIGN, TINYINT)] if table.is_unique else []
    if table.is_on("store_row_column"):
        found.append((ROW_STORE, STRING))
    if table.is_unique:
        found.append((VERSION, BIGINT))
    sequence = sequence_of(table)
    if sequence is not None:
        found.append((SEQUENCE, sequence.type))
    if has_skip_bitmap(table):
        found.append((SKIP_BITMAP, DorisType("bitmap")))
    return (*found, (COMMIT_TSO, BIGINT)) if table.changelog is not None else tuple(found)


def _source(table: Table, label: str, sign: int = 0) -> str:
    """Where a hidden column comes from: in the rows, or with `sign` 1 in the delete marks."""
    sequence = sequence_of(table)
    if label == SEQUENCE and sequence is not None and not sign:
        return quote(sequence.physical)
    return {
        DELETE_SIGN: f"{sign}::TINYINT",
        ROW_STORE: "''",  # rows are stored by column only
        VERSION: naming.VERSION,
        SEQUENCE: naming.SEQUENCE,
        SKIP_BITMAP: "NULL::BLOB",  # Doris shows a bitmap as NULL
        COMMIT_TSO: naming.TSO,
    }[label]


def current(table: Table, parts: Sequence[int] | None, internal: bool = False, marks: bool = False) -> str:
    """User columns by their physical names, then the hidden ones; `parts` None means all visible partitions.

    `internal` adds partition id and begin of each version, for the statements that change rows; `marks` adds
    the deleted keys that a sequence column keeps.
    """
    wanted = [part.id for part in table.visible_partitions] if parts is None else parts
    condition = in_parts(table, wanted)
    columns = names(table) + [f"{_source(table, label)} AS {quote(label)}" for label, _ in hidden_columns(table)]
    columns += _begin(table) if internal else []
    where = f" WHERE {condition}" if condition else ""
    rows = f"SELECT {', '.join(columns)} FROM {naming.current(table.id)}{where}"
    if not marks or sequence_of(table) is None:
        return rows
    return f"{rows} UNION ALL SELECT {', '.join(_marked(table))} FROM {naming.marks(table.id)}{where}"


def _marked(table: Table) -> list[str]:
    """A delete mark as a row: its keys and its sequence, all else empty."""
    columns = [_kept(table, column) for column in table.columns]
    return columns + [f"{_source(table, label, sign=1)} AS {quote(label)}" for label, _ in hidden_columns(table)]


def _kept(table: Table, column: Column) -> str:
    name = sql_name(column.name)
    sequence = sequence_of(table)
    if column.key:
        return name
    mapped = sequence is not None and sequence.column is not None and sequence.column.uid == column.uid
    value = naming.SEQUENCE if mapped else f"NULL::{column.type.duckdb}"
    return f"{value} AS {name}"


def _begin(table: Table) -> list[str]:
    """Partition, TSO and LSN of a version; a Duplicate table without changelog knows the partition only."""
    if table.is_unique or table.changelog is not None:
        return [naming.PART, naming.TSO, naming.LSN]
    return [naming.PART, f"0::BIGINT AS {naming.TSO}", f"0::BIGINT AS {naming.LSN}"]
