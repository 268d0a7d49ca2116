"""GROUP_CONCAT in DuckDB's words (Doris: GROUP_CONCAT)."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect.text import text_of
from storage.naming import PREFIX

_ALL, _ITEM, _PLACE = PREFIX + "all", PREFIX + "item", PREFIX + "place"


def group_concat(generator: Generator, node: exp.Expr) -> str:
    """``GROUP_CONCAT(DISTINCT x ORDER BY y, ';')``; the separator is a comma if not given.

    DuckDB's own takes a constant separator, and orders distinct values by themselves only.
    """
    value, order = node.this, ""
    if isinstance(value, exp.Order):
        order, value = generator.sql(exp.Order(expressions=value.expressions)), value.this
    is_distinct = isinstance(value, exp.Distinct)
    value = value.expressions[0] if is_distinct else value
    text = text_of(generator, value)
    given = node.args.get("separator") or exp.Literal.string(",")
    separator = generator.sql(given)
    if isinstance(given, exp.Literal) and not (is_distinct and _orders_by_other(node.this, value)):
        return f"string_agg({'DISTINCT ' if is_distinct else ''}{text}, {separator}{order})"
    listed = f"list({text}{order}) FILTER (WHERE {text} IS NOT NULL)"
    texts = _firsts(listed) if is_distinct else listed
    return f"{PREFIX}join({texts}, {separator if isinstance(given, exp.Literal) else f'first({separator})'})"


def _orders_by_other(call: exp.Expr, value: exp.Expr) -> bool:
    return isinstance(call, exp.Order) and any(item.this != value for item in call.expressions)


def _firsts(array: str) -> str:
    """An array without what is in it already."""
    kept = f"list_filter({_ALL}, lambda {_ITEM}, {_PLACE}: list_position({_ALL}, {_ITEM}) = {_PLACE})"
    return f"list_transform([{array}], lambda {_ALL}: {kept})[1]"
