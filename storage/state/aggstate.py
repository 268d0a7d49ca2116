"""AGG_STATE<f(types)>: how a state starts, is merged and finished, as DuckDB text made of agg_function.py's templates.

    f_state(x)   one row's state                  start
    f_union(s)   states of many rows to a state   merge       (also what a GENERIC column does with equal keys)
    f_merge(s)   states of many rows to a result  finish

Pure text: every function here takes and gives DuckDB expressions. Types come from storage/state/layout.py, the
functions that DuckDB lacks from storage/udf.py. `over` is the OVER clause when the aggregate is a window.
Source: Doris documentation, "AGG_STATE", "Combinators".
"""

from __future__ import annotations

from collections.abc import Sequence

from storage.quotient import quotient
from storage.state.agg_function import FUNCTIONS, Function, Types, average_type
from storage.state.layout import canonical, types_of
from storage.types import BITMAP, HLL, QUANTILE_STATE, STATES, DorisType

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
    scale = average_type(types).scale
    return quotient(total, count, (types[0].scale or 0, 0), scale) if scale else f"CAST({total} AS DOUBLE) / {count}"


def _merged_fields(kind: DorisType, state: str, over: str) -> dict[str, str]:
    function = FUNCTIONS[canonical(kind.function)]
    inputs = {name: f"struct_extract({state}, '{name}')" for name in function.merge}
    known = types_of(argument_types(kind))
    return {name: text.format(**inputs, **known, state=state, over=over) for name, text in function.merge.items()}


def _packed(kind: DorisType, fields: dict[str, str]) -> str:
    """A STRUCT of exactly the state's type: literals and empty lists have types of their own otherwise."""
    return f"CAST(struct_pack({', '.join(f'{name} := {text}' for name, text in fields.items())}) AS {kind.duckdb})"
