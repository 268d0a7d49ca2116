"""Calls of BITMAP, HLL, QUANTILE_STATE and AGG_STATE functions: typed while binding, spelled for DuckDB afterwards.

    bitmap_union(to_bitmap(x))  ->  __doris_bitmap_build(list(x))        one list, not a bitmap a row
    sum_merge(s)                ->  sum(s.v)                             by storage/state/aggstate.py
    COUNT(DISTINCT bitmap)      ->  bitmap_union_count(bitmap)

`name_states` comes before types are inferred, since the types of these functions follow from their arguments;
`spell_states` after it. Source: Doris: AGG_STATE; functions of BITMAP, HLL and QUANTILE_STATE.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from sql.bind.type import inferred, spelled
from sql.dialect.bound import StateAggregate, StateCall
from sql.rewrite.state_function import COMMON, FOLDED, FUNCTIONS, REPEATING, StateFunction, fits
from sql.rewrite.state_use import check_uses
from sql.rewrite.template import put
from storage.errors import ARGUMENT_CONSTANT, NO_SIGNATURE, NOT_SUPPORTED_YET
from storage.naming import PREFIX
from storage.state import aggstate
from storage.types import BIGINT, BITMAP, INT, LARGEINT, TINYINT, DorisType

_COMBINATORS = ("_state", "_merge", "_union", "_combine", "_foreach")
_AGGREGATING = ("", *_COMBINATORS[1:])
# Aggregates that DuckDB lacks or names otherwise: their result is that of their own states.
_PLAIN = frozenset(("sum0", "map_agg", "topn", "group_bit_and", "group_bit_or", "group_bit_xor"))


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
    return None if parts is None else parts[1] in _AGGREGATING


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
    types = [_type(item) for item in node.expressions]
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


def _type(node: exp.Expr) -> DorisType | None:
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
        return _state_type(function, known)
    if suffix == "":
        state = _state_type(function, known)
        return None if state is None else aggstate.result_type(state)
    if suffix == "_foreach":
        inner = [kind.children[0][1] for kind in known if kind.name == "array"]
        state = _state_type(function, inner) if len(inner) == len(known) else None
        return state and DorisType("array", children=(("", aggstate.result_type(state)),))
    fitting = [kind for kind in known if kind.name == "agg_state" and aggstate.same(kind.function, function)]
    if len(known) != 1 or not fitting:
        return None
    return fitting[0] if suffix == "_union" else aggstate.result_type(fitting[0])


def _state_type(function: str, arguments: list[DorisType]) -> DorisType | None:
    if not aggstate.accepts(function, arguments):
        return None
    return DorisType("agg_state", children=tuple(("null", kind) for kind in arguments), function=function)


METADATA: dict[type[exp.Expr], dict[str, Any]] = {
    StateCall: {"annotator": _annotate},
    StateAggregate: {"annotator": _annotate},
}


# -- text ------------------------------------------------------------------------------------------
def spell_states(tree: exp.Expr) -> exp.Expr:
    """Spell every call of an annotated tree, outer ones first, in place."""
    for count in list(tree.find_all(exp.Count)):
        _count_bitmaps(count)
    check_uses(tree)
    for call in list(tree.find_all(StateCall)):
        if call.parent is not None:
            _spell(_fused(call))
    return tree


def _count_bitmaps(count: exp.Count) -> None:
    distinct = count.this
    counted = distinct.expressions if isinstance(distinct, exp.Distinct) else []
    if len(counted) == 1 and _type(counted[0]) == BITMAP:
        count.replace(_typed(StateAggregate(this="bitmap_union_count", expressions=counted), count))


def _typed(node: exp.Expr, like: exp.Expr) -> exp.Expr:
    node.type = like.type
    return node


_OF_UNION = {
    ("bitmap_count", "bitmap_union"): "bitmap_union_count",
    ("hll_cardinality", "hll_union"): "hll_union_agg",
    ("hll_cardinality", "hll_raw_agg"): "hll_union_agg",
}


def _fused(call: StateCall) -> StateCall:
    """``bitmap_count(bitmap_union(x))`` never writes the union."""
    inner = call.expressions[0] if call.expressions else None
    name = _OF_UNION.get((call.this, inner.this)) if isinstance(inner, StateAggregate) else None
    if name is None or not isinstance(inner, StateAggregate):
        return call
    short = StateAggregate(this=name, expressions=inner.expressions)
    short.type = call.type
    call.replace(short)
    inner.set("expressions", [])
    return short


def _spell(call: StateCall) -> None:
    arguments = call.expressions
    function = FUNCTIONS.get(call.this)
    inner = arguments[0] if arguments else None
    fused = function.fused.get(inner.this) if function and isinstance(inner, StateCall) else None
    if fused is not None and isinstance(inner, StateCall):
        text, arguments = fused, inner.expressions
    else:
        text = _function_text(call.this, function, len(arguments)) if function else _combinator_text(call)
    put(call, text, arguments)


def _function_text(name: str, function: StateFunction, arguments: int) -> str:
    if name in FOLDED:
        text = "{0}"
        for place in range(1, arguments):
            text = f"{PREFIX}{function.text}({text}, {{{place}}})"
    elif name in COMMON:
        text = function.text.replace("{n}", "{2}")
        for place in range(3, arguments):
            text = f"{PREFIX}bitmap_and({text}, {function.text.replace('{n}', f'{{{place}}}')})"
    else:
        return function.text
    return f"{PREFIX}bitmap_count({text})" if name.endswith("_count") else text


def _combinator_text(call: StateCall) -> str:
    """A template of a combinator, from the types of its arguments."""
    function, suffix = combinator(call.this) or ("", "")
    places = [f"{{{place}}}" for place in range(len(call.expressions))]
    kind = inferred(call.type)
    assert kind is not None
    if suffix == "_state":
        return aggstate.started(kind, places)
    if suffix == "_combine":
        return aggstate.merged(kind, aggstate.started(kind, places), "{over}")
    if suffix == "_foreach":
        return _foreach_text(function, call)
    if suffix == "":
        plain = _state_type(function, [item for item in map(_type, call.expressions) if item is not None])
        assert plain is not None
        return aggstate.finished(plain, aggstate.started(plain, places), "{over}")
    state = inferred(call.expressions[0].type)
    assert state is not None
    return (aggstate.merged if suffix == "_union" else aggstate.finished)(state, "{0}", "{over}")


_LIST_AGGREGATES = frozenset(("sum", "min", "max", "avg", "count", "any_value"))


def _foreach_text(function: str, call: StateCall) -> str:
    """f over the first elements, the second ones, …; shorter arrays have no element there."""
    kind = inferred(call.type)
    if function not in _LIST_AGGREGATES or kind is None or len(call.expressions) != 1:
        raise NO_SIGNATURE(function=call.this, types=", ".join(str(inferred(item.type)) for item in call.expressions))
    each = f"list_aggregate(list_transform(list({{0}}){{over}}, lambda a: a[i]), '{function}')"
    places = "range(1, coalesce(max(len({0})){over}, 0) + 1)"
    return f"CAST(list_transform({places}, lambda i: {each}) AS {kind.duckdb})"
