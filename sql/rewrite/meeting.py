"""Let values of different types meet as in Doris, once types are known; what does not fit is NULL, no error.

    text = 4               ->  CAST(text AS DOUBLE) = 4          texts meet numbers as DOUBLE
    date > '2024-01-31'    ->  date > DATE '2024-01-31'          texts and numbers meet moments as moments
    date + 1               ->  CAST(date AS BIGINT) + 1          moments are computed with as numbers
    1 + TRUE               ->  1 + CAST(TRUE AS TINYINT)         and truths
    WHERE text             ->  WHERE CAST(text AS BOOLEAN)
    COALESCE(int, text)    ->  COALESCE(CAST(int AS TEXT), text) branches without a common type are texts

`RULES` are applied to inner nodes first (semantics.py).
Source: Doris: data type conversion.
"""

from __future__ import annotations

import re

from sqlglot import exp
from sqlglot.expressions.datatypes import DType

from sql.dialect.cast import NUMBER, literal_text, sized
from sql.rewrite.operand import INTEGERS, MOMENTS, NUMBERS, TEXTS, Rule, convert, kind_of

_T = DType
_TRUTHS = frozenset({_T.BOOLEAN})
_INTEGER = re.compile(r"\s*[+-]?\d+\s*")

_BOOLEAN = exp.DataType(this=_T.BOOLEAN)
_DOUBLE = exp.DataType(this=_T.DOUBLE)
_BIGINT = exp.DataType(this=_T.BIGINT)
_TINYINT = exp.DataType(this=_T.TINYINT)
_TEXT = exp.DataType(this=_T.TEXT)
_DATE = exp.DataType(this=_T.DATE)
_DATETIME = sized(_T.DATETIME, 6)


def _as(operands: list[exp.Expr], kinds: frozenset[DType], kind: exp.DataType) -> bool:
    """Convert the operands that are of some kinds; whether there were any."""
    found = [operand for operand in operands if kind_of(operand) in kinds]
    for operand in found:
        convert(operand, kind, strict=False)
    return bool(found)


# -- comparisons -----------------------------------------------------------------------------
def _comparison(node: exp.Expr) -> None:
    _compare([node.this, *(node.args.get(key) for key in ("expression", "low", "high"))])


def _membership(node: exp.Expr) -> None:
    """IN a list, or in the columns of a SELECT."""
    query = node.args.get("query")
    select = query.unnest() if query is not None else None
    if not isinstance(select, exp.Select):
        _compare([node.this, *node.expressions])
        return
    sides = node.this.expressions if isinstance(node.this, exp.Tuple) else [node.this]
    for side, column in zip(sides, select.expressions, strict=False):
        _compare([side, column])


def _compare(found: list[exp.Expr | None]) -> None:
    operands = [operand.unalias() for operand in found if operand is not None and not isinstance(operand, exp.Tuple)]
    kinds = {kind_of(operand) for operand in operands}
    if kinds & MOMENTS:
        for operand in operands:
            if kind_of(operand) in TEXTS | NUMBERS:
                convert(operand, _moment(operand, kinds), strict=False)
    elif kinds & NUMBERS:
        _count_truths(operands)
        _as([operand for operand in operands if not _reads(operand, NUMBER)], TEXTS, _DOUBLE)


def _count_truths(operands: list[exp.Expr]) -> None:
    """TRUE is 1 where it is compared with, or chosen among, other numbers than integers."""
    if {kind_of(operand) for operand in operands} & (NUMBERS - INTEGERS):
        _as(operands, _TRUTHS, _TINYINT)


def _moment(operand: exp.Expr, kinds: set[DType | None]) -> exp.DataType:
    """A date that is written in full meets dates as one; all else is a moment."""
    is_date = _reads_as_moment(operand, _DATE) and not kinds & (MOMENTS - {_T.DATE})
    return _DATE if is_date else _DATETIME


def _reads(operand: exp.Expr, pattern: re.Pattern[str]) -> bool:
    """Whether an operand is a literal that DuckDB reads by the type of what it meets."""
    return isinstance(operand, exp.Literal) and pattern.fullmatch(operand.name) is not None


def _reads_as_moment(operand: exp.Expr, kind: exp.DataType) -> bool:
    return literal_text(operand, kind) is not None and (kind is _DATETIME or len(operand.name) == len("2024-01-31"))


def _null_if(node: exp.Expr) -> None:
    """NULLIF keeps the type of its first argument."""
    first, second = node.this, node.expression
    if kind_of(second) in TEXTS and kind_of(first) in NUMBERS and not _reads(second, NUMBER):
        convert(second, _DOUBLE, strict=False)
    elif kind_of(first) in NUMBERS and kind_of(second) in MOMENTS:
        convert(second, _BIGINT, strict=False)
    elif kind_of(second) in TEXTS | NUMBERS and kind_of(first) in MOMENTS:
        convert(second, _moment(second, {kind_of(first)}), strict=False)
    elif kind_of(first) in TEXTS and kind_of(second) not in TEXTS:
        convert(second, _TEXT, strict=False)


