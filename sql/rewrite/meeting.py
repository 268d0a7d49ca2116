"""Let values of different types meet as in Doris, once types are known; what does not fit is NULL, no error.

    text + 1               ->  CAST(text AS DOUBLE) + 1          texts are computed with as DOUBLE
    date + 1               ->  CAST(date AS BIGINT) + 1          moments as numbers
    1 + TRUE               ->  1 + CAST(TRUE AS TINYINT)         and truths
    WHERE text             ->  WHERE CAST(text AS BOOLEAN)
    COALESCE(int, text)    ->  COALESCE(CAST(int AS TEXT), text) branches without a common type are texts

`RULES` are applied to inner nodes first (semantics.py). `met` tells what such a node gives while types are inferred,
so that columns of subqueries and what is computed further have that type. Comparisons: comparison.py.
Source: Doris: data type conversion.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp
from sqlglot.expressions.datatypes import DType

from sql.rewrite.comparison import compare
from sql.rewrite.operand import (
    BIGINT,
    BOOLEAN,
    DATE,
    DATETIME,
    DOCUMENTS,
    DOUBLE,
    INTEGERS,
    MOMENTS,
    NUMBERS,
    TEXT,
    TEXTS,
    TINYINT,
    TRUTHS,
    Rule,
    branches,
    convert_all,
    count_truths,
    kind_of,
    read_numbers,
    reads,
    reads_as_moment,
)

_T = DType
_INTEGER = re.compile(r"\s*[+-]?\d+\s*")


# -- computations ----------------------------------------------------------------------------
def _operands(node: exp.Expr) -> list[exp.Expr]:
    """What a computation or a function of numbers computes with; none where an INTERVAL is added."""
    found = [operand for operand in (node.this, node.args.get("expression")) if isinstance(operand, exp.Expr)]
    if any(isinstance(operand, exp.Interval) for operand in found):
        return []
    return [part for one in found for part in (one.expressions if isinstance(one, exp.Distinct) else [one])]


def _computation(node: exp.Expr) -> None:
    operands = _operands(node)
    convert_all(operands, MOMENTS, BIGINT)
    convert_all(operands, TEXTS | DOCUMENTS, DOUBLE)
    convert_all(operands, TRUTHS, TINYINT)


def _computed(node: exp.Expr) -> exp.DataType | None:
    kinds = {kind_of(operand) for operand in _operands(node)}
    if not kinds & (TEXTS | DOCUMENTS | MOMENTS):
        return None
    return DOUBLE if kinds & (TEXTS | DOCUMENTS) and not isinstance(node, exp.IntDiv) else BIGINT


def _of_numbers(node: exp.Expr) -> None:
    """A function of numbers reads texts as DOUBLE."""
    operands = _operands(node)
    convert_all(operands, TRUTHS, TINYINT)
    convert_all(operands, TEXTS | DOCUMENTS, DOUBLE)


def _of_texts(node: exp.Expr) -> exp.DataType | None:
    return DOUBLE if any(kind_of(operand) in TEXTS | DOCUMENTS for operand in _operands(node)) else None


_NO_BITS = (NUMBERS | TEXTS | MOMENTS) - INTEGERS | TRUTHS


def _bits(node: exp.Expr) -> None:
    """Bits are those of a BIGINT."""
    convert_all(_operands(node), _NO_BITS, BIGINT)


def _of_bits(node: exp.Expr) -> exp.DataType | None:
    return BIGINT if any(kind_of(operand) in _NO_BITS for operand in _operands(node)) else None


def _pattern(node: exp.Expr) -> None:
    """What is matched with a pattern is a text, and the pattern too."""
    convert_all([node.this, node.args["expression"]], NUMBERS | MOMENTS, TEXT)


# -- conditions and branches -----------------------------------------------------------------
def _condition(node: exp.Expr) -> None:
    convert_all(_operands(node), TEXTS, BOOLEAN)


def _join(node: exp.Expr) -> None:
    if (on := node.args.get("on")) is not None:
        convert_all([on], TEXTS, BOOLEAN)


def _if(node: exp.Expr) -> None:
    """IF, and a WHEN of a CASE without operand; the branches of a CASE are for the CASE."""
    case = node.parent if isinstance(node.parent, exp.Case) else None
    if case is None or case.this is None:
        convert_all([node.this], TEXTS, BOOLEAN)
    if case is None:
        _choice(node)


def _case(node: exp.Expr) -> None:
    if node.this is not None:
        compare([node.this, *(when.this for when in node.args["ifs"])])
    _choice(node)


def _choice(node: exp.Expr) -> None:
    values = branches(node)
    if _chosen(node) is not None:
        convert_all(values, NUMBERS | MOMENTS | DOCUMENTS, TEXT)
    elif any(kind_of(value) in NUMBERS for value in values):
        count_truths(read_numbers(values))


def _chosen(node: exp.Expr) -> exp.DataType | None:
    """Branches without a common type are texts."""
    values = branches(node)
    kinds = {kind_of(value) for value in values} - {None, _T.NULL}
    others = kinds - TEXTS
    texts = [value for value in values if kind_of(value) in TEXTS and not _fits(value, others)]
    mixed = (kinds & MOMENTS and kinds & NUMBERS) or (kinds & DOCUMENTS and kinds - DOCUMENTS)
    return TEXT if (texts and others) or mixed else None


def _fits(value: exp.Expr, others: set[DType | None]) -> bool:
    """Whether a text is a literal that can be read as the other branches."""
    if others <= INTEGERS | {_T.INT128}:
        return reads(value, _INTEGER)
    if others <= NUMBERS:
        return reads(value)
    return others <= MOMENTS and reads_as_moment(value, DATE if others == {_T.DATE} else DATETIME)


_COMPUTATIONS = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.IntDiv, exp.Neg)
_BITS = (exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor, exp.BitwiseNot)
_CHOICES = (exp.Coalesce, exp.Greatest, exp.Least)

RULES: dict[type[exp.Expr], Rule] = {
    **dict.fromkeys(_COMPUTATIONS, _computation),
    **dict.fromkeys((
        exp.Sum, exp.Avg, exp.Stddev, exp.StddevPop, exp.StddevSamp, exp.Variance, exp.VariancePop, exp.Corr,
        exp.CovarPop, exp.CovarSamp, exp.Median, exp.Sqrt, exp.Cbrt, exp.Ln, exp.Log, exp.Exp, exp.Pow, exp.Abs,
        exp.Sign, exp.Ceil, exp.Floor, exp.Round, exp.Sin, exp.Cos, exp.Tan, exp.Asin, exp.Acos, exp.Atan,
        exp.Atan2, exp.Radians, exp.Degrees,
    ), _of_numbers),
    **dict.fromkeys((exp.And, exp.Or, exp.Not, exp.Xor, exp.Where, exp.Having, exp.Qualify), _condition),
    **dict.fromkeys(_BITS, _bits),
    **dict.fromkeys((exp.Like, exp.RegexpLike), _pattern),
    exp.Join: _join,
    exp.If: _if,
    exp.Case: _case,
    **dict.fromkeys(_CHOICES, _choice),
}  # fmt: skip

_MET: dict[type[exp.Expr], Callable[[exp.Expr], exp.DataType | None]] = {
    **dict.fromkeys(_COMPUTATIONS, _computed),
    **dict.fromkeys((exp.Sum, exp.Corr, exp.Abs, exp.Ceil, exp.Floor), _of_texts),
    **dict.fromkeys(_BITS, _of_bits),
    **dict.fromkeys((exp.If, exp.Case, *_CHOICES), _chosen),
}
TYPED: tuple[type[exp.Expr], ...] = tuple(_MET)


def met(node: exp.Expr) -> exp.DataType | None:
    """The type of a node of `TYPED` whose operands are converted by a rule; None where none is, or it says nothing."""
    meets = _MET.get(type(node))
    return meets(node) if meets else None
