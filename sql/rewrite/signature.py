"""Refuse arguments that a function of arrays or maps, or PERCENTILE, does not take, and EXPLODE outside LATERAL VIEW.

DuckDB takes some of them for texts and says of the others, in its own words, that they do not fit. What has no known
type is left to it. `RULES` are applied by semantics.py. Source: Doris: SQL functions, array and map functions.
"""

from __future__ import annotations

from sqlglot import exp
from sqlglot.expressions.array import _ExplodeOuter

from sql.rewrite.operand import MOMENTS, Rule, kind_of
from sql.rewrite.state import argument_type
from storage.errors import ARGUMENT_CONSTANT, GENERATOR_PLACE, NO_SIGNATURE, PERCENT_RANGE
from storage.types import DorisType

_ARRAY, _MAP = frozenset({"array"}), frozenset({"map"})
_DOCUMENTS = frozenset({"json", "variant"})  # which become what is asked for
_COUNTED = {"size": _ARRAY | _MAP, "cardinality": _ARRAY | _MAP}


def _takes(name: str, kinds: frozenset[str], several: bool = False) -> Rule:
    """The rule of a function whose first argument, or all with `several`, are of these kinds."""

    def check(call: exp.Expr) -> None:
        given = list(call.iter_expressions())
        _check(name, given, len(given) if several else 1, kinds)

    return check


def _check(name: str, given: list[exp.Expr], count: int, kinds: frozenset[str]) -> None:
    types = [None if isinstance(item.unnest(), exp.Null) else argument_type(item) for item in given]
    if any(not _may_be(kind, kinds) for kind in types[:count]):
        raise NO_SIGNATURE(function=name, types=", ".join("unknown" if kind is None else str(kind) for kind in types))


def _may_be(kind: DorisType | None, kinds: frozenset[str]) -> bool:
    return kind is None or kind.name in kinds | _DOCUMENTS


def _by_name(call: exp.Expr) -> None:
    """The functions without a node of their own: SIZE, CARDINALITY and PERCENTILE."""
    name, given = call.name.lower(), call.expressions
    if name in _COUNTED and len(given) == 1:
        _check(name, given, 1, _COUNTED[name])
    if name == "percentile" and len(given) == 2:
        _refuse_moment(name, given[0])
        _check_fraction(given[1].unnest())


def _check_fraction(value: exp.Expr) -> None:
    """The second argument of PERCENTILE is a constant from 0 to 1."""
    if value.find(exp.Column, exp.Query):
        raise ARGUMENT_CONSTANT(function="percentile")
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


def _generator(name: str) -> Rule:
    """EXPLODE and its kin stand in a LATERAL VIEW and take an array."""

    def check(call: exp.Expr) -> None:
        if not isinstance(call.parent, exp.Lateral):
            raise GENERATOR_PLACE(name=name)
        _check(name, [call.this], 1, _ARRAY)

    return check


RULES: dict[type[exp.Expr], Rule] = {
    exp.ArrayCompact: _takes("array_compact", _ARRAY),
    exp.ArrayConcat: _takes("array_concat", _ARRAY, several=True),
    exp.ArrayContains: _takes("array_contains", _ARRAY),
    exp.ArrayDistinct: _takes("array_distinct", _ARRAY),
    exp.ArrayExcept: _takes("array_except", _ARRAY, several=True),
    exp.ArrayFilter: _takes("array_filter", _ARRAY, several=True),
    exp.ArrayIntersect: _takes("array_intersect", _ARRAY, several=True),
    exp.ArrayMax: _takes("array_max", _ARRAY),
    exp.ArrayMin: _takes("array_min", _ARRAY),
    exp.ArrayPosition: _takes("array_position", _ARRAY),
    exp.ArrayRemove: _takes("array_remove", _ARRAY),
    exp.ArraySize: _takes("array_size", _ARRAY),
    exp.ArraySlice: _takes("array_slice", _ARRAY),
    exp.ArraySort: _takes("array_sort", _ARRAY),
    exp.ArraySum: _takes("array_sum", _ARRAY),
    exp.ArrayToString: _takes("array_join", _ARRAY),
    exp.MapContainsKey: _takes("map_contains_key", _MAP),
    exp.MapKeys: _takes("map_keys", _MAP),
    exp.MapSize: _takes("map_size", _MAP),
    exp.Explode: _generator("explode"),
    _ExplodeOuter: _generator("explode_outer"),
    exp.Posexplode: _generator("posexplode"),
    exp.Avg: _no_moment("avg"),
    exp.Median: _no_moment("median"),
    exp.Anonymous: _by_name,
}
