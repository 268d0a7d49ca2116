"""Spell what Doris computes otherwise than DuckDB, once types are known.

    SUM(int)      ->  CAST(SUM(int) AS BIGINT)            Doris: SUM of integers is BIGINT, an overflow is an error
    int + int     ->  CAST(int AS BIGINT) + int           Doris: arithmetic of integers gives the next wider type
    text = 4      ->  TRY_CAST(text AS DOUBLE) = 4        Doris: conversions where types meet (meeting.py)
    dec / int     ->  CAST(dec / int AS DECIMAL(38, 6))   Doris: DECIMAL quotients and averages (quotient.py)

The deeper differences of functions belong to the function work; this file holds what depends on types.
"""

from __future__ import annotations

from sqlglot import exp
from sqlglot.expressions.datatypes import DType

from sql.rewrite.meeting import INTEGERS, kind_of, meet, wrap
from sql.rewrite.quotient import keep_decimals

_T = DType
_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul)
_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
_WIDER = {_T.BOOLEAN: _T.SMALLINT, _T.TINYINT: _T.SMALLINT, _T.SMALLINT: _T.INT, _T.INT: _T.BIGINT}
_RANK = (_T.BOOLEAN, _T.TINYINT, _T.SMALLINT, _T.INT)


def apply_semantics(tree: exp.Expr) -> exp.Expr:
    """Apply every rewrite to an annotated tree, in place."""
    for total in list(tree.find_all(exp.Sum)):
        _narrow_sum(total)
    meet(tree)
    for node in list(tree.find_all(*_ARITHMETIC)):
        _widen(node)
    keep_decimals(tree)
    for node in list(tree.find_all(*_COMPARISONS)):
        _bracket(node)
    for select in tree.find_all(exp.Select):
        select.set("operation_modifiers", None)  # SQL_NO_CACHE, STRAIGHT_JOIN: hints of MySQL, without meaning here
    return tree


def _bracket(node: exp.Expr) -> None:
    """``a > b > c`` compares the first comparison; DuckDB wants it in brackets."""
    if isinstance(node.this, _COMPARISONS):
        node.set("this", exp.Paren(this=node.this))


def _widen(node: exp.Expr) -> None:
    """Compute in the next wider integer; what exceeds BIGINT is an error."""
    kinds = [kind_of(node.this), kind_of(node.args.get("expression"))]
    if not all(kind in _RANK for kind in kinds):
        return
    wider = _WIDER[max((kind for kind in kinds if kind is not None), key=_RANK.index)]
    wrap(node.this, exp.DataType(this=wider))
    node.type = exp.DataType(this=wider)


def _narrow_sum(total: exp.Sum) -> None:
    """DuckDB sums integers as HUGEINT; windows are cast as a whole."""
    argument = total.this.expressions[0] if isinstance(total.this, exp.Distinct) else total.this
    if kind_of(argument) in INTEGERS:
        wrap(total.parent if isinstance(total.parent, exp.Window) else total, exp.DataType(this=_T.BIGINT))
