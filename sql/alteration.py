"""What ALTER TABLE did to columns and rollups since the server started, for SHOW ALTER TABLE.

Doris runs these as jobs and tools wait for their end; here each is finished when its statement is. A bounded
list in memory, without effect on anything.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Literal

from sqlglot import exp

from sql.ddl.table_property import job_seconds
from sql.dialect import alter
from sql.dialect.clause import pairs
from storage.catalog.model import Table

Kind = Literal["COLUMN", "ROLLUP"]

KEPT = 1000

_KINDS: dict[type[exp.Expr], Kind] = {
    alter.AddColumns: "COLUMN",
    alter.DropColumn: "COLUMN",
    alter.ModifyColumn: "COLUMN",
    alter.OrderColumns: "COLUMN",
    alter.AddRollup: "ROLLUP",
}


@dataclass(frozen=True, slots=True)
class Alteration:
    """One finished alteration; `index` is the name of the table or rollup that it made or changed."""

    id: int
    kind: Kind
    database_id: int
    table_id: int
    table: str
    index: str
    schema_version: int
    transaction_id: int
    began_ms: int
    ended_ms: int
    timeout_seconds: int


class Alterations:
    """The last ones, oldest first; safe from any thread."""

    def __init__(self) -> None:
        self._kept: deque[Alteration] = deque(maxlen=KEPT)
        self._numbers = count(1)
        self._lock = threading.Lock()

    def note(
        self, table: Table, actions: Iterable[exp.Expr], transaction_id: int, began_ms: int, ended_ms: int
    ) -> None:
        """Note what a statement did to a table, one entry per kind and rollup."""
        done = {(kind, index): seconds for action in actions for kind, index, seconds in _jobs(table, action)}
        with self._lock:
            for (kind, index), seconds in done.items():
                place = (table.database_id, table.id, table.name)
                rest = (table.schema_version, transaction_id, began_ms, ended_ms, seconds)
                self._kept.append(Alteration(next(self._numbers), kind, *place, index, *rest))

    def of(self, database_id: int, kind: Kind) -> list[Alteration]:
        """The alterations of one kind in a database."""
        with self._lock:
            return [found for found in self._kept if found.database_id == database_id and found.kind == kind]


def _jobs(table: Table, action: exp.Expr) -> list[tuple[Kind, str, int]]:
    """What an action changes, and how long each of it may take; a rollup that is added says so itself."""
    kind = _KINDS.get(type(action))
    if kind is None:
        return []
    if kind == "ROLLUP":
        return [(kind, item.name, _seconds(item)) for item in action.expressions]
    return [(kind, table.name, _seconds(action))]


def _seconds(action: exp.Expr) -> int:
    return job_seconds(pairs(action.args.get("properties")))
