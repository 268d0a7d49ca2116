"""Calls of BITMAP, HLL, QUANTILE_STATE and AGG_STATE functions (state.py) in DuckDB's words, once types are known.

    bitmap_union(to_bitmap(x))  ->  __doris_bitmap_build(list(x))        one list, not a bitmap a row
    sum_merge(s)                ->  sum(s.v)                             by storage/state/aggstate.py
    COUNT(DISTINCT bitmap)      ->  bitmap_union_count(bitmap)

Source: Doris: AGG_STATE; functions of BITMAP, HLL and QUANTILE_STATE.
"""

from __future__ import annotations

from sqlglot import exp

from sql.bind.type import inferred
from sql.dialect.bound import StateAggregate, StateCall
from sql.rewrite.state import argument_type, combinator, state_type
from sql.rewrite.state_function import COMMON, FOLDED, FUNCTIONS, StateFunction
from sql.rewrite.state_use import check_uses
from sql.rewrite.template import put
from storage.errors import NO_SIGNATURE
from storage.naming import PREFIX
from storage.state import aggstate
from storage.types import BITMAP


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
    if len(counted) == 1 and argument_type(counted[0]) == BITMAP:
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
        plain = state_type(function, [item for item in map(argument_type, call.expressions) if item is not None])
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
