"""Spell what Doris computes otherwise than DuckDB, once types are known.

    SUM(int)      ->  CAST(SUM(int) AS BIGINT)            Doris: SUM of integers is BIGINT, an overflow is an error
    int + int     ->  CAST(int AS BIGINT) + int           Doris: arithmetic of integers gives the next wider type
    text = 4      ->  TRY_CAST(text AS DOUBLE) = 4        Doris: a text meets a number as DOUBLE, NULL when it is none

The deeper differences of functions belong to the function work; this file holds what depends on types.
"""

from __future__ import annotations

import re

from sqlglot import exp
from sqlglot.expressions.datatypes import DType

_T = DType
_INTEGERS = {_T.BOOLEAN, _T.TINYINT, _T.SMALLINT, _T.INT, _T.BIGINT}


def apply_semantics(tree: exp.Expr) -> exp.Expr:
    """Apply every rewrite to an annotated tree, in place."""
    for total in list(tree.find_all(exp.Sum)):
        _narrow_sum(total)
    for node in list(tree.find_all(*_ARITHMETIC, *_COMPARISONS, exp.Neg, exp.In, exp.Between)):
        _meet(node)
    for node in list(tree.find_all(*_ARITHMETIC)):
        _widen(node)
    for select in tree.find_all(exp.Select):
        select.set("operation_modifiers", None)  # SQL_NO_CACHE, STRAIGHT_JOIN: hints of MySQL, without meaning here
    return tree


_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul)
_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
_TEXTS = {_T.TEXT, _T.VARCHAR, _T.CHAR}
_NUMBERS = {*_INTEGERS, _T.INT128, _T.FLOAT, _T.DOUBLE, _T.DECIMAL}
_WIDER = {_T.BOOLEAN: _T.SMALLINT, _T.TINYINT: _T.SMALLINT, _T.SMALLINT: _T.INT, _T.INT: _T.BIGINT}
_RANK = (_T.BOOLEAN, _T.TINYINT, _T.SMALLINT, _T.INT)


def _kind(node: exp.Expr | None) -> DType | None:
    return node.type.this if node is not None and node.type is not None else None


def _meet(node: exp.Expr) -> None:
    """Let texts that meet numbers be read as DOUBLE; a literal that is a number is left to DuckDB."""
    operands = [operand for operand in node.iter_expressions() if isinstance(operand, exp.Expr)]
    kinds = {_kind(operand) for operand in operands}
    if not kinds & _TEXTS or not (kinds & _NUMBERS or isinstance(node, exp.Neg)):
        return
    for operand in operands:
        if _kind(operand) in _TEXTS and not (_is_number(operand) and not isinstance(node, _ARITHMETIC)):
            _wrap(operand, _T.DOUBLE, strict=False)
    if isinstance(node, _ARITHMETIC):
        node.type = exp.DataType(this=_T.DOUBLE)


def _is_number(operand: exp.Expr) -> bool:
    return isinstance(operand, exp.Literal) and re.fullmatch(r"\s*[+-]?\d+(\.\d+)?\s*", operand.name) is not None


def _widen(node: exp.Expr) -> None:
    """Compute in the next wider integer; what exceeds BIGINT is an error."""
    kinds = [_kind(node.this), _kind(node.args.get("expression"))]
    if not all(kind in _RANK for kind in kinds):
        return
    wider = _WIDER[max((kind for kind in kinds if kind is not None), key=_RANK.index)]
    _wrap(node.this, wider)
    node.type = exp.DataType(this=wider)


def _narrow_sum(total: exp.Sum) -> None:
    """DuckDB sums integers as HUGEINT; windows are cast as a whole."""
    argument = total.this.expressions[0] if isinstance(total.this, exp.Distinct) else total.this
    if argument.type is None or argument.type.this not in _INTEGERS:
        return
    _wrap(total.parent if isinstance(total.parent, exp.Window) else total, _T.BIGINT)


def _wrap(value: exp.Expr, kind: DType, strict: bool = True) -> None:
    """Put a cast around a node in its tree; strict: what does not fit is an error, unlike in a client's cast."""
    cast = exp.Cast(this=exp.Null(), to=exp.DataType(this=kind))
    cast.type = exp.DataType(this=kind)
    cast.meta["strict"] = strict
    value.replace(cast)
    cast.set("this", value)
