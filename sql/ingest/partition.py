"""Route rows to partitions: DuckDB text of the partition id of a row, and of the key of a missing partition.

RANGE partitions are half open; NULL belongs to the partition that starts at the minimum
(Doris: CREATE TABLE, partitions). A row for no partition gets NULL.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from sql.ingest.convert import constant
from storage.catalog.model import Bound, Column, Partition, Table
from storage.naming import PREFIX, literal, physical, quote

KEY = PREFIX + "partition_key"  # JSON array of the texts that name the missing partition; NULL where there is one


def partition_id(table: Table, allowed: Sequence[Partition] | None = None) -> str:
    """The id of the row's partition over the table's own column names; NULL when there is none."""
    partitions = table.visible_partitions if allowed is None else allowed
    if table.partitioning is None:
        return f"CAST({partitions[0].id} AS INTEGER)"
    columns = _columns(table)
    arms = " ".join(f"WHEN {_inside(part, columns)} THEN {part.id}" for part in partitions)
    return f"CAST(CASE {arms} END AS INTEGER)" if arms else "CAST(NULL AS INTEGER)"


def _columns(table: Table) -> list[Column]:
    names = table.partitioning.columns if table.partitioning else ()
    return [column for name in names if (column := table.column(name))]


def missing_key(table: Table) -> str:
    """The key of the partition that a row wants, as JSON text (sql/ingest/auto_partition.py: KEY)."""
    unit = table.partitioning.unit if table.partitioning else None
    texts = [_key_text(column, unit) for column in _columns(table)]
    return f"CAST(to_json([{', '.join(texts)}]) AS VARCHAR)"


def _key_text(column: Column, unit: str | None) -> str:
    value = _name(column)
    if unit is not None:
        value = f"CAST(date_trunc({literal(unit)}, {value}) AS {column.type.duckdb})"
    if column.type.name == "boolean":
        value = f"CAST({value} AS TINYINT)"
    return f"CAST({value} AS VARCHAR)"


def _name(column: Column) -> str:
    return quote(physical(column.name))


def _inside(partition: Partition, columns: Sequence[Column]) -> str:
    if partition.values is not None:
        return _listed(partition.values, columns)
    above = _compare(partition.lo, columns, ">=") if partition.lo else ""
    below = _compare(partition.hi, columns, "<") if partition.hi else ""
    if above or not below:
        return " AND ".join(part for part in (above, below) if part) or "TRUE"
    nothing = " OR ".join(f"{_name(column)} IS NULL" for column in columns)
    return f"({nothing} OR {below})"


def _listed(values: Sequence[tuple[str | None, ...]], columns: Sequence[Column]) -> str:
    """One of the listed values; NULL is a value like others."""
    if len(columns) > 1:
        return f"({' OR '.join(_equal(value, columns) for value in values)})"
    given = [constant(value[0], columns[0].type) for value in values if value[0] is not None]
    terms = [f"{_name(columns[0])} IN ({', '.join(given)})"] if given else []
    terms += [f"{_name(columns[0])} IS NULL"] if (None,) in values else []
    return f"({' OR '.join(terms)})"


def _equal(value: Sequence[str | None], columns: Sequence[Column]) -> str:
    both = zip(columns, value, strict=True)
    terms = [
        f"{_name(column)} IS NULL" if text is None else f"{_name(column)} = {constant(text, column.type)}"
        for column, text in both
    ]
    return f"({' AND '.join(terms)})"


def _compare(bound: Bound, columns: Sequence[Column], operator: str) -> str:
    """Compare the columns with a bound; MAXVALUE after a prefix makes the prefix itself decide."""
    pairs = list(zip(columns, bound.values, strict=False))
    prefix = list(takewhile(lambda pair: pair[1] is not None, pairs))
    if len(prefix) < len(pairs):
        operator = {"<": "<=", ">=": ">"}[operator]
    if not prefix:
        return ""
    left = ", ".join(_name(column) for column, _ in prefix)
    right = ", ".join(constant(value or "", column.type) for column, value in prefix)
    return f"{left} {operator} {right}" if len(prefix) == 1 else f"({left}) {operator} ({right})"
