"""INSERT OVERWRITE as a change of partitions: which ones get a new identity, and the rows under the new ids.

Source: types-and-ddl R18. The old rows go with the old partition ids, in the same transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
from sqlglot import exp

from sql.ddl.alter_partition import truncated
from sql.ddl.commit import stamp
from storage.catalog.model import Catalog, Table
from storage.errors import TABLE_CHANGED
from storage.naming import PART
from storage.work import Change

if TYPE_CHECKING:
    from sql.engine import Engine


@dataclass(frozen=True, slots=True)
class Replacement:
    """The rows with the ids of the new partitions, and the change that puts these in place."""

    rows: pa.Table
    change: Change


def replaced(engine: Engine, table: Table, clause: exp.Expr | None, rows: pa.Table) -> Replacement:
    """Replace the partitions that the clause names, those that rows fall into (`*`), or all (no clause)."""
    names = _names(table, clause, rows)
    if names == []:
        return Replacement(rows, lambda catalog: catalog)
    made = stamp(engine, len(table.visible_partitions), table.name)
    new = truncated(table, names or (), made)
    identity = {old.id: part.id for old, part in zip(table.partitions, new.partitions, strict=True)}
    ids = pa.array([identity[part] for part in rows.column(PART).to_pylist()], rows.column(PART).type)

    def change(catalog: Catalog) -> Catalog:
        if catalog.live_table(table.id) != table:
            raise TABLE_CHANGED(table=table.name)
        return catalog.with_table(new)

    return Replacement(rows.set_column(rows.schema.get_field_index(PART), PART, ids), change)


def _names(table: Table, clause: exp.Expr | None, rows: pa.Table) -> Sequence[str] | None:
    """Names of the partitions to replace; None for all."""
    if clause is None:
        return None
    if not isinstance(clause.expressions[0], exp.Star):
        return [item.name for item in clause.expressions]
    hit = set(pc.unique(rows.column(PART)).to_pylist())
    return [part.name for part in table.visible_partitions if part.id in hit]
