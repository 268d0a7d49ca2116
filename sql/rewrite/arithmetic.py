"""What arithmetic gives in Doris: integers the next wider one, quotients and averages of DECIMAL a DECIMAL.

    int + int     ->  CAST(int AS BIGINT) + int           the next wider integer, up to BIGINT
    ABS(int)      ->  ABS(CAST(int AS BIGINT))            and up to LARGEINT
    -int          ->  -CAST(int AS BIGINT)                0 - int, where 0 is an INT; a literal has its sign itself
    LAG(int, 1, bigint)  ->  LAG(CAST(int AS BIGINT), …)  as wide as both
    SUM(int)      ->  CAST(SUM(int) AS BIGINT)            an overflow is an error
    dec / int     ->  quotient.py: a DECIMAL(38, 6)       scale of the left side, and some more
    AVG(dec)      ->  SUM(dec) / COUNT(dec)               scale of the argument, at least 4

Types are worked out here while they are inferred (`METADATA`), so that what is computed further sees them; sqlglot
follows neither through arithmetic. Source: Doris: arithmetic functions, SUM, AVG, DECIMAL.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.expressions.datatypes import DType
from sqlglot.optimizer.annotate_types import TypeAnnotator

from sql.dialect.cast import noted, numbers, sized
from sql.dialect.doris import Doris
from sql.rewrite.meeting import TYPED, met
from sql.rewrite.operand import INTEGERS, Rule, convert, kind_of
from sql.rewrite.session import MORE
from sql.rewrite.template import put
from storage.quotient import quotient
from storage.types import MAX_DECIMAL

_SHIFTS = (exp.Lag, exp.Lead)
_OTHER_OPERAND: dict[type[exp.Expr], str] = {
    **dict.fromkeys((exp.Add, exp.Sub, exp.Mul), "expression"),
    **dict.fromkeys(_SHIFTS, "default"),
    **dict.fromkeys((exp.Neg, exp.Abs), ""),
}  # of what is computed with integers
_SCALED = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Avg)
_NEXT = {
    DType.BOOLEAN: DType.SMALLINT,
    DType.TINYINT: DType.SMALLINT,
    DType.SMALLINT: DType.INT,
    DType.INT: DType.BIGINT,
    DType.BIGINT: DType.INT128,
}  # from the narrowest on
_WIDTHS = list(_NEXT)
_LEAST = 4  # digits of an average
_DIVIDED = "divided"  # meta key of the text of a quotient
_LIKE_FIRST = (
    exp.Paren, exp.Neg, exp.Abs, exp.Sum, exp.Min, exp.Max, exp.AnyValue, exp.Nullif, exp.Window, exp.Distinct,
)  # fmt: skip


def _annotate(annotator: TypeAnnotator, node: exp.Expr) -> exp.Expr:
    """Note the type of a computation: as sqlglot infers it, but for integers, DECIMAL and what is converted first."""
    known = Doris.EXPRESSION_METADATA[type(node)]
    if "annotator" in known:
        known["annotator"](annotator, node)
    else:
        node.type = exp.DataType(this=known["returns"])
    if (kind := met(node) or _exact(node)) is not None:
        node.type = kind.copy()
    return node


def _exact(node: exp.Expr) -> exp.DataType | None:
    if type(node) in _OTHER_OPERAND and (wider := _wider(node)) is not None:
        return exp.DataType(this=wider)
    scale = _computed(node) if isinstance(node, _SCALED) else None
    return _decimal(scale) if scale is not None else None


METADATA: dict[type[exp.Expr], dict[str, Any]] = {
    kind: {"annotator": _annotate} for kind in (*_OTHER_OPERAND, *_SCALED, *TYPED)
}


# -- integers --------------------------------------------------------------------------------
def _wider(node: exp.Expr) -> DType | None:
    """The integer that is computed from integers; None for all else, and where DuckDB's own type is right."""
    other = node.args.get(_OTHER_OPERAND[type(node)])
    kinds = [kind_of(operand) for operand in (node.this, other) if operand is not None]
    if not all(kind in INTEGERS for kind in kinds):
        return None
    widest = max((kind for kind in kinds if kind is not None), key=_WIDTHS.index)
    if isinstance(node, exp.Neg):
        return None if isinstance(node.this, exp.Literal) else DType.BIGINT
    if isinstance(node, _SHIFTS):
        return widest
    return None if widest is DType.BIGINT and not isinstance(node, exp.Abs) else _NEXT[widest]


