"""Prepared statements: one statement with a ``?`` for each value, read once and run with values put into its tree.

    prepare("SELECT a FROM t WHERE k = ?")  ->  parameters: 1, and the columns a result has
    filled(prepared, [7])                   ->  the tree with a literal 7, and the text that says the same

No value ever becomes part of a text that is parsed; the text is for the audit log, for SHOW PROCESSLIST and to find
plans by. Source: MySQL: Prepared Statements; the protocol is in server/prepared.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import pyarrow as pa
from sqlglot import exp

from sql.dialect.clause import LiteralRows
from sql.dialect.doris import Statement, parse, split_at_placeholders
from sql.dialect.literal_column import LiteralColumn
from sql.dialect.parser import PLACE
from sql.dialect.quoting import text
from sql.result import Field
from storage.errors import NOT_SUPPORTED, PREPARED_ONE

Value = int | float | Decimal | str | bytes | None

_EXACT = 1 << 53  # whole numbers below it are exact as DOUBLE


@dataclass(frozen=True, slots=True)
class Prepared:
    """A statement to be run with values; `pieces` of its text stand before, between and behind them."""

    node: exp.Expression
    pieces: tuple[str, ...]
    columns: tuple[tuple[Field, pa.DataType], ...] = ()  # of the result; none where they are not known yet

    @property
    def parameters(self) -> int:
        """How many values it needs."""
        return len(self.pieces) - 1


def prepare(statement_text: str) -> Prepared:
    """Read one statement; SYNTAX_ERROR, PREPARED_ONE for none or several, NOT_SUPPORTED for a ? that is no value."""
    statements = parse(statement_text)
    if len(statements) != 1:
        raise PREPARED_ONE()
    pieces = split_at_placeholders(statements[0].text)
    found = {node.meta.get(PLACE) for node in statements[0].node.find_all(exp.Placeholder)}
    if len(found) != len(pieces) - 1 or None in found:
        raise NOT_SUPPORTED(what="a placeholder that stands for no value")
    return Prepared(statements[0].node, pieces)


def filled(prepared: Prepared, values: Sequence[Value]) -> Statement:
    """The statement with these values, one a parameter."""
    words = [_written(value) for value in values]
    joined = "".join(part for pair in zip(prepared.pieces, [*words, ""], strict=True) for part in pair)
    node = prepared.node.copy()
    given = dict(zip(_places(node), zip(values, words, strict=True), strict=True))
    if isinstance(node, exp.Insert) and isinstance(node.expression, exp.Values):
        rows = _literal_rows(node.expression, {place: word for place, (_, word) in given.items()})
        if rows is not None:
            node.set("expression", rows)
            return Statement(node, joined)
    for placeholder in list(node.find_all(exp.Placeholder)):
        placeholder.replace(_literal(given[placeholder.meta[PLACE]][0]))
    return Statement(node, joined)


def described(prepared: Prepared) -> Statement | None:
    """A statement without rows that has the columns of the result; None for what is no query."""
    node = prepared.node.copy()
    if not isinstance(node, exp.Query):
        return None
    for placeholder in list(node.find_all(exp.Placeholder)):
        is_number = isinstance(placeholder.parent, exp.Limit | exp.Offset)
        placeholder.replace(exp.Literal.number(0) if is_number else exp.Null())
    node.set("limit", exp.Limit(expression=exp.Literal.number(0)))
    return Statement(node, f"PREPARE {'?'.join(prepared.pieces)}")


def _places(node: exp.Expr) -> list[int]:
    """The places of the placeholders in the order of the text; a tree may name one of them twice."""
    return sorted({placeholder.meta[PLACE] for placeholder in node.find_all(exp.Placeholder)})


def _literal_rows(values: exp.Values, words: dict[int, str]) -> LiteralRows | None:
    """The rows of an INSERT as literals, which need no tree (sql/ingest/direct.py); None if something else is there."""
    if not all(isinstance(row, exp.Tuple) for row in values.expressions):
        return None
    rows = [[_cell(cell, words) for cell in row.expressions] for row in values.expressions]
    if any(None in row or len(row) != len(rows[0]) for row in rows):
        return None
    return LiteralRows(columns=[LiteralColumn.of([str(cell) for cell in column]) for column in zip(*rows, strict=True)])


def _cell(cell: exp.Expr, words: dict[int, str]) -> str | None:
    if isinstance(cell, exp.Placeholder):
        word = words[cell.meta[PLACE]]
        return None if word.startswith("x") else word  # bytes are computed
    if isinstance(cell, exp.Null | exp.Boolean):
        return str(cell.sql())
    if isinstance(cell, exp.Literal):
        return text(cell.name) if cell.is_string else cell.name
    return None


def _written(value: Value) -> str:
    """A value as a literal of the dialect."""
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return text(value)
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    return _digits(value)


def _digits(value: int | float | Decimal) -> str:
    """A number in digits: a whole one is no fraction, also where the client sent a DOUBLE."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return text(str(value))
        return str(int(value)) if value.is_integer() and abs(value) < _EXACT else repr(value)
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def _literal(value: Value) -> exp.Expr:
    if value is None:
        return exp.Null()
    if isinstance(value, str):
        return exp.Literal.string(value)
    if isinstance(value, bytes):
        return exp.HexString(this=value.hex())
    digits = _digits(value)
    if digits.startswith("'"):
        return exp.Literal.string(digits.strip("'"))
    negative = digits.startswith("-")
    number = exp.Literal.number(digits.removeprefix("-"))
    return exp.Paren(this=exp.Neg(this=number)) if negative else number
