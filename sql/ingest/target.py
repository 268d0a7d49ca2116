"""Where the columns of a source go: declared columns, the delete sign, the sequence value, what is left out.

A statement or load names its columns and `targets` resolves the names; what becomes of missing ones in a partial
update is sql/ingest/partial.py's matter. Source: Doris: INSERT; Concurrency Control for
Updates; Partial Column Update.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from sql.ingest.generated import Computed
from storage import naming
from storage.catalog.model import Column, Table
from storage.catalog.sequence import sequence_of
from storage.errors import (
    COLUMN_TWICE,
    DELETE_SIGN_TARGET,
    PARTIAL_KEY_MISSING,
    SEQUENCE_MAPPED,
    SEQUENCE_REQUIRED,
    UNKNOWN_TARGET_COLUMN,
)
from storage.relation import DELETE_SIGN, SEQUENCE
from storage.types import TINYINT
from storage.work import Partial

SIGN = DELETE_SIGN
SIGN_COLUMN = Column(-1, SIGN, TINYINT, nullable=False, default="0")


class Mode(Enum):
    """What a write does to the columns it leaves out (Doris: unique_key_update_mode)."""

    UPSERT = "UPSERT"
    FIXED = "UPDATE_FIXED_COLUMNS"
    FLEXIBLE = "UPDATE_FLEXIBLE_COLUMNS"


@dataclass(frozen=True, slots=True)
class Targets:
    """Which source column feeds which table column; `sign` and `sequence` are those of the hidden columns.

    `flags` gives the DuckDB condition, over the source columns, under which a row names a column (flexible update).
    `lenient` makes a value that does not fit NULL, where NULL may be, instead of a reject (loads).
    """

    columns: tuple[Column, ...]
    sign: int | None
    width: int  # number of source columns
    sequence: int | None = None
    partial: Partial | None = None
    flags: Mapping[str, str] = field(default_factory=dict)
    lenient: bool = False
    computed: tuple[Computed, ...] = ()  # generated columns

    def position(self, column: Column) -> int | None:
        """Source position of a column, None when it was not given."""
        return self.columns.index(column) if column in self.columns else None


def targets(table: Table, names: Sequence[str]) -> Targets:
    """Resolve a column list (empty: all visible columns in order)."""
    if not names:
        return Targets(table.columns, None, len(table.columns))
    columns: list[Column] = []
    for name in names:
        column = _target(table, name)
        if column in columns:
            raise COLUMN_TWICE(name=name)
        columns.append(column)
    hidden = (SIGN_COLUMN.uid, naming.HIDDEN_UID)
    places = {column.name: place for place, column in enumerate(columns) if column.uid in hidden}
    return Targets(tuple(columns), places.get(SIGN), len(names), places.get(SEQUENCE))


def _target(table: Table, name: str) -> Column:
    """A declared column, or one that stands for a hidden one that may be written."""
    if name.upper() == SIGN:
        if not table.is_unique:
            raise DELETE_SIGN_TARGET(table=table.name)
        return SIGN_COLUMN
    sequence = sequence_of(table)
    if name.upper() == SEQUENCE and sequence is not None:
        if sequence.column is not None:
            raise SEQUENCE_MAPPED(table=table.name, column=sequence.column.name, name=SEQUENCE)
        return Column(naming.HIDDEN_UID, SEQUENCE, sequence.type)
    column = table.column(name)
    if column is None:
        raise UNKNOWN_TARGET_COLUMN(name=name, table=table.name)
    return column


def hidden_sequence(table: Table) -> tuple[tuple[str, str], ...]:
    """The name and the physical name of a sequence column that is hidden; none for a mapped one."""
    sequence = sequence_of(table)
    return ((SEQUENCE, naming.SEQUENCE),) if sequence is not None and sequence.column is None else ()


def gives_sequence(table: Table, chosen: Targets) -> bool:
    """Whether the source brings sequence values, or needs none: the column fills itself with the time."""
    sequence = sequence_of(table)
    if sequence is None:
        return True
    if sequence.column is None:
        return chosen.sequence is not None
    return chosen.position(sequence.column) is not None or sequence.column.default_is_function


def require_sequence(table: Table, chosen: Targets) -> None:
    """Refuse a write without sequence values (Doris: require_sequence_in_insert); not for partial updates."""
    if chosen.partial is None and not gives_sequence(table, chosen):
        raise SEQUENCE_REQUIRED(table=table.name)


def leaves_out(table: Table, chosen: Targets) -> bool:
    """Whether some visible column is not given, other than those that fill themselves: generated, numbered keys."""
    filled = {column.name for column in table.columns if column.generated is not None}
    filled |= {column.name for column in table.keys if column.auto_increment is not None}
    return any(chosen.position(column) is None for column in table.columns if column.name not in filled)


def check_keys(table: Table, chosen: Targets) -> None:
    """A partial update names every key column, but for one that numbers itself."""
    for column in table.keys:
        if chosen.position(column) is None and column.auto_increment is None:
            raise PARTIAL_KEY_MISSING(name=column.name)


def constant_flags(table: Table, chosen: Targets) -> dict[str, str]:
    """The flags of a flexible update whose rows all name the same columns."""
    flags = {naming.given(c.uid): str(chosen.position(c) is not None).lower() for c in table.values}
    sequence = sequence_of(table)
    if sequence is not None and sequence.column is None:
        flags[naming.given(naming.HIDDEN_UID)] = str(chosen.sequence is not None).lower()
    return flags
