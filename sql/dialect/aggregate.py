"""Which functions are aggregate functions: those of Doris, whatever sqlglot takes them for."""

from __future__ import annotations

from sqlglot import exp

_LIST = """
    any any_value approx_count_distinct approx_top_k approx_top_sum array_agg avg avg_weighted bit_and bit_or bit_xor
    bitmap_agg bitmap_intersect bitmap_union bitmap_union_count bitmap_union_int bool_and bool_or bool_xor
    collect_list collect_set corr corr_welford count count_by_enum count_if covar covar_pop covar_samp entropy
    group_array group_array_intersect group_array_union group_bit_and group_bit_or group_bit_xor
    group_bitmap_xor group_concat group_uniq_array hist histogram hll_raw_agg hll_union hll_union_agg
    intersect_count json_arrayagg json_objectagg json_object_agg kurt kurt_pop kurtosis linear_histogram map_agg
    map_agg_v1 map_agg_v2 max max_by max_by_agg median min min_by mode multi_distinct_count
    multi_distinct_group_concat multi_distinct_sum multi_distinct_sum0 ndv orthogonal_bitmap_expr_calculate
    orthogonal_bitmap_expr_calculate_count orthogonal_bitmap_intersect orthogonal_bitmap_intersect_count
    orthogonal_bitmap_union_count percentile percentile_approx percentile_approx_weighted percentile_array
    percentile_cont percentile_disc percentile_reservoir quantile_union regr_avgx regr_avgy regr_count regr_intercept
    regr_r2 regr_slope regr_sxx regr_sxy regr_syy retention sem sequence_count sequence_match skew skew_pop skewness
    std stddev stddev_pop stddev_samp string_agg sum sum0 sum_distinct topn topn_array topn_weighted var_pop var_samp
    variance variance_pop variance_samp window_funnel window_funnel_v2
"""
_NAMES = frozenset(_LIST.split())

AGGREGATING = ("_merge", "_union", "_combine", "_foreach")  # <agg>_MERGE(state), …; <agg>_STATE is row by row

_NOT_AGGREGATE = (
    exp.CumeDist,
    exp.DenseRank,
    exp.FirstValue,
    exp.Grouping,
    exp.GroupingId,
    exp.Lag,
    exp.LastValue,
    exp.Lead,
    exp.NthValue,
    exp.Ntile,
    exp.PercentRank,
    exp.Rank,
)


def is_aggregate(node: exp.Expr) -> bool:
    """Whether a node is the call of an aggregate function; SUM(x) OVER (…) holds one, ROW_NUMBER() does not."""
    if isinstance(node, exp.Anonymous):
        return is_aggregate_name(node.name.lower())
    if isinstance(node, exp.Any):  # ANY(x); x = ANY (SELECT …) is a comparison
        return not isinstance(node.this.unnest(), exp.Query)
    return isinstance(node, exp.AggFunc) and not isinstance(node, _NOT_AGGREGATE)


def is_aggregate_name(name: str) -> bool:
    """Whether a function is an aggregate one by its name, in lower case."""
    if name in _NAMES:
        return True
    return any(name.endswith(ending) and is_aggregate_name(name.removesuffix(ending)) for ending in AGGREGATING)


def behind_groups(select: exp.Select) -> list[exp.Expr]:
    """What of a SELECT is computed when its rows are grouped: its items, HAVING, QUALIFY and ORDER BY."""
    clauses = (select.args.get(clause) for clause in ("having", "qualify", "order"))
    return [*select.expressions, *(clause for clause in clauses if clause is not None)]
