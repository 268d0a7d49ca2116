"""Keep DECIMAL what DuckDB computes as DOUBLE: quotients and averages (Doris: DECIMAL).

    a / b      scale of a, and 4 more
    AVG(a)     scale of a, at least 4

Scales are worked out here, and noted while types are inferred: sqlglot does not follow them through arithmetic.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.expressions.datatypes import DType
from sqlglot.optimizer.annotate_types import TypeAnnotator

from sql.dialect.cast import numbers
from sql.dialect.doris import Doris
from sql.rewrite.meeting import INTEGERS, kind_of, wrap
from storage.types import MAX_DECIMAL

_MORE = 4  # Doris: div_precision_increment
_LIKE_FIRST = (
    exp.Paren,
    exp.Neg,
    exp.Abs,
    exp.Sum,
    exp.Min,
    exp.Max,
    exp.AnyValue,
    exp.Nullif,
    exp.Window,
    exp.Distinct,
)


def keep_decimals(tree: exp.Expr) -> None:
    """Cast the quotients and averages of an annotated tree, in place, inner ones first."""
    for node in reversed(list(tree.find_all(exp.Div, exp.Avg))):
        scale = _computed(node)
        if scale is not None:
            whole = node.parent if isinstance(node.parent, exp.Window) and node.arg_key == "this" else node
            wrap(whole, _decimal(scale))


def _annotate(annotator: TypeAnnotator, node: exp.Expr) -> exp.Expr:
    """Types as sqlglot infers them, with the scale of a DECIMAL."""
    known = Doris.EXPRESSION_METADATA[type(node)]
    if "annotator" in known:
        known["annotator"](annotator, node)
    else:
        node.type = exp.DataType(this=known["returns"])
    scale = _computed(node)
    if scale is not None:
        node.type = _decimal(scale)
    return node


_COMPUTED = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Avg)
METADATA: dict[type[exp.Expr], dict[str, Any]] = {kind: {"annotator": _annotate} for kind in _COMPUTED}


def _computed(node: exp.Expr) -> int | None:
    """The scale of a computed DECIMAL; None when another type is computed."""
    if isinstance(node, exp.Avg):
        return _of_average(node)
    if isinstance(node, exp.Div):
        return _of_quotient(node)
    return _of_both(node) if _is_decimal(node.this) or _is_decimal(node.args["expression"]) else None


def _of_quotient(node: exp.Expr) -> int | None:
    left, right = _scale(node.this), _scale(node.args["expression"])
    if left is None or right is None or not (_is_decimal(node.this) or _is_decimal(node.args["expression"])):
        return None
    return left + _MORE


def _of_average(node: exp.Avg) -> int | None:
    scale = _scale(node.this)
    return max(scale, _MORE) if scale is not None and _is_decimal(node.this) else None


def _decimal(scale: int) -> exp.DataType:
    sizes = (MAX_DECIMAL, min(scale, MAX_DECIMAL))
    return exp.DataType(
        this=DType.DECIMAL, expressions=[exp.DataTypeParam(this=exp.Literal.number(size)) for size in sizes]
    )


def _is_decimal(node: exp.Expr) -> bool:
    """Whether a value whose scale is known is DECIMAL; all others of them are integers."""
    return bool(_scale(node)) or kind_of(node) is DType.DECIMAL


def _scale(node: exp.Expr | None) -> int | None:
    """Digits behind the point of a DECIMAL, 0 of an integer; None for all that is no exact number."""
    if isinstance(node, exp.Literal):
        return None if node.is_string or "e" in node.name.lower() else len(node.name.partition(".")[2])
    if isinstance(node, exp.Cast):
        return _of_type(node.args["to"])
    if isinstance(node, exp.Add | exp.Sub | exp.Mul | exp.Mod):
        return _of_both(node)
    if isinstance(node, _LIKE_FIRST):
        return _scale(node.expressions[0] if isinstance(node, exp.Distinct) else node.this)
    if isinstance(node, exp.Coalesce | exp.Greatest | exp.Least):
        return _common([node.this, *node.expressions])
    if isinstance(node, exp.If):
        return _common([node.args["true"], node.args.get("false")])
    if isinstance(node, exp.Case):
        return _common([*(when.args["true"] for when in node.args["ifs"]), node.args.get("default")])
    if isinstance(node, exp.Column | exp.Subquery | exp.Count | exp.Div | exp.Avg):
        return _of_type(node.type)
    return 0 if kind_of(node) in INTEGERS else None


def _of_type(kind: exp.DataType | None) -> int | None:
    if kind is None:
        return None
    if kind.this is DType.DECIMAL:
        sizes = numbers(kind)
        return sizes[1] if len(sizes) > 1 else 0 if sizes else None
    return 0 if kind.this in INTEGERS or kind.this is DType.INT128 else None


def _of_both(node: exp.Expr) -> int | None:
    left, right = _scale(node.this), _scale(node.args["expression"])
    if left is None or right is None:
        return None
    return left + right if isinstance(node, exp.Mul) else max(left, right)


def _common(values: list[exp.Expr | None]) -> int | None:
    """The largest scale of branches, NULLs aside."""
    scales = [_scale(value) for value in values if value is not None and not isinstance(value, exp.Null)]
    known = [scale for scale in scales if scale is not None]
    return max(known) if known and len(known) == len(scales) else None
