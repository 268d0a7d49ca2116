"""Aggregate functions (Doris: aggregate functions); those of states are in sql/rewrite/state_function.py."""

from __future__ import annotations

from sql.dialect.function.function import spelled

FUNCTIONS = {
    "NDV": spelled("approx_count_distinct({0})"),
    "MULTI_DISTINCT_COUNT": spelled("count(DISTINCT {0})"),
    "MULTI_DISTINCT_SUM": spelled("sum(DISTINCT {0})"),
    "PERCENTILE": spelled("quantile_cont({0}, {1})"),
}
