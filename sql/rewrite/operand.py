"""The operands of an annotated tree: of what kind they are, and how one is converted where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from sqlglot import exp
from sqlglot.expressions.datatypes import DType

from sql.dialect.cast import NUMBER, literal_text, sized

_T = DType
Rule = Callable[[exp.Expr], None]  # rewrites one node of an annotated tree, in place

TEXTS = frozenset({_T.TEXT, _T.VARCHAR, _T.CHAR})
INTEGERS = frozenset({_T.BOOLEAN, _T.TINYINT, _T.SMALLINT, _T.INT, _T.BIGINT})
NUMBERS = INTEGERS | {_T.INT128, _T.FLOAT, _T.DOUBLE, _T.DECIMAL}
MOMENTS = frozenset({_T.DATE, _T.DATETIME, _T.TIMESTAMP})
TRUTHS = frozenset({_T.BOOLEAN})
DOCUMENTS = frozenset({_T.JSON})

BOOLEAN = exp.DataType(this=_T.BOOLEAN)
DOUBLE = exp.DataType(this=_T.DOUBLE)
DECIMAL = exp.DataType(this=_T.DECIMAL)
BIGINT = exp.DataType(this=_T.BIGINT)
INT = exp.DataType(this=_T.INT)
TINYINT = exp.DataType(this=_T.TINYINT)
TEXT = exp.DataType(this=_T.TEXT)
DATE = exp.DataType(this=_T.DATE)
DATETIME = sized(_T.DATETIME, 6)
_LARGEST_BIGINT = 2**63 - 1


def kind_of(node: exp.Expr | None) -> DType | None:
    """The type of a node, None when nobody noted it."""
    if isinstance(node, exp.Literal) and node.is_int and int(node.name) > _LARGEST_BIGINT:
        return _T.INT128
    return node.type.this if node is not None and node.type is not None else None


def branches(node: exp.Expr) -> list[exp.Expr]:
    """The values that IF, CASE, COALESCE, GREATEST or LEAST chooses from."""
    if isinstance(node, exp.Case):
        found = [*(when.args["true"] for when in node.args["ifs"]), node.args.get("default")]
    elif isinstance(node, exp.If):
        found = [node.args["true"], node.args.get("false")]
    else:
        found = [node.this, *node.expressions]
    return [value for value in found if value is not None]


def convert(value: exp.Expr, kind: exp.DataType, strict: bool = True) -> None:
    """Put a cast around a node in its tree; strict: what does not fit is an error, unlike in a client's cast."""
    cast = exp.Cast(this=exp.Null(), to=kind.copy())
    cast.type = kind.copy()
    cast.meta["strict"] = strict
    value.replace(cast)
    cast.set("this", value)


def convert_all(operands: Iterable[exp.Expr], kinds: frozenset[DType], kind: exp.DataType) -> None:
    """Convert the operands that are of some kinds; what does not fit is NULL."""
    for operand in operands:
        if kind_of(operand) in kinds:
            convert(operand, kind, strict=False)


def count_truths(operands: list[exp.Expr], beside_doubles: bool = False) -> None:
    """TRUE is 1 where it is compared with, or chosen among, other numbers than integers; texts may become such."""
    if beside_doubles or {kind_of(operand) for operand in operands} & (NUMBERS - INTEGERS):
        convert_all(operands, TRUTHS, TINYINT)


def reads(operand: exp.Expr, pattern: re.Pattern[str] = NUMBER) -> bool:
    """Whether an operand is a text literal of that form, by default a number."""
    return isinstance(operand, exp.Literal) and operand.is_string and pattern.fullmatch(operand.name) is not None


def read_numbers(operands: Iterable[exp.Expr]) -> list[exp.Expr]:
    """The operands, with a number in place of each text literal that is one.

    DuckDB reads a text as the type of what it meets, which may not hold it: ``tinyint = '300'``, ``int = '1.5'``.
    """
    return [_number(operand) if reads(operand) else operand for operand in operands]


def _number(literal: exp.Expr) -> exp.Expr:
    number = exp.Literal.number(literal.name.strip().removeprefix("+"))
    number.type = (DECIMAL if "." in literal.name else INT).copy()
    literal.replace(number)
    return number


def reads_as_moment(operand: exp.Expr, kind: exp.DataType) -> bool:
    """Whether an operand is a literal that is such a date or datetime, written in full."""
    return literal_text(operand, kind) is not None and (kind is DATETIME or len(operand.name) == len("2024-01-31"))
