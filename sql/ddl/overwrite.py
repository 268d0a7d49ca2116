"""INSERT OVERWRITE as a change of partitions: which ones get a new identity, and the rows under the new ids.

Source: Doris: INSERT OVERWRITE. The old rows go with the old partition ids, in the same transaction; partitions that
an AUTO table lacks come with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
from sqlglot import exp

from sql.ddl.alter_partition import renewed
from sql.ddl.auto_partition import added
from sql.ddl.commit import stamp
from sql.ingest.auto_partition import Made, renumbered
from storage.catalog.catalog import Catalog
from storage.catalog.model import Partition, Table
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


def replaced(
    engine: Engine, table: Table, clause: exp.Expr | None, named: Sequence[Partition] | None, made: Made
) -> Replacement:
    """Replace the partitions that are named, those that rows fall into (`*`), or all (no clause)."""
    chosen = _chosen(table, clause, named, made.rows)
    new = renewed(table, chosen, stamp(engine, len(chosen)))
    ids = {old.id: part.id for old, part in zip(table.partitions, new.partitions, strict=True)}

    def change(catalog: Catalog) -> Catalog:
        if catalog.live_table(table.id) != table:
            raise TABLE_CHANGED(table=table.name)
        return catalog.with_table(added(new, made.partitions))

    return Replacement(renumbered(made.rows, ids), change)


def _chosen(
    table: Table, clause: exp.Expr | None, named: Sequence[Partition] | None, rows: pa.Table
) -> Sequence[Partition]:
    if named is not None:
        return named
    if clause is None:
        return table.visible_partitions
    hit = set(pc.unique(rows.column(PART)).to_pylist())
    return [part for part in table.visible_partitions if part.id in hit]
