"""The sequence column of a Unique Key table: by which value rows of one key replace each other.

Told by two properties: `function_column.sequence_col` maps it to a declared column, `function_column.sequence_type`
makes it a hidden column of its own. Which row wins is storage/table/winner.py and storage/table/probe.py's matter.
Source: Doris: Concurrency Control for Updates.
"""

from __future__ import annotations

from dataclasses import dataclass

from storage import naming
from storage.catalog.model import Column, Table
from storage.types import BIGINT, DATE, DATETIME, INT, LARGEINT, SMALLINT, TINYINT, DorisType

MAPPED = "function_column.sequence_col"
TYPED = "function_column.sequence_type"
SKIP_BITMAP = "enable_unique_key_skip_bitmap_column"  # allows flexible partial updates

TYPES = {kind.name: kind for kind in (TINYINT, SMALLINT, INT, BIGINT, LARGEINT, DATE, DATETIME)}
_OLD_NAMES = {"datev2": "date", "datetimev2": "datetime", "integer": "int"}


@dataclass(frozen=True, slots=True)
class Sequence:
    """`column` is the declared column behind it, None for a hidden one."""

    type: DorisType
    column: Column | None = None

    @property
    def physical(self) -> str:
        """The name of the column that holds the value in t_ and h_."""
        return naming.SEQUENCE if self.column is None else naming.physical(self.column.name)


def sequence_type(text: str) -> DorisType | None:
    """The type of that name, None when it cannot order rows."""
    lowered = text.strip().lower()
    return TYPES.get(_OLD_NAMES.get(lowered, lowered))


def sequence_of(table: Table) -> Sequence | None:
    """The sequence column of a table, None without one."""
    if not table.is_unique:
        return None
    mapped = table.property(MAPPED)
    column = table.column(mapped) if mapped else None
    if column is not None:
        return Sequence(column.type, column)
    kind = sequence_type(table.property(TYPED) or "")
    return None if kind is None else Sequence(kind)


def has_skip_bitmap(table: Table) -> bool:
    """Whether rows of one load may name different columns (flexible partial update)."""
    return table.merge_on_write and table.is_on(SKIP_BITMAP)
