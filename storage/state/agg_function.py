"""The aggregate functions of AGG_STATE: templates that start, merge and finish a state, for aggstate.py to fill in.

Data, and the few forms that several functions share. Source: Doris: AGG_STATE, the aggregate functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from storage.naming import PREFIX
from storage.state.layout import FIELDS
from storage.types import BIGINT, BITMAP, DOUBLE, HLL, LARGEINT, QUANTILE_STATE, VARCHAR, DorisType, array, decimal

Types = Sequence[DorisType]


@dataclass(frozen=True, slots=True)
class Function:
    """One aggregate function: its number of arguments, a template for each field, the result and its type.

    In `start` {0}, {1} are the arguments and {T}, {U}, {S}, {A} types; in `merge` {v} is that field of the input,
    {state} the whole input; in `finish` {v} is the merged field, {mean} the total of AVG by the number of values.
    """

    arguments: tuple[int, int]
    start: dict[str, str]
    merge: dict[str, str]
    finish: str
    result: Callable[[Types], DorisType]


def _sum_type(types: Types) -> DorisType:
    if types[0].name == "decimal":
        return decimal(38, types[0].scale or 0)
    if types[0].name == "largeint":
        return LARGEINT
    return BIGINT if types[0].is_integer or types[0].name == "boolean" else DOUBLE


def average_type(types: Types) -> DorisType:
    """The type of AVG over arguments of these types."""
    return decimal(38, max(types[0].scale or 0, 4)) if types[0].name == "decimal" else DOUBLE


def _always(kind: DorisType) -> Callable[[Types], DorisType]:
    return lambda types: kind


def _first(types: Types) -> DorisType:
    return types[0]


def _array(types: Types) -> DorisType:
    return array(types[0])


def _map(types: Types) -> DorisType:
    return DorisType("map", children=(("", types[0]), ("", types[1])))


def _same(field: str) -> str:
    """The merge of a configuration argument: states that differ in it must not meet."""
    low, high = f"min({{{field}}}){{over}}", f"max({{{field}}}){{over}}"
    message = "error('aggregate states have incompatible configuration arguments')"
    return f"CASE WHEN {low} <> {high} THEN {message} ELSE {low} END"


def _value(merge: str, finish: str = "{v}", result: Callable[[Types], DorisType] = _first) -> Function:
    """A state of one value."""
    return Function((1, 1), {"v": "CAST({0} AS {T})"}, {"v": merge}, finish, result)


def _total(finish: str) -> Function:
    merge = {"v": "CAST(sum({v}){over} AS {S})"}
    return Function((1, 1), {"v": "TRY_CAST({0} AS {S})"}, merge, finish, _sum_type)


def _extreme(merge: str) -> Function:
    """MAX_BY and MIN_BY: a row whose order is NULL does not count."""
    start = {"v": "CAST({0} AS {T})", "o": "CAST({1} AS {U})"}
    over = {"v": f"arg_{merge}_null({{v}}, {{o}}){{over}}", "o": f"{merge}({{o}}){{over}}"}
    return Function((2, 2), start, over, "{v}", _first)


def _list(merge: str, finish: str, result: Callable[[Types], DorisType]) -> Function:
    start = {"v": "CASE WHEN {0} IS NULL THEN CAST([] AS {T}[]) ELSE [CAST({0} AS {T})] END"}
    return Function((1, 1), start, {"v": merge}, finish, result)


_GATHERED = "coalesce(flatten(list({v}){over}), CAST([] AS {T}[]))"
_DISTINCT = f"list_distinct({_GATHERED})"


def _moments(finish: str) -> Function:
    known = "CASE WHEN {0} IS NULL THEN 0 ELSE 1 END"
    start = {"n": known, "mean": "coalesce(CAST({0} AS DOUBLE), 0)", "m2": "0"}
    merged = f"{PREFIX}moments(list({{state}}){{over}})"
    merge = {name: f"struct_extract({merged}, '{name}')" for name in FIELDS["stddev"]}
    return Function((1, 1), start, merge, finish, _always(DOUBLE))


def _united(field: str, union: str, finish: str, result: DorisType, start: str = "{0}") -> Function:
    """A state of bytes that a function over a list of them unites."""
    merge = f"{PREFIX}{union}(list({{{field}}}){{over}})"
    return Function((1, 1), {field: start}, {field: merge}, finish, _always(result))


_ESTIMATE = f"{PREFIX}hll_count({{h}})"
_COUNTED = "CASE WHEN {0} IS NULL THEN 0 ELSE 1 END"
_KEPT = "list_filter({k}, lambda x, i: x IS NOT NULL AND list_position({k}, x) = i)"
_KEPT_VALUES = "list_filter({v}, lambda x, i: ({k})[i] IS NOT NULL AND list_position({k}, ({k})[i]) = i)"

FUNCTIONS: dict[str, Function] = {
    "sum": _total("{v}"),
    "sum0": _total("coalesce({v}, 0)"),
    "count": Function(
        (0, 1), {"v": _COUNTED}, {"v": "CAST(coalesce(sum({v}){over}, 0) AS BIGINT)"}, "{v}", _always(BIGINT)
    ),
    "min": _value("min({v}){over}"),
    "max": _value("max({v}){over}"),
    "any_value": _value("any_value({v}){over}"),
    "group_bit_and": _value("bit_and({v}){over}"),
    "group_bit_or": _value("bit_or({v}){over}"),
    "group_bit_xor": _value("bit_xor({v}){over}"),
    "avg": Function(
        (1, 1),
        {"total": "coalesce(CAST({0} AS {A}), 0)", "n": _COUNTED},
        {"total": "CAST(coalesce(sum({total}){over}, 0) AS {A})", "n": "CAST(coalesce(sum({n}){over}, 0) AS BIGINT)"},
        "CASE WHEN {n} > 0 THEN {mean} END",
        average_type,
    ),
    "group_concat": Function(
        (1, 2),
        {"v": "CAST({0} AS VARCHAR)", "separator": "coalesce(CAST({1} AS VARCHAR), ',')"},
        {
            "v": f"{PREFIX}join(list({{v}}){{over}}, min({{separator}}){{over}})",
            "separator": _same("separator"),
        },
        "CASE WHEN {separator} IS NOT NULL THEN {v} END",  # names both fields, so that both are checked
        _always(VARCHAR),
    ),
    "max_by": _extreme("max"),
    "min_by": _extreme("min"),
    "collect_list": _list(_GATHERED, "{v}", _array),
    "collect_set": _list(_DISTINCT, "{v}", _array),
    "multi_distinct_count": _list(_DISTINCT, "CAST(len({v}) AS BIGINT)", _always(BIGINT)),
    "ndv": _united("h", "hll_union", _ESTIMATE, BIGINT, f"{PREFIX}hll_of(CAST({{0}} AS VARCHAR))"),
    "hll_union": _united("h", "hll_union", "{h}", HLL),
    "hll_union_agg": _united("h", "hll_union", _ESTIMATE, BIGINT),
    "bitmap_union": _united("b", "bitmap_union", "{b}", BITMAP),
    "bitmap_union_count": _united("b", "bitmap_union", f"{PREFIX}bitmap_count({{b}})", BIGINT),
    "quantile_union": _united("q", "quantile_union", "{q}", QUANTILE_STATE),
    "variance": _moments("CASE WHEN {n} > 0 THEN {m2} / {n} END"),
    "variance_samp": _moments("CASE WHEN {n} > 1 THEN {m2} / ({n} - 1) END"),
    "stddev": _moments("CASE WHEN {n} > 0 THEN sqrt({m2} / {n}) END"),
    "stddev_samp": _moments("CASE WHEN {n} > 1 THEN sqrt({m2} / ({n} - 1)) END"),
    "percentile": Function(
        (2, 2),
        {"v": "CASE WHEN {0} IS NULL THEN CAST([] AS DOUBLE[]) ELSE [CAST({0} AS DOUBLE)] END",
         "p": "CAST({1} AS DOUBLE)"},
        {"v": "coalesce(flatten(list({v}){over}), CAST([] AS DOUBLE[]))", "p": _same("p")},
        f"{PREFIX}percentile({{v}}, {{p}})",
        _always(DOUBLE),
    ),
    "map_agg": Function(
        (2, 2),
        {"k": "[CAST({0} AS {T})]", "v": "[CAST({1} AS {U})]"},
        {name: f"coalesce(flatten(list({{{name}}}){{over}}), [])" for name in ("k", "v")},
        f"map({_KEPT}, {_KEPT_VALUES})",
        _map,
    ),
    "topn": Function(
        (2, 3),
        {"v": "CASE WHEN {0} IS NULL THEN CAST([] AS VARCHAR[]) ELSE [CAST({0} AS VARCHAR)] END",
         "n": "CAST({1} AS INTEGER)"},
        {"v": "coalesce(flatten(list({v}){over}), CAST([] AS VARCHAR[]))", "n": _same("n")},
        f"{PREFIX}topn({{v}}, {{n}})",
        _always(VARCHAR),
    ),
}  # fmt: skip