# -- computations ----------------------------------------------------------------------------
def _computation(node: exp.Expr) -> None:
    operands = [operand for operand in node.iter_expressions() if isinstance(operand, exp.Expr)]
    if any(isinstance(operand, exp.Interval) for operand in operands):
        return
    with_moments = _as(operands, MOMENTS, _BIGINT)
    with_texts = _as(operands, TEXTS, _DOUBLE)
    _as(operands, _TRUTHS, _TINYINT)
    if (with_moments or with_texts) and not isinstance(node, exp.IntDiv):
        node.type = (_DOUBLE if with_texts else _BIGINT).copy()


def _of_numbers(node: exp.Expr) -> None:
    """A function of numbers reads texts as DOUBLE."""
    operands = [operand for operand in (node.this, node.args.get("expression")) if isinstance(operand, exp.Expr)]
    inner = [
        part
        for operand in operands
        for part in (operand.expressions if isinstance(operand, exp.Distinct) else [operand])
    ]
    _as(inner, _TRUTHS, _TINYINT)
    if _as(inner, TEXTS, _DOUBLE):
        node.type = _DOUBLE.copy()


def _bits(node: exp.Expr) -> None:
    """Bits are those of a BIGINT."""
    operands = [operand for operand in (node.this, node.args.get("expression")) if operand is not None]
    _as(operands, (NUMBERS | TEXTS | MOMENTS) - INTEGERS | {_T.BOOLEAN}, _BIGINT)


def _pattern(node: exp.Expr) -> None:
    """What is matched with a pattern is a text, and the pattern too."""
    _as([node.this, node.args["expression"]], NUMBERS | MOMENTS, _TEXT)


# -- conditions and branches -----------------------------------------------------------------
def _condition(node: exp.Expr) -> None:
    _as([part for part in (node.this, node.args.get("expression")) if isinstance(part, exp.Expr)], TEXTS, _BOOLEAN)


def _join(node: exp.Expr) -> None:
    if (on := node.args.get("on")) is not None:
        _as([on], TEXTS, _BOOLEAN)


def _if(node: exp.Expr) -> None:
    """IF, and a WHEN of a CASE without operand; the branches of a CASE are for the CASE."""
    case = node.parent if isinstance(node.parent, exp.Case) else None
    if case is None or case.this is None:
        _as([node.this], TEXTS, _BOOLEAN)
    if case is None:
        _branch(node, [node.args["true"], node.args.get("false")])


def _case(node: exp.Expr) -> None:
    whens = node.args["ifs"]
    if node.this is not None:
        _compare([node.this, *(when.this for when in whens)])
    _branch(node, [*(when.args["true"] for when in whens), node.args.get("default")])


def _first_of(node: exp.Expr) -> None:
    _branch(node, [node.this, *node.expressions])


def _branch(node: exp.Expr, found: list[exp.Expr | None]) -> None:
    values = [value for value in found if value is not None]
    kinds = {kind_of(value) for value in values} - {None, _T.NULL}
    others = kinds - TEXTS
    texts = [value for value in values if kind_of(value) in TEXTS and not _fits(value, others)]
    if (texts and others) or (kinds & MOMENTS and kinds & NUMBERS):
        _as(values, NUMBERS | MOMENTS, _TEXT)
        node.type = _TEXT.copy()
    _count_truths(values)


def _fits(value: exp.Expr, others: set[DType | None]) -> bool:
    """Whether a text is a literal that can be read as the other branches."""
    if others <= INTEGERS | {_T.INT128}:
        return _reads(value, _INTEGER)
    if others <= NUMBERS:
        return _reads(value, NUMBER)
    return others <= MOMENTS and _reads_as_moment(value, _DATE if others == {_T.DATE} else _DATETIME)


RULES: dict[type[exp.Expr], Rule] = {
    **dict.fromkeys((exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between), _comparison),
    exp.In: _membership,
    **dict.fromkeys((exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.IntDiv, exp.Neg), _computation),
    **dict.fromkeys((
        exp.Sum, exp.Avg, exp.Stddev, exp.StddevPop, exp.StddevSamp, exp.Variance, exp.VariancePop, exp.Corr,
        exp.CovarPop, exp.CovarSamp, exp.Median, exp.Sqrt, exp.Cbrt, exp.Ln, exp.Log, exp.Exp, exp.Pow, exp.Abs,
        exp.Sign, exp.Ceil, exp.Floor, exp.Round, exp.Sin, exp.Cos, exp.Tan, exp.Asin, exp.Acos, exp.Atan,
        exp.Radians, exp.Degrees,
    ), _of_numbers),
    **dict.fromkeys((exp.And, exp.Or, exp.Not, exp.Xor, exp.Where, exp.Having, exp.Qualify), _condition),
    **dict.fromkeys((exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor, exp.BitwiseNot), _bits),
    **dict.fromkeys((exp.Like, exp.RegexpLike), _pattern),
    exp.Join: _join,
    exp.If: _if,
    exp.Case: _case,
    exp.Nullif: _null_if,
    **dict.fromkeys((exp.Coalesce, exp.Greatest, exp.Least), _first_of),
}  # fmt: skip
