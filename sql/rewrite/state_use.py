"""Where a state may not stand: BITMAP, HLL, QUANTILE_STATE and AGG_STATE have no order, no equality and no text.

They are handed on by conditions, casts and windows, and used by the functions of sql/rewrite/state_function.py alone.
Source: Doris: BITMAP, HLL; words of the error: apache/doris, Type.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from sql.bind.type import inferred
from sql.dialect.bound import StateCall, TableCall
from storage.errors import STATE_USE
from storage.types import STATES

# What only looks whether there is a state, or hands it on; unknown functions have an error of their own.
_CARRIERS = (
    StateCall, exp.Is, exp.Cast, exp.Case, exp.If, exp.Coalesce, exp.Count, exp.AnyValue, exp.FirstValue, exp.LastValue,
    exp.Lag, exp.Lead, exp.Anonymous, TableCall,
)  # fmt: skip


def check_uses(tree: exp.Expr) -> None:
    """Refuse a state that is compared, ordered, grouped or given to a function of values; raises STATE_USE."""
    for place in tree.find_all(exp.Group, exp.Ordered, exp.Distinct, exp.Window, exp.Predicate, exp.Func):
        if not isinstance(place, _CARRIERS) and any(_is_state(item) for item in _used(place)):
            raise STATE_USE()


def _used(place: exp.Expr) -> Iterable[object]:
    """The expressions whose values a clause or function looks at."""
    if isinstance(place, exp.Window):
        return place.args.get("partition_by") or ()
    if isinstance(place, exp.Distinct) and isinstance(place.parent, exp.Select):
        return place.parent.expressions
    return place.iter_expressions()


def _is_state(item: object) -> bool:
    kind = inferred(item.type) if isinstance(item, exp.Expr) else None
    return kind is not None and kind.name in STATES
