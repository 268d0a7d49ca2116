"""Spell what Doris computes otherwise than DuckDB, once types are known.

    SUM(int)  ->  CAST(SUM(int) AS BIGINT)      Doris: SUM of integers is BIGINT, an overflow is an error

The deeper differences of functions belong to the function work; this file holds what depends on types.
"""

from __future__ import annotations

from sqlglot import exp
from sqlglot.expressions.datatypes import DType

_T = DType
_INTEGERS = {_T.BOOLEAN, _T.TINYINT, _T.SMALLINT, _T.INT, _T.BIGINT}


def apply_semantics(tree: exp.Expr) -> exp.Expr:
    """Apply every rewrite to an annotated tree, in place."""
    for total in list(tree.find_all(exp.Sum)):
        _narrow_sum(total)
    return tree


def _narrow_sum(total: exp.Sum) -> None:
    """DuckDB sums integers as HUGEINT; windows are cast as a whole."""
    argument = total.this.expressions[0] if isinstance(total.this, exp.Distinct) else total.this
    if argument.type is None or argument.type.this not in _INTEGERS:
        return
    _wrap(total.parent if isinstance(total.parent, exp.Window) else total, _T.BIGINT)


def _wrap(value: exp.Expr, kind: DType) -> None:
    """Put a strict cast around a node in its tree: what does not fit is an error, unlike in a client's cast."""
    cast = exp.Cast(this=exp.Null(), to=exp.DataType(this=kind))
    cast.type = exp.DataType(this=kind)
    cast.meta["strict"] = True
    value.replace(cast)
    cast.set("this", value)
