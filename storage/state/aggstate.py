"""AGG_STATE<f(types)>: how each aggregate function starts, merges and finishes its state, as DuckDB text.

    f_state(x)   one row's state                  start
    f_union(s)   states of many rows to a state   merge       (also what a GENERIC column does with equal keys)
    f_merge(s)   states of many rows to a result  finish

Pure text: every function here takes and gives DuckDB expressions. Types come from storage/state/layout.py, the
functions that DuckDB lacks from storage/udf.py. `over` is the OVER clause when the aggregate is a window.
Source: Doris documentation, "AGG_STATE", "Combinators".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from storage.naming import PREFIX
from storage.quotient import quotient
from storage.state.layout import FIELDS, canonical, types_of
from storage.types import BIGINT, BITMAP, DOUBLE, HLL, LARGEINT, QUANTILE_STATE, STATES, VARCHAR, DorisType, decimal

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


def _average_type(types: Types) -> DorisType:
    return decimal(38, max(types[0].scale or 0, 4)) if types[0].name == "decimal" else DOUBLE


def _always(kind: DorisType) -> Callable[[Types], DorisType]:
    return lambda types: kind


def _first(types: Types) -> DorisType:
    return types[0]


def _array(types: Types) -> DorisType:
    return DorisType("array", children=(("", types[0]),))


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
    return Function((1, 1), {"v": "CAST({0} AS {S})"}, merge, finish, _sum_type)


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
        _average_type,
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

_NUMERIC = frozenset((
    "sum", "sum0", "avg", "stddev", "stddev_samp", "variance", "variance_samp", "percentile", "group_bit_and",
    "group_bit_or", "group_bit_xor",
))  # fmt: skip
_STATE_ARGUMENTS = {
    **dict.fromkeys(("bitmap_union", "bitmap_union_count"), BITMAP),
    **dict.fromkeys(("hll_union", "hll_union_agg"), HLL),
    "quantile_union": QUANTILE_STATE,
}


def find(function: str) -> Function | None:
    """The function of that name, by any of its names."""
    return FUNCTIONS.get(canonical(function))


def same(one: str, other: str) -> bool:
    """Whether two names mean one function."""
    return canonical(one) == canonical(other)


def accepts(function: str, arguments: Types) -> bool:
    """Whether a function may have so many arguments of these types."""
    found = find(function)
    if found is None or not found.arguments[0] <= len(arguments) <= found.arguments[1]:
        return False
    if not arguments:
        return True
    wanted, first = _STATE_ARGUMENTS.get(canonical(function)), arguments[0]
    if canonical(function) in _NUMERIC:
        return first.is_numeric or first.is_text
    return first == wanted if wanted else first.name not in STATES


def argument_types(kind: DorisType) -> tuple[DorisType, ...]:
    """The argument types of an AGG_STATE."""
    return tuple(argument for _, argument in kind.children)


def result_type(kind: DorisType) -> DorisType:
    """The type of f_merge over states of `kind`."""
    return FUNCTIONS[canonical(kind.function)].result(argument_types(kind))


def started(kind: DorisType, values: Sequence[str]) -> str:
    """The state of one row whose arguments are these DuckDB expressions."""
    known = types_of(argument_types(kind))
    given = [*values, "NULL", "NULL"] if values else ["1", "NULL"]  # COUNT() counts every row
    start = FUNCTIONS[canonical(kind.function)].start
    return _packed(kind, {name: text.format(*given, **known) for name, text in start.items()})


def merged(kind: DorisType, state: str, over: str = "") -> str:
    """The aggregate that makes one state of all states in a group."""
    return _packed(kind, _merged_fields(kind, state, over))


def finished(kind: DorisType, state: str, over: str = "") -> str:
    """The aggregate that makes the function's result of all states in a group."""
    fields, types = _merged_fields(kind, state, over), argument_types(kind)
    if "total" in fields:
        fields["mean"] = _mean(fields["total"], fields["n"], types)
    return FUNCTIONS[canonical(kind.function)].finish.format(**fields, **types_of(types))


def _mean(total: str, count: str, types: Types) -> str:
    scale = _average_type(types).scale
    return quotient(total, count, (types[0].scale or 0, 0), scale) if scale else f"CAST({total} AS DOUBLE) / {count}"


def _merged_fields(kind: DorisType, state: str, over: str) -> dict[str, str]:
    function = FUNCTIONS[canonical(kind.function)]
    inputs = {name: f"struct_extract({state}, '{name}')" for name in function.merge}
    known = types_of(argument_types(kind))
    return {name: text.format(**inputs, **known, state=state, over=over) for name, text in function.merge.items()}


def _packed(kind: DorisType, fields: dict[str, str]) -> str:
    """A STRUCT of exactly the state's type: literals and empty lists have types of their own otherwise."""
    return f"CAST(struct_pack({', '.join(f'{name} := {text}' for name, text in fields.items())}) AS {kind.duckdb})"
