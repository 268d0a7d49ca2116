"""Aggregate functions (Doris: aggregate functions); those of states are in sql/rewrite/state_function.py."""

from __future__ import annotations

from sql.dialect.function.function import Function, spelled
from storage.types import BIGINT, BOOLEAN, DOUBLE, DorisType, array

_DOUBLES = array(DOUBLE)


def _double(template: str) -> Function:
    """A function whose result is a number where it is defined, else NULL."""
    return spelled(f"CASE WHEN isfinite({template}) THEN {template} END", gives=DOUBLE)


def _bits(name: str) -> Function:
    return spelled(f"{name}({{w0}}){{over}}", gives=lambda types: _width(types[0]))


def _width(kind: DorisType | None) -> DorisType | None:
    """The type of the bits of values of a type; integers keep theirs."""
    return kind if kind is None or kind.is_integer else BIGINT


def _of_pairs(name: str) -> Function:
    return _double(f"{name}({{n0}}, {{n1}}){{over}}")


_CORR = "corr({n0}, {n1}){over}"
_QUANTILE = "quantile_cont({n0}, {n1}){over}"
_QUANTILES = "COALESCE(quantile_cont({n0}, CAST({1} AS DOUBLE[])){over}, CAST([] AS DOUBLE[]))"
_COUNT = "count({n0}){over}"
_OF_POPULATION = f"({_COUNT} - 2) / sqrt({_COUNT} * ({_COUNT} - 1))"  # DuckDB's skewness is that of a sample
_SKEW = spelled(
    f"CASE WHEN var_pop({{n0}}){{over}} > 0 THEN CASE WHEN {_COUNT} = 2 THEN 0 ELSE"
    f" skewness({{n0}}){{over}} * {_OF_POPULATION} END END",
    gives=DOUBLE,
)
_KURT = spelled("CASE WHEN var_pop({n0}){over} > 0 THEN kurtosis_pop({n0}){over} END", gives=DOUBLE)
_ODD = "count(CASE WHEN {b0} THEN 1 END){over} % 2 = 1"

_DISTINCT = spelled("count(DISTINCT {d0}){over}", gives=BIGINT)

FUNCTIONS = {
    **dict.fromkeys(("APPROX_COUNT_DISTINCT", "NDV"), _DISTINCT),  # exact, as Doris's estimate is of few values
    "COVAR": _of_pairs("covar_pop"),
    "CORR": spelled(f"CASE WHEN isnan({_CORR}) THEN 0 ELSE {_CORR} END", gives=DOUBLE),
    "PERCENTILE": spelled(_QUANTILE, gives=DOUBLE),
    "PERCENTILE_APPROX": spelled(lambda count: _QUANTILE if count in (2, 3) else None, gives=DOUBLE),
    "PERCENTILE_ARRAY": spelled(_QUANTILES, gives=_DOUBLES),
    "MEDIAN": spelled("median({n0}){over}", gives=DOUBLE),
    **dict.fromkeys(("SKEW", "SKEWNESS", "SKEW_POP"), _SKEW),
    **dict.fromkeys(("KURT", "KURTOSIS", "KURT_POP"), _KURT),
    "BOOL_AND": spelled("bool_and({b0}){over}", gives=BOOLEAN),
    "BOOL_OR": spelled("bool_or({b0}){over}", gives=BOOLEAN),
    "BOOL_XOR": spelled(f"CASE WHEN count({{b0}}){{over}} > 0 THEN {_ODD} END", gives=BOOLEAN),
    "GROUP_BIT_AND": _bits("bit_and"),
    "GROUP_BIT_OR": _bits("bit_or"),
    "GROUP_BIT_XOR": _bits("bit_xor"),
    "REGR_COUNT": spelled("CAST(regr_count({n0}, {n1}){over} AS BIGINT)", gives=BIGINT),
    **{
        f"regr_{name}".upper(): _of_pairs(f"regr_{name}")
        for name in ("avgx", "avgy", "intercept", "r2", "slope", "sxx", "sxy", "syy")
    },
}
