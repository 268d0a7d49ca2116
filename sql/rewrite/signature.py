"""Refuse arguments that a function of arrays or maps, or PERCENTILE, does not take.

DuckDB takes some of them for texts and says of the others, in its own words, that they do not fit. What has no known
type is left to it. `RULES` are applied by semantics.py. Source: Doris: SQL functions, array and map functions.
"""

from __future__ import annotations

from sqlglot import exp

from sql.dialect.function import array, nested
from sql.rewrite.operand import MOMENTS, Rule, kind_of
from sql.rewrite.state import argument_type
from storage.errors import ARGUMENT_CONSTANT, NO_SIGNATURE, PERCENT_RANGE
from storage.types import DorisType

_ARRAY, _MAP = frozenset({"array"}), frozenset({"map"})
_DOCUMENTS = frozenset({"json", "variant"})  # which become what is asked for
_SEVERAL = frozenset(
    {
        "ARRAY_CONCAT",
        "ARRAY_UNION",
        "ARRAY_INTERSECT",
        "ARRAY_EXCEPT",
        "ARRAYS_OVERLAP",
        "ARRAY_FILTER",
        "ARRAY_SORTBY",
        "ARRAY_SPLIT",
        "ARRAY_REVERSE_SPLIT",
    }
)  # fmt: skip  whose arguments are all arrays
_TAKES = {
    **dict.fromkeys(array.FUNCTIONS, _ARRAY),
    **dict.fromkeys(nested.FUNCTIONS, _MAP),
    **dict.fromkeys(("SIZE", "CARDINALITY"), _ARRAY | _MAP),
}
_PERCENTILES = frozenset({"percentile", "percentile_approx"})
_OF_NUMBERS = _PERCENTILES | {"median", "to_json"}  # and TO_JSON, which takes no moments either
_MADE = frozenset({"ARRAY_RANGE", "SEQUENCE", "ARRAY_REPEAT", "ARRAY_WITH_CONSTANT", "STR_TO_MAP"})


def _check(name: str, given: list[exp.Expr], count: int, kinds: frozenset[str]) -> None:
    types = [None if isinstance(item.unnest(), exp.Null) else argument_type(item) for item in given]
    if any(not _may_be(kind, kinds) for kind in types[:count]):
        raise NO_SIGNATURE(function=name, types=", ".join("unknown" if kind is None else str(kind) for kind in types))


def _may_be(kind: DorisType | None, kinds: frozenset[str]) -> bool:
    return kind is None or kind.name in kinds | _DOCUMENTS


def _by_name(call: exp.Expr) -> None:
    """The functions without a node of their own: those of arrays and maps, and PERCENTILE."""
    name, given = call.name.lower(), call.expressions
    kinds = _TAKES.get(name.upper()) if name.upper() not in _MADE else None
    if kinds is not None:
        _check(name, given, len(given) if name.upper() in _SEVERAL else 1, kinds)
    if name in _OF_NUMBERS and given:
        _refuse_moment(name, given[0])
    if name in _PERCENTILES and len(given) > 1:
        _check_fraction(name, given[1].unnest())


def _check_fraction(name: str, value: exp.Expr) -> None:
    """The second argument of PERCENTILE is a constant from 0 to 1."""
    if value.find(exp.Column, exp.Query):
        raise ARGUMENT_CONSTANT(function=name)
    number = value.this if isinstance(value, exp.Neg) else value
    if isinstance(number, exp.Literal) and not number.is_string and (number is not value or float(number.name) > 1):
        raise PERCENT_RANGE(value=value.sql("mysql"))


def _no_moment(name: str) -> Rule:
    """The rule of an aggregate of numbers: DuckDB would give the moment between moments."""
    return lambda call: _refuse_moment(name, call.this)


def _refuse_moment(name: str, value: exp.Expr) -> None:
    kind = kind_of(value.expressions[0] if isinstance(value, exp.Distinct) else value)
    if kind is not None and kind in MOMENTS:
        raise NO_SIGNATURE(function=name, types="date" if kind is exp.DType.DATE else "datetime")


RULES: dict[type[exp.Expr], Rule] = {
    exp.Avg: _no_moment("avg"),
    exp.Anonymous: _by_name,
}
