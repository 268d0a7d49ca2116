"""Functions of BITMAP, HLL, QUANTILE_STATE and AGG_STATE as DuckDB text: what is fused, in a window, refused."""

from __future__ import annotations

import re

import pytest
from sqlglot.optimizer.annotate_types import annotate_types

from sql.dialect.doris import Doris, parse
from sql.dialect.duckdb import to_duckdb
from sql.rewrite import state_function
from sql.rewrite.state import METADATA, name_states
from sql.rewrite.state_spelling import spell_states
from storage import errors
from storage.errors import Kind
from storage.state import agg_function
from storage.table import aggregate
from storage.udf import FUNCTIONS
from tests.unit.sql.draft import refuses


def _text(select: str) -> str:
    """The DuckDB text of a select item."""
    tree = name_states(parse(f"SELECT {select}")[0].node.copy())
    tree = annotate_types(tree, expression_metadata={**Doris.EXPRESSION_METADATA, **METADATA}, dialect=Doris)
    return to_duckdb(spell_states(tree)).removeprefix("SELECT ")


@pytest.mark.parametrize(
    ("doris", "duckdb"),
    [
        ("bitmap_union(to_bitmap(x))", '__doris_bitmap_build(list(TRY_CAST("x" AS UBIGINT)))'),
        ("bitmap_union(b)", '__doris_bitmap_union(list("b"))'),
        ("bitmap_union_count(to_bitmap(x))", 'count(DISTINCT TRY_CAST("x" AS UBIGINT))'),
        ("bitmap_count(bitmap_union(to_bitmap(x)))", 'count(DISTINCT TRY_CAST("x" AS UBIGINT))'),
        ("bitmap_count(bitmap_union(b))", '__doris_bitmap_union_count(list("b"))'),
        ("hll_union_agg(hll_hash(x))", '__doris_hll_build_count(list(CAST("x" AS VARCHAR)))'),
        ("hll_cardinality(hll_raw_agg(h))", '__doris_hll_union_count(list("h"))'),
        ("to_quantile_state(x)", '__doris_quantile_of(TRY_CAST("x" AS DOUBLE), CAST(2048 AS DOUBLE))'),
        ("quantile_union(q)", '__doris_quantile_union(list("q"))'),
        (
            "quantile_union(to_quantile_state(x, 4096)) OVER (PARTITION BY g)",
            '__doris_quantile_build(list(TRY_CAST("x" AS DOUBLE)) OVER (PARTITION BY "g"), CAST(4096 AS DOUBLE))',
        ),
        ("bitmap_union(DISTINCT b)", '__doris_bitmap_union(list("b"))'),
        ("bitmap_and(a, b, c)", '__doris_bitmap_and(__doris_bitmap_and("a", "b"), "c")'),
        ("bitmap_or_count(a, b)", '__doris_bitmap_count(__doris_bitmap_or("a", "b"))'),
        (
            "bitmap_union(b) OVER (PARTITION BY g)",
            '__doris_bitmap_union(list("b") OVER (PARTITION BY "g"))',
        ),
        (
            "sum_merge(sum_state(1))",
            "CAST(sum(struct_extract(CAST(struct_pack(v := TRY_CAST(1 AS BIGINT)) AS STRUCT(\"v\" BIGINT)), 'v'))"
            " AS BIGINT)",
        ),
    ],
)
def test_spelling(doris: str, duckdb: str) -> None:
    assert _text(doris) == duckdb


@pytest.mark.parametrize(
    ("doris", "kind"),
    [
        ("bitmap_count(1)", errors.NO_SIGNATURE),
        ("bitmap_and(to_bitmap(1), 2)", errors.NO_SIGNATURE),
        ("bitmap_contains(to_bitmap(1))", errors.NO_SIGNATURE),
        ("hll_cardinality(to_bitmap(1))", errors.NO_SIGNATURE),
        ("to_quantile_state()", errors.NO_SIGNATURE),
        ("to_quantile_state(to_bitmap(1))", errors.NO_SIGNATURE),
        ("to_quantile_state(1, x)", errors.ARGUMENT_CONSTANT),
        ("quantile_percent(quantile_state_empty(), x)", errors.ARGUMENT_CONSTANT),
        ("quantile_percent(quantile_state_empty(), (SELECT 1))", errors.ARGUMENT_CONSTANT),
        ("quantile_percent(hll_empty(), 0.5)", errors.NO_SIGNATURE),
        ("quantile_union(DISTINCT q)", errors.NOT_SUPPORTED_YET),
        ("group_bitmap_xor(DISTINCT q)", errors.NOT_SUPPORTED_YET),
        ("sum_combine(DISTINCT x)", errors.NOT_SUPPORTED_YET),
        ("max(quantile_state_empty())", errors.STATE_USE),
        ("count(DISTINCT hll_empty())", errors.STATE_USE),
        ("DISTINCT bitmap_empty()", errors.STATE_USE),
        ("max_by_state(1)", errors.NO_SIGNATURE),
        ("sum_state(CAST('2024-01-01' AS DATE))", errors.NO_SIGNATURE),
        ("sum_merge(count_state(1))", errors.NO_SIGNATURE),
        ("sum_union(1)", errors.NO_SIGNATURE),
        ("sum_foreach(1)", errors.NO_SIGNATURE),
        ("histogram_state(1)", errors.UNKNOWN_FUNCTION),
    ],
)
def test_refusals(doris: str, kind: Kind) -> None:
    refuses(kind, _text, doris)


def test_every_function_named_in_a_text_is_registered() -> None:
    """What the tables of functions spell with the reserved prefix exists in storage/udf.py."""
    tables = (state_function.FUNCTIONS, agg_function.FUNCTIONS, aggregate._OVER_ROWS, aggregate._OF_TWO)
    spelled = "".join(map(str, tables))
    named = set(re.findall(r"__doris_(\w+)\(", spelled))
    assert named <= set(FUNCTIONS) and {"bitmap_build", "join", "hll_union"} <= named