def _widen(node: exp.Expr) -> None:
    """Compute in the wider integer; what exceeds BIGINT is an error."""
    wider = _wider(node)
    if wider is not None:
        convert(node.this, exp.DataType(this=wider))


def _narrow_sum(total: exp.Expr) -> None:
    """DuckDB sums integers as HUGEINT; windows are cast as a whole."""
    argument = total.this.expressions[0] if isinstance(total.this, exp.Distinct) else total.this
    if kind_of(argument) in INTEGERS:
        convert(_whole(total), exp.DataType(this=DType.BIGINT))


def _whole(call: exp.Expr) -> exp.Expr:
    """An aggregate with its OVER clause."""
    return call.parent if isinstance(call.parent, exp.Window) and call.arg_key == "this" else call


# -- DECIMAL ---------------------------------------------------------------------------------
def _keep_decimal(node: exp.Expr) -> None:
    """Keep a quotient or average DECIMAL that DuckDB computes as DOUBLE.

    Its text names its operands several times: what is divided again, or asks another table, is cast only.
    """
    scale = _computed(node)
    if scale is None:
        return
    kind = _decimal(scale)
    if any(part.meta.get(_DIVIDED) or isinstance(part, exp.Query) for part in node.walk()):
        convert(_whole(node), kind)
        return
    divided = (
        _average(node, min(scale, MAX_DECIMAL))
        if isinstance(node, exp.Avg)
        else _quotient(node, min(scale, MAX_DECIMAL))
    )
    divided.meta[_DIVIDED] = True
    convert(divided, kind)


def _quotient(node: exp.Expr, scale: int) -> exp.Expr:
    operands = (node.this, node.args["expression"])
    left, right = (_scale(operand) or 0 for operand in operands)
    return put(node, quotient("{0}", "{1}", (left, right), scale), operands)


def _average(node: exp.Avg, scale: int) -> exp.Expr:
    """The sum, which is exact, by the number of values."""
    is_distinct = isinstance(node.this, exp.Distinct)
    argument = node.this.expressions[0] if is_distinct else node.this
    values = "(DISTINCT {0}){over}" if is_distinct else "({0}){over}"
    return put(node, quotient(f"SUM{values}", f"COUNT{values}", (_scale(argument) or 0, 0), scale), [argument])


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
    return left + int(node.meta.get(MORE, 0))


def _of_average(node: exp.Avg) -> int | None:
    scale = _scale(node.this)
    return max(scale, _LEAST) if scale is not None and _is_decimal(node.this) else None


def _decimal(scale: int) -> exp.DataType:
    return sized(DType.DECIMAL, MAX_DECIMAL, min(scale, MAX_DECIMAL))


def _is_decimal(node: exp.Expr) -> bool:
    """Whether a value whose scale is known is DECIMAL; all others of them are integers."""
    return bool(_scale(node)) or kind_of(node) is DType.DECIMAL


def _scale(node: exp.Expr | None) -> int | None:
    """Digits behind the point of a DECIMAL, 0 of an integer; None for all that is no exact number."""
    if isinstance(node, exp.Literal):
        return None if node.is_string or "e" in node.name.lower() else len(node.name.partition(".")[2])
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
    if isinstance(node, exp.Cast | exp.Column | exp.Subquery | exp.Count | exp.Div | exp.Avg):
        return _of_type(noted(node))
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


RULES: dict[type[exp.Expr], Rule] = {
    exp.Sum: _narrow_sum,
    **dict.fromkeys(_OTHER_OPERAND, _widen),
    **dict.fromkeys((exp.Div, exp.Avg), _keep_decimal),
}
