"""Let values of different types be compared as in Doris: each with what it meets.

    text = 4               ->  CAST(text AS DOUBLE) = 4          texts meet numbers as DOUBLE
    int = '1.5'            ->  int = 1.5                         those that are written as numbers as what they are
    truth = 'true'         ->  truth = TRUE
    date > '2024-01-31'    ->  date > DATE '2024-01-31'          texts and numbers meet moments as moments

Source: Doris: data type conversion.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlglot import exp
from sqlglot.expressions.datatypes import DType

from sql.rewrite.operand import (
    BIGINT,
    BOOLEAN,
    DATE,
    DATETIME,
    DOCUMENTS,
    DOUBLE,
    MOMENTS,
    NUMBERS,
    TEXT,
    TEXTS,
    TRUTHS,
    Rule,
    convert,
    convert_all,
    count_truths,
    kind_of,
    read_numbers,
    reads,
    reads_as_moment,
)
from storage.errors import JSON_COMPARED

_T = DType
_WORD = re.compile("true|false", re.IGNORECASE)


def _comparison(node: exp.Expr) -> None:
    compare([node.this, *(node.args.get(key) for key in ("expression", "low", "high"))])


def _membership(node: exp.Expr) -> None:
    """IN a list, or in the columns of a SELECT."""
    query = node.args.get("query")
    select = query.unnest() if query is not None else None
    if not isinstance(select, exp.Select):
        compare([node.this, *node.expressions])
        return
    sides = node.this.expressions if isinstance(node.this, exp.Tuple) else [node.this]
    for side, column in zip(sides, select.expressions, strict=False):
        compare([side, column])


def compare(found: Sequence[exp.Expr | None]) -> None:
    """Convert values, some of which may be missing, so that each may be compared with the others."""
    operands = [operand.unalias() for operand in found if operand is not None and not isinstance(operand, exp.Tuple)]
    kinds = {kind_of(operand) for operand in operands}
    if kinds & DOCUMENTS:
        raise JSON_COMPARED()
    if kinds & MOMENTS:
        for operand in operands:
            if kind_of(operand) in TEXTS | NUMBERS:
                convert(operand, _moment(operand, kinds), strict=False)
    elif kinds & NUMBERS:
        operands = read_numbers(_read_truths(operands) if kinds & TRUTHS else operands)
        count_truths(operands, beside_doubles=any(kind_of(operand) in TEXTS for operand in operands))
        convert_all(operands, TEXTS, DOUBLE)


def _read_truths(operands: Sequence[exp.Expr]) -> list[exp.Expr]:
    """The operands, with a truth in place of each text literal that is one of the two words."""
    return [_truth(operand) if reads(operand, _WORD) else operand for operand in operands]


def _truth(literal: exp.Expr) -> exp.Expr:
    truth = exp.Boolean(this=literal.name.lower() == "true", type=BOOLEAN.copy())
    literal.replace(truth)
    return truth


def _moment(operand: exp.Expr, kinds: set[DType | None]) -> exp.DataType:
    """A date that is written in full meets dates as one; all else is a moment."""
    is_date = reads_as_moment(operand, DATE) and not kinds & (MOMENTS - {_T.DATE})
    return DATE if is_date else DATETIME


def _null_if(node: exp.Expr) -> None:
    """NULLIF keeps the type of its first argument."""
    first, second = node.this, node.expression
    if kind_of(second) in TEXTS and kind_of(first) in NUMBERS:
        convert_all(read_numbers([second]), TEXTS, DOUBLE)
    elif kind_of(first) in NUMBERS and kind_of(second) in MOMENTS:
        convert(second, BIGINT, strict=False)
    elif kind_of(second) in TEXTS | NUMBERS and kind_of(first) in MOMENTS:
        convert(second, _moment(second, {kind_of(first)}), strict=False)
    elif kind_of(first) in TEXTS and kind_of(second) not in TEXTS:
        convert(second, TEXT, strict=False)


RULES: dict[type[exp.Expr], Rule] = {
    **dict.fromkeys((exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between), _comparison),
    exp.In: _membership,
    exp.Nullif: _null_if,
}
