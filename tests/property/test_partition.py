"""Rows find the partition that the definition names: edges compared one by one, values looked for one by one."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from sql.ingest.partition import partition_ids
from storage.catalog.model import Bound, Partition, Table
from storage.naming import physical
from tests.unit.sql.draft import table

Row = tuple[int | None, ...]

COLUMNS = "CREATE TABLE t (a {0}, b {0}) DUPLICATE KEY(a, b) PARTITION BY"
NUMBERS = st.integers(-4, 12)
ROWS = st.lists(st.tuples(st.none() | NUMBERS, st.none() | NUMBERS), max_size=20)
TYPES = {"TINYINT": pa.int8(), "INT": pa.int32(), "BIGINT": pa.int64(), "LARGEINT": pa.binary(16)}
EDGES = st.lists(st.tuples(NUMBERS, st.none() | NUMBERS), min_size=2, max_size=8, unique=True)


def _table(kind: str, partitioning: str) -> Table:
    return table(f"{COLUMNS.format(kind)} {partitioning}")


def _ids(made: Table, kind: str, rows: Sequence[Row]) -> list[int | None]:
    columns = list(zip(*rows, strict=True)) or [(), ()]
    found = pa.table({physical(name): _array(kind, column) for name, column in zip("ab", columns, strict=True)})
    ids: list[int | None] = partition_ids(made, found).to_pylist()
    return ids


def _array(kind: str, column: Row) -> pa.Array:
    if kind != "LARGEINT":
        return pa.array(column, TYPES[kind])
    return pa.array(
        [None if item is None else item.to_bytes(16, "little", signed=True) for item in column], TYPES[kind]
    )


def _behind(edge: Sequence[str | None], row: Row) -> bool:
    """Whether a row stands at or behind an edge; MAXVALUE is behind every number, NULL in front of all."""
    for text, value in zip(edge, row, strict=True):
        if text is None or value is None or value < int(text):
            return False
        if value > int(text):
            return True
    return True


def _holds(part: Partition, row: Row) -> bool:
    low = part.lo.values if part.lo is not None and any(part.lo.values) else None
    high = part.hi.values if part.hi is not None and any(part.hi.values) else None
    return (low is None or _behind(low, row)) and (high is None or not _behind(high, row))


def _expected(partitions: Sequence[Partition], rows: Sequence[Row]) -> list[int | None]:
    return [next((part.id for part in partitions if _holds(part, row)), None) for row in rows]


def _bound(edge: tuple[int, int | None], width: int) -> Bound:
    return Bound(tuple(None if value is None else str(value) for value in edge[:width]))


@given(st.sampled_from(sorted(TYPES)), EDGES, st.integers(1, 2), st.data(), ROWS)
def test_ranges(
    kind: str, edges: list[tuple[int, int | None]], width: int, data: st.DataObject, rows: list[Row]
) -> None:
    """One column or two, from the minimum or not, to MAXVALUE or not, with gaps, in any order, NULL among the rows."""
    edges = sorted(
        {edge[:width]: edge for edge in edges}.values(), key=lambda edge: (edge[0], edge[1] is None, edge[1])
    )
    unbounded = Bound((None,) * width)
    bounds = [unbounded, *(_bound(edge, width) for edge in edges), unbounded]
    parts = [Partition(place, f"p{place}", low, high) for place, (low, high) in enumerate(pairwise(bounds))]
    chosen = data.draw(st.permutations(parts))[: data.draw(st.integers(0, len(parts)))]
    names = ", ".join("ab"[:width])
    made = replace(_table(kind, f"RANGE({names}) ()"), partitions=tuple(chosen))
    assert _ids(made, kind, rows) == _expected(chosen, [row[:width] for row in rows])


@given(st.sampled_from(sorted(TYPES)), st.integers(1, 2), st.data(), ROWS)
def test_lists(kind: str, width: int, data: st.DataObject, rows: list[Row]) -> None:
    """One column or two; NULL is a value like others."""
    value = st.tuples(*[st.none() | NUMBERS] * width)
    values = data.draw(st.lists(value, min_size=1, max_size=8, unique=True))
    texts = [f"({', '.join('NULL' if item is None else str(item) for item in row)})" for row in values]
    parts = [f"PARTITION p{place} VALUES IN ({text})" for place, text in enumerate(texts)]
    made = _table(kind, f"LIST({', '.join('ab'[:width])}) ({', '.join(parts)})")
    ids = dict(zip(values, (part.id for part in made.visible_partitions), strict=True))
    assert _ids(made, kind, rows) == [ids.get(row[:width]) for row in rows]


def test_dates_and_times() -> None:
    """Edges are read as the column's type, to the microsecond."""
    made = table(
        "CREATE TABLE t (d DATETIME(6)) DUPLICATE KEY(d) PARTITION BY RANGE(d) (PARTITION a VALUES LESS THAN"
        " ('2024-01-01 00:00:00.000001'), PARTITION b VALUES LESS THAN ('9999-12-31 00:00:00'))"
    )
    early = datetime.datetime(2024, 1, 1)
    moments = [early, early.replace(microsecond=1), datetime.datetime.max, None]
    found = partition_ids(made, pa.table({physical("d"): pa.array(moments, pa.timestamp("us"))}))
    a, b = (part.id for part in made.visible_partitions)
    assert found.to_pylist() == [a, b, None, a]
