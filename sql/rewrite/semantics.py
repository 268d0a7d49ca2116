"""Spell what Doris computes otherwise than DuckDB, once types are known: one walk, inner nodes first.

    map_size('x')    ->  refused: an argument that its function does not take          signature.py
    array_contains(ints, '3')  ->  a value, or an array, of the other's type           element.py
    ip < '10.0.0.2'  ->  the order of addresses                                       address.py
    text = 4         ->  CAST(text AS DOUBLE) = 4                                     comparison.py
    text + 1         ->  CAST(text AS DOUBLE) + 1, conversions where types meet       meeting.py
    int + int        ->  CAST(int AS BIGINT) + int, the types of arithmetic           arithmetic.py
    SELECT 1         ->  SELECT CAST(1 AS TINYINT), the types of literals             whole_number.py
    a > b > c        ->  (a > b) > c                                                  here

A node that several tables name goes through their rules in this order: only what has been converted is arithmetic
of numbers, and only what has been compared may get brackets.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sql.rewrite import (
    address,
    arithmetic,
    collection,
    comparison,
    element,
    meeting,
    signature,
    table_function,
    whole_number,
)
from sql.rewrite.operand import Rule, convert

_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)


def apply_semantics(tree: exp.Expr) -> exp.Expr:
    """Apply every rule to an annotated tree, in place."""
    for node in reversed(list(tree.walk())):
        for rule in _RULES.get(type(node), ()):
            rule(node)
    return tree


def _bracket(node: exp.Expr) -> None:
    """DuckDB compares a comparison only in brackets."""
    if isinstance(node.this, _COMPARISONS):
        node.set("this", exp.Paren(this=node.this))


def _no_position(node: exp.Expr) -> None:
    """-1 is a value in ORDER BY and GROUP BY; DuckDB takes it for a position."""
    for item in node.expressions:
        value = item.this if isinstance(item, exp.Ordered) else item
        if isinstance(value, exp.Neg) and value.type is not None:
            convert(value, value.type)


def _drop_modifiers(select: exp.Expr) -> None:
    """SQL_NO_CACHE, STRAIGHT_JOIN: hints of MySQL, without meaning here."""
    select.set("operation_modifiers", None)


_OWN: dict[type[exp.Expr], Rule] = {
    **dict.fromkeys(_COMPARISONS, _bracket),
    exp.Select: _drop_modifiers,
    **dict.fromkeys((exp.Order, exp.Group), _no_position),
}


def _in_order(*tables: dict[type[exp.Expr], Rule]) -> dict[type[exp.Expr], Sequence[Rule]]:
    kinds = {kind for table in tables for kind in table}
    return {kind: [table[kind] for table in tables if kind in table] for kind in kinds}


_RULES = _in_order(
    signature.RULES,
    table_function.RULES,
    element.RULES,
    collection.RULES,
    address.RULES,
    comparison.RULES,
    meeting.RULES,
    arithmetic.RULES,
    whole_number.RULES,
    _OWN,
)
