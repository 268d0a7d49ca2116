"""The current rows of a table as a plain relation, with the hidden columns its model has."""

from __future__ import annotations

from collections.abc import Sequence

from storage import naming
from storage.catalog.model import Table
from storage.change.window import in_parts, names
from storage.naming import quote
from storage.types import BIGINT, TINYINT, DorisType

DELETE_SIGN = "__DORIS_DELETE_SIGN__"
VERSION = "__DORIS_VERSION_COL__"
COMMIT_TSO = "__DORIS_COMMIT_TSO_COL__"


def hidden_columns(table: Table) -> tuple[tuple[str, DorisType], ...]:
    """The hidden columns of a table in the order of table-models R23, the commit TSO last."""
    found = [(DELETE_SIGN, TINYINT), (VERSION, BIGINT)] if table.is_unique else []
    return (*found, (COMMIT_TSO, BIGINT)) if table.changelog is not None else tuple(found)


_SOURCE = {DELETE_SIGN: "0::TINYINT", VERSION: naming.VERSION, COMMIT_TSO: naming.TSO}


def current(table: Table, parts: Sequence[int] | None, internal: bool = False) -> str:
    """User columns by their physical names, then the hidden ones; `parts` None means all visible partitions.

    `internal` adds partition id and begin of each version, for the statements that change rows.
    """
    wanted = [part.id for part in table.visible_partitions] if parts is None else parts
    condition = in_parts(table, wanted)
    columns = names(table) + [f"{_SOURCE[label]} AS {quote(label)}" for label, _ in hidden_columns(table)]
    columns += _begin(table) if internal else []
    where = f" WHERE {condition}" if condition else ""
    return f"SELECT {', '.join(columns)} FROM {naming.current(table.id)}{where}"


def _begin(table: Table) -> list[str]:
    """Partition, TSO and LSN of a version; a Duplicate table without changelog knows the partition only."""
    if table.is_unique or table.changelog is not None:
        return [naming.PART, naming.TSO, naming.LSN]
    return [naming.PART, f"0::BIGINT AS {naming.TSO}", f"0::BIGINT AS {naming.LSN}"]
