"""Prepared statements: one statement with a ``?`` for each value, read once and run with values put into its tree.

    prepare("SELECT a FROM t WHERE k = ?")  ->  parameters: 1, and the columns a result has
    filled(prepared, [7])                   ->  the tree with a literal 7, and the text that says the same

No value ever becomes part of a text that is parsed; the text is for the audit log, for SHOW PROCESSLIST and to find
plans by. Source: MySQL: Prepared Statements; the protocol is in server/prepared.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import cast

import pyarrow as pa
from sqlglot import exp
from sqlglot.helper import ensure_list

from sql.dialect import quoting
from sql.dialect.clause import LiteralRows
from sql.dialect.doris import Statement, parse, split_at_placeholders
from sql.dialect.literal_column import LiteralColumn
from sql.dialect.parser import PLACE
from sql.result import Field
from storage.errors import NOT_SUPPORTED, PREPARED_ONE

Value = int | float | Decimal | str | bytes | None

_EXACT = 1 << 53  # whole numbers below it are exact as DOUBLE


@dataclass(frozen=True, slots=True)
class Prepared:
    """A statement to be run with values; `pieces` of its text stand before, between and behind them."""

    node: exp.Expression
    pieces: tuple[str, ...]
    rows: LiteralInsert | None = None
    columns: tuple[tuple[Field, pa.DataType], ...] = ()  # of the result; none where they are not known yet

    @property
    def parameters(self) -> int:
        """How many values it needs."""
        return len(self.pieces) - 1


@dataclass(frozen=True, slots=True)
class LiteralInsert:
    """An INSERT of rows of values and literals, whose rows need no tree: cell by cell the literal, or the parameter."""

    head: exp.Insert
    cells: tuple[tuple[str | int, ...], ...]  # by column

    def filled(self, words: Sequence[str]) -> exp.Insert:
        """The INSERT with these literals as values (sql/ingest/direct.py)."""
        columns = [[words[cell] if isinstance(cell, int) else cell for cell in column] for column in self.cells]
        node = self.head.copy()
        node.set("expression", LiteralRows(columns=[LiteralColumn.of(column) for column in columns]))
        return node


def prepare(statement_text: str) -> Prepared:
    """Read one statement; SYNTAX_ERROR, PREPARED_ONE for none or several, NOT_SUPPORTED for a ? that is no value."""
    statements = parse(statement_text)
    if len(statements) != 1:
        raise PREPARED_ONE()
    node, pieces = statements[0].node, split_at_placeholders(statements[0].text)
    found = {placeholder.meta.get(PLACE) for placeholder in node.find_all(exp.Placeholder)}
    if len(found) != len(pieces) - 1 or None in found:
        raise NOT_SUPPORTED(what="a placeholder that stands for no value")
    return Prepared(node, pieces, _literal_insert(node))


def filled(prepared: Prepared, values: Sequence[Value]) -> Statement:
    """The statement with these values, one a parameter."""
    words = [_written(value) for value in values]
    text = "".join(part for pair in zip(prepared.pieces, [*words, ""], strict=True) for part in pair)
    if prepared.rows is not None and not any(isinstance(value, bytes) for value in values):
        return Statement(prepared.rows.filled(words), text)
    node = prepared.node.copy()
    given = dict(zip(_places(node), values, strict=True))
    _replace(node, lambda placeholder: _literal(given[placeholder.meta[PLACE]]))
    return Statement(node, text)


def described(prepared: Prepared) -> Statement | None:
    """A statement without rows that has the columns of the result; None for what is no query."""
    node = prepared.node.copy()
    if not isinstance(node, exp.Query):
        return None
    _replace(
        node,
        lambda placeholder: (
            exp.Literal.number(0) if isinstance(placeholder.parent, exp.Limit | exp.Offset) else exp.Null()
        ),
    )
    node.set("limit", exp.Limit(expression=exp.Literal.number(0)))
    return Statement(node, f"PREPARE {'?'.join(prepared.pieces)}")


def _replace(node: exp.Expr, made: Callable[[exp.Expr], exp.Expr]) -> None:
    """Put what is made of each placeholder in its place, list by list: one by one each would set the whole list."""
    holders = {(id(item.parent), item.arg_key): item for item in node.find_all(exp.Placeholder)}
    for item in holders.values():
        parent, key = cast(exp.Expr, item.parent), cast(str, item.arg_key)
        held = parent.args[key]
        several = [made(one) if isinstance(one, exp.Placeholder) else one for one in ensure_list(held)]
        parent.set(key, several if isinstance(held, list) else several[0])


def _places(node: exp.Expr) -> list[int]:
    """The places of the placeholders in the order of the text; a tree may name one of them twice."""
    return sorted({placeholder.meta[PLACE] for placeholder in node.find_all(exp.Placeholder)})


def _literal_insert(node: exp.Expression) -> LiteralInsert | None:
    """An INSERT of values and literals only; None for all else."""
    values = node.expression if isinstance(node, exp.Insert) else None
    if not isinstance(values, exp.Values) or not all(isinstance(row, exp.Tuple) for row in values.expressions):
        return None
    parameters = {place: number for number, place in enumerate(_places(node))}
    rows = [[_cell(cell, parameters) for cell in row.expressions] for row in values.expressions]
    if not parameters or any(None in row or len(row) != len(rows[0]) for row in rows):
        return None
    head = node.copy()
    head.set("expression", None)
    return LiteralInsert(cast(exp.Insert, head), tuple(zip(*cast("list[list[str | int]]", rows), strict=True)))


def _cell(cell: exp.Expr, parameters: dict[int, int]) -> str | int | None:
    """A literal as it is written, or the number of a parameter; None for an expression."""
    if isinstance(cell, exp.Placeholder):
        return parameters[cell.meta[PLACE]]
    if isinstance(cell, exp.Null | exp.Boolean):
        return str(cell.sql())
    if isinstance(cell, exp.Literal):
        return quoting.text(cell.name) if cell.is_string else cell.name
    return None


def _written(value: Value) -> str:
    """A value as a literal of the dialect."""
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return quoting.text(value)
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    return _digits(value)


def _digits(value: int | float | Decimal) -> str:
    """A number in digits: a whole one is no fraction, also where the client sent a DOUBLE."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return quoting.text(str(value))
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
