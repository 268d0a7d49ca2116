"""Calls of BITMAP, HLL, QUANTILE_STATE and AGG_STATE functions: named and typed.

    to_bitmap(x)   ->  StateCall to_bitmap, a BITMAP
    sum_merge(s)   ->  StateAggregate sum_merge, of the type of the sum

`name_states` comes before types are inferred, since the types of these functions follow from their arguments;
state_spelling.py after it. Source: Doris: AGG_STATE; functions of BITMAP, HLL and QUANTILE_STATE.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from sql.bind.type import inferred, spelled
from sql.dialect.aggregate import AGGREGATING
from sql.dialect.bound import StateAggregate, StateCall
from sql.rewrite.state_function import FUNCTIONS, REPEATING, fits
from storage.errors import ARGUMENT_CONSTANT, NO_SIGNATURE, NOT_SUPPORTED_YET
from storage.state import aggstate
from storage.types import BIGINT, INT, LARGEINT, TINYINT, DorisType, array

_COMBINATORS = ("_state", *AGGREGATING)
# Aggregates that DuckDB lacks or names otherwise: their result is that of their own states.
_PLAIN = frozenset(("sum0", "map_agg", "topn"))


# -- names -----------------------------------------------------------------------------------------
def name_states(tree: exp.Expr) -> exp.Expr:
    """Put a typed node in the place of each call by name, in place."""
    for call in list(tree.find_all(exp.Func)):
        name = (call.name if isinstance(call, exp.Anonymous) else call.sql_name()).lower()
        aggregates = _is_aggregate(name)
        if aggregates is not None:
            arguments = call.expressions if isinstance(call, exp.Anonymous) else [call.this]
            plain = [_each(name, item) for item in arguments]
            call.replace((StateAggregate if aggregates else StateCall)(this=name, expressions=_filled(name, plain)))
    return tree


def _each(name: str, argument: exp.Expr) -> exp.Expr:
    """An argument without its DISTINCT, which says nothing where repeated values count once."""
    if not isinstance(argument, exp.Distinct):
        return argument
    if name not in FUNCTIONS or name in REPEATING:
        raise NOT_SUPPORTED_YET(what=f"DISTINCT in {name}")
    plain: exp.Expr = argument.expressions[0]
    return plain


def _filled(name: str, arguments: list[exp.Expr]) -> list[exp.Expr]:
    """The arguments with the numbers that stand for those left out."""
    function = FUNCTIONS.get(name)
    given = len(arguments) - function.arguments[0] if function else -1
    return arguments if function is None or given < 0 else [*arguments, *map(exp.convert, function.optional[given:])]


def is_state_function(name: str) -> bool:
    """Whether a name is one of a function of this module."""
    return _is_aggregate(name.lower()) is not None


def _is_aggregate(name: str) -> bool | None:
    """Whether a function of this module aggregates; None for all other names."""
    if name in FUNCTIONS:
        return FUNCTIONS[name].aggregate
    parts = combinator(name)
    return None if parts is None else parts[1] in ("", *AGGREGATING)


def combinator(name: str) -> tuple[str, str] | None:
    """Function and combinator of ``sum_merge``; the combinator is empty for ``map_agg`` itself."""
    if name in _PLAIN:
        return name, ""
    for suffix in _COMBINATORS:
        if name.endswith(suffix) and aggstate.find(name.removesuffix(suffix)) is not None:
            return name.removesuffix(suffix), suffix
    return None


# -- types -----------------------------------------------------------------------------------------
def _annotate(_: object, node: StateCall) -> None:
    """Give a call its type; arguments that do not fit raise NO_SIGNATURE or ARGUMENT_CONSTANT."""
    types = [argument_type(item) for item in node.expressions]
    parts = combinator(node.this) if node.this not in FUNCTIONS else None
    if parts is None:
        function = FUNCTIONS[node.this]
        states = [
            None if isinstance(item.unnest(), exp.Null) else kind
            for item, kind in zip(node.expressions, types, strict=True)
        ]
        kind = function.result if fits(node.this, states) else None  # NULL is of every type
        if kind is not None and function.tuned and node.expressions[-1].find(exp.Column, exp.Query):
            raise ARGUMENT_CONSTANT(function=node.this)
    else:
        kind = _combined_type(*parts, types)
    if kind is None:
        raise NO_SIGNATURE(function=node.this, types=", ".join("unknown" if t is None else str(t) for t in types))
    node.type = spelled(kind)


def argument_type(node: exp.Expr) -> DorisType | None:
    """The type of an argument; NULL is a TINYINT as in Doris, and a whole number as wide as it needs to be."""
    plain = node.unnest()
    if isinstance(plain, exp.Null):
        return TINYINT
    number = plain.this if isinstance(plain, exp.Neg) else plain
    if isinstance(number, exp.Literal) and not number.is_string and number.name.isdigit():
        return next((kind for kind in (INT, BIGINT) if int(number.name) <= kind.integer_range[1]), LARGEINT)
    return inferred(node.type)


def _combined_type(function: str, suffix: str, types: list[DorisType | None]) -> DorisType | None:
    """The type of a combinator, None when the arguments do not fit."""
    known = [kind for kind in types if kind is not None]
    if len(known) < len(types):
        return None
    if suffix in ("_state", "_combine"):
        return state_type(function, known)
    if suffix == "":
        state = state_type(function, known)
        return None if state is None else aggstate.result_type(state)
    if suffix == "_foreach":
        inner = [kind.children[0][1] for kind in known if kind.name == "array"]
        state = state_type(function, inner) if len(inner) == len(known) else None
        return state and array(aggstate.result_type(state))
    fitting = [kind for kind in known if kind.name == "agg_state" and aggstate.same(kind.function, function)]
    if len(known) != 1 or not fitting:
        return None
    return fitting[0] if suffix == "_union" else aggstate.result_type(fitting[0])


def state_type(function: str, arguments: list[DorisType]) -> DorisType | None:
    if not aggstate.accepts(function, arguments):
        return None
    return DorisType("agg_state", children=tuple(("null", kind) for kind in arguments), function=function)


METADATA: dict[type[exp.Expr], dict[str, Any]] = {
    StateCall: {"annotator": _annotate},
    StateAggregate: {"annotator": _annotate},
}
