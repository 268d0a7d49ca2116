"""Every AGG_STATE function: states merged in two steps give what one merge gives, inside DuckDB."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from storage.cursor import Cursor
from storage.duck import Duck
from storage.errors import DorisError
from storage.state import agg_function, aggstate, bitmap, hll, quantile
from storage.state.layout import ALIASES, FIELDS, canonical
from storage.types import BITMAP, DOUBLE, HLL, INT, QUANTILE_STATE, VARCHAR, DorisType, decimal

ARGUMENTS: dict[str, tuple[tuple[DorisType, ...], tuple[str, ...]]] = {
    **{name: ((INT,), ("v",)) for name in (
        "sum", "sum0", "count", "any_value", "group_bit_and", "group_bit_or", "group_bit_xor", "collect_list",
        "variance", "variance_samp", "stddev", "stddev_samp", "ndv",
    )},
    "min": ((VARCHAR,), ("w",)),
    "max": ((decimal(9, 2),), ("d",)),
    "avg": ((decimal(9, 2),), ("d",)),
    "group_concat": ((VARCHAR,), ("w",)),
    "collect_set": ((VARCHAR,), ("w",)),
    "multi_distinct_count": ((VARCHAR,), ("w",)),
    "max_by": ((VARCHAR, INT), ("w", "v")),
    "min_by": ((VARCHAR, INT), ("w", "v")),
    "bitmap_union": ((BITMAP,), ("b",)),
    "bitmap_union_count": ((BITMAP,), ("b",)),
    "hll_union": ((HLL,), ("h",)),
    "hll_union_agg": ((HLL,), ("h",)),
    "quantile_union": ((QUANTILE_STATE,), ("q",)),
    "percentile": ((INT, DOUBLE), ("v", "0.5")),
    "map_agg": ((VARCHAR, INT), ("w", "v")),
    "topn": ((VARCHAR, INT), ("w", "2")),
}  # fmt: skip
NOTHING: dict[str, object] = {
    **dict.fromkeys(("count", "sum0", "ndv", "multi_distinct_count", "bitmap_union_count", "hll_union_agg"), 0),
    "collect_list": [],
    "collect_set": [],
    "map_agg": {},
    "bitmap_union": bitmap.EMPTY,
    "hll_union": hll.EMPTY,
    "quantile_union": quantile.EMPTY,
}  # what they give for no rows; the others give NULL
UNORDERED = {"group_concat", "collect_list", "collect_set", "any_value", "map_agg", "bitmap_union", "hll_union"}


@pytest.fixture(scope="module")
def cursor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cursor]:
    duck = Duck(tmp_path_factory.mktemp("states"))
    cursor = duck.cursor()
    cursor.execute(
        "CREATE TABLE raw AS SELECT i % 3 AS g, CASE WHEN i % 7 > 0 THEN i END::INTEGER AS v, 'w' || i % 5 AS w,"
        " (i / 3)::DECIMAL(9, 2) AS d, __doris_bitmap_of(i::UBIGINT) AS b, __doris_hll_of(i::VARCHAR) AS h,"
        " __doris_quantile_of(i, 2048) AS q"
        " FROM range(20) r(i)"
    )
    yield cursor
    cursor.close()
    duck.close()


def _kind(function: str) -> tuple[DorisType, str]:
    types, values = ARGUMENTS[function]
    kind = DorisType("agg_state", children=tuple(("null", item) for item in types), function=function)
    return kind, aggstate.started(kind, values)


def test_every_function_has_a_layout_and_a_test() -> None:
    assert set(agg_function.FUNCTIONS) == set(FIELDS) == set(ARGUMENTS)
    assert all(canonical(alias) in FIELDS for alias in ALIASES)


@pytest.mark.parametrize("function", sorted(set(ARGUMENTS) - UNORDERED))
def test_two_steps_give_what_one_gives(cursor: Cursor, function: str) -> None:
    kind, state = _kind(function)
    (once,) = cursor.rows(f"SELECT {aggstate.finished(kind, state)} FROM raw")
    united = f"SELECT {aggstate.merged(kind, 's')} AS s FROM (SELECT g, {state} AS s FROM raw) GROUP BY g"
    (twice,) = cursor.rows(f"SELECT {aggstate.finished(kind, 's')} FROM ({united})")
    assert once[0] == pytest.approx(twice[0]) if isinstance(once[0], float) else once == twice
    assert once[0] is not None


@pytest.mark.parametrize("function", sorted(ARGUMENTS))
def test_nothing_and_windows(cursor: Cursor, function: str) -> None:
    kind, state = _kind(function)
    (empty,) = cursor.rows(f"SELECT {aggstate.finished(kind, 's')} FROM (SELECT {state} AS s FROM raw WHERE false)")
    assert empty == (NOTHING.get(function),)
    states = f"(SELECT g, {state} AS s FROM raw)"
    grouped = cursor.rows(f"SELECT g, {aggstate.finished(kind, 's')} FROM {states} GROUP BY g")
    whole = {group: value for group, value in grouped}
    over = cursor.rows(f"SELECT g, {aggstate.finished(kind, 's', ' OVER (PARTITION BY g)')} FROM {states}")
    assert [group for group, _ in sorted(over, key=str)] == [0] * 7 + [1] * 7 + [2] * 6
    assert function in UNORDERED or all(value == pytest.approx(whole[group]) for group, value in over)


@pytest.mark.parametrize("function", sorted(ARGUMENTS))
def test_states_can_be_stored(cursor: Cursor, function: str) -> None:
    """The type of a column holds the state and comes back through Arrow unchanged."""
    kind, state = _kind(function)
    cursor.execute(f"CREATE OR REPLACE TEMP TABLE kept (s {kind.duckdb})")
    states = cursor.source(cursor.table(f"SELECT {state} AS s FROM raw"))
    cursor.execute(f"INSERT INTO kept SELECT * FROM {states}")
    assert cursor.rows("SELECT count(*), count(s) FROM kept") == [(20, 20)]


def test_other_configuration_is_refused(cursor: Cursor) -> None:
    kind = DorisType("agg_state", children=(("null", VARCHAR), ("null", VARCHAR)), function="group_concat")
    with pytest.raises(DorisError, match="aggregate states have incompatible"):
        cursor.rows(f"SELECT {aggstate.finished(kind, aggstate.started(kind, ['w', 'w']))} FROM raw")
