"""Let text fields count as numbers where an expression uses them so: `v2 = v * 2`, `delete: op > 3`.

    v * 2  ->  CAST(v AS DOUBLE) * 2      (Doris: implicit conversion of VARCHAR in arithmetic and comparison)

The fields of a load are all text; a text that is no number counts as NULL.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlglot import exp
from sqlglot.expressions.datatypes import DType

_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.Neg)
_COMPARISONS = (exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.In, exp.Between)


def as_numbers(tree: exp.Expr, fields: Collection[str]) -> exp.Expr:
    """Cast the named fields (lower case) in arithmetic, and in comparison with numbers, to DOUBLE; changes the tree."""
    for node in list(tree.find_all(*_ARITHMETIC)):
        _cast_operands(node, fields)
    for node in list(tree.find_all(*_COMPARISONS)):
        if any(_is_number(operand) for operand in _operands(node)):
            _cast_operands(node, fields)
    return tree


def _operands(node: exp.Expr) -> list[exp.Expr]:
    return [operand.unnest() for operand in node.iter_expressions()]


def _is_number(node: exp.Expr) -> bool:
    return (isinstance(node, exp.Literal) and not node.is_string) or isinstance(node, _ARITHMETIC)


def _cast_operands(node: exp.Expr, fields: Collection[str]) -> None:
    for operand in _operands(node):
        if isinstance(operand, exp.Column) and operand.name.lower() in fields:
            operand.replace(exp.Cast(this=operand.copy(), to=exp.DataType(this=DType.DOUBLE)))
