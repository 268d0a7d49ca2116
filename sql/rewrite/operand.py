"""The operands of an annotated tree: of what kind they are, and how one is converted where it stands."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp
from sqlglot.expressions.datatypes import DType

_T = DType
Rule = Callable[[exp.Expr], None]  # rewrites one node of an annotated tree, in place

TEXTS = frozenset({_T.TEXT, _T.VARCHAR, _T.CHAR})
INTEGERS = frozenset({_T.BOOLEAN, _T.TINYINT, _T.SMALLINT, _T.INT, _T.BIGINT})
NUMBERS = INTEGERS | {_T.INT128, _T.FLOAT, _T.DOUBLE, _T.DECIMAL}
MOMENTS = frozenset({_T.DATE, _T.DATETIME, _T.TIMESTAMP})
_LARGEST_BIGINT = 2**63 - 1


def kind_of(node: exp.Expr | None) -> DType | None:
    """The type of a node, None when nobody noted it."""
    if isinstance(node, exp.Literal) and node.is_int and int(node.name) > _LARGEST_BIGINT:
        return _T.INT128
    return node.type.this if node is not None and node.type is not None else None


def convert(value: exp.Expr, kind: exp.DataType, strict: bool = True) -> None:
    """Put a cast around a node in its tree; strict: what does not fit is an error, unlike in a client's cast."""
    cast = exp.Cast(this=exp.Null(), to=kind.copy())
    cast.type = kind.copy()
    cast.meta["strict"] = strict
    value.replace(cast)
    cast.set("this", value)
