"""Route rows to partitions: DuckDB text of the partition id of a row.

RANGE partitions are half open; NULL belongs to the partition that starts at the minimum
(types-and-ddl section 3). A row for no partition gets NULL.
"""

from __future__ import annotations

from collections.abc import Sequence

from sql.ingest.convert import constant
from storage.catalog.model import Bound, Column, Partition, Table
from storage.naming import physical, quote


def partition_id(table: Table, allowed: Sequence[Partition] | None = None) -> str:
    """The id of the row's partition over the table's own column names; NULL when there is none."""
    partitions = table.visible_partitions if allowed is None else allowed
    if table.partitioning is None:
        return f"CAST({partitions[0].id} AS INTEGER)"
    columns = [column for name in table.partitioning.columns if (column := table.column(name))]
    arms = " ".join(f"WHEN {_inside(part, columns)} THEN {part.id}" for part in partitions)
    return f"CAST(CASE {arms} END AS INTEGER)" if arms else "CAST(NULL AS INTEGER)"


def _inside(partition: Partition, columns: Sequence[Column]) -> str:
    above = _compare(partition.lo, columns, ">=") if partition.lo else ""
    below = _compare(partition.hi, columns, "<") if partition.hi else ""
    if above or not below:
        return " AND ".join(part for part in (above, below) if part) or "TRUE"
    nothing = " OR ".join(f"{quote(physical(column.name))} IS NULL" for column in columns)
    return f"({nothing} OR {below})"


def _compare(bound: Bound, columns: Sequence[Column], operator: str) -> str:
    """Compare the columns with a bound; MAXVALUE after a prefix makes the prefix itself decide."""
    pairs = list(zip(columns, bound.values, strict=False))
    prefix = [(column, value) for column, value in pairs if value is not None]
    if len(prefix) < len(pairs):
        operator = {"<": "<=", ">=": ">"}[operator]
    if not prefix:
        return ""
    left = ", ".join(quote(physical(column.name)) for column, _ in prefix)
    right = ", ".join(constant(value or "", column.type) for column, value in prefix)
    return f"{left} {operator} {right}" if len(prefix) == 1 else f"({left}) {operator} ({right})"
