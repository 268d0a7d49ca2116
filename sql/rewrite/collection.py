"""Spell the aggregates that collect values, with the OVER clause they stand under.

    collect_list(x) OVER (…)     ->  COALESCE(list(x) FILTER (WHERE x IS NOT NULL) OVER (…), [])
    collect_list(DISTINCT x)     ->  as COLLECT_SET

Source: Doris: aggregate functions.
"""

from __future__ import annotations

from sqlglot import exp

from sql.dialect.function.collection import DISTINCT, FUNCTIONS
from sql.dialect.function.known import template
from sql.rewrite.operand import Rule
from sql.rewrite.template import put
from storage.errors import NOT_SUPPORTED_YET

_CONCAT = "MULTI_DISTINCT_GROUP_CONCAT"


def _spell(call: exp.Expr) -> None:
    name = call.name.upper()
    if name == _CONCAT and len(call.expressions) in (1, 2):
        _concat(call)
    if name not in FUNCTIONS or not call.expressions:
        return
    first, *others = call.expressions
    if isinstance(first, exp.Distinct):
        if name not in DISTINCT:
            raise NOT_SUPPORTED_YET(what=f"DISTINCT in {name.lower()}")
        name, first = DISTINCT[name], first.expressions[0]
    text = template(name, len(call.expressions))
    if text is not None:
        put(call, text, [first, *others])


def _concat(call: exp.Expr) -> None:
    """MULTI_DISTINCT_GROUP_CONCAT(x [, separator]) is GROUP_CONCAT(DISTINCT x [, separator])."""
    value, *separator = call.expressions
    whole = exp.GroupConcat(this=exp.Distinct(expressions=[value]), separator=separator[0] if separator else None)
    whole.type = call.type
    call.replace(whole)


RULES: dict[type[exp.Expr], Rule] = {exp.Anonymous: _spell}
