"""Many rows of VALUES that differ in their literals only are evaluated together.

    (1, to_bitmap(7)), (2, to_bitmap(9))  ->  SELECT c0, to_bitmap(c1) FROM an Arrow table of the literals

Binding and planning a row costs a millisecond, a row of a table a thousandth of it. Only literals that nothing looks
at while a statement is bound may become columns: whole cells, and arguments of state functions, casts and arrays.
The clock, DEFAULT and sums of literals are a part of the shape as they are written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pyarrow as pa
from sqlglot import exp

from sql.dialect.changing import is_clock
from sql.rewrite.state import is_state_function

SLOT = "slot"  # meta key of a literal: the name of its column
MOST_SHAPES = 16
FEWEST_ROWS = 4
_INTEGERS = (1 << 31, 1 << 63)  # literals of INT and of BIGINT are two shapes: their types differ


_SUMS = (exp.Add, exp.Sub, exp.Mul, exp.Neg, exp.Paren, exp.Literal)


class _ShapelessError(Exception):
    """A cell whose literals cannot become columns."""


@dataclass(slots=True)
class Shape:
    """Rows of one shape: a row to bind, the literals of all of them, and their places in the statement."""

    row: Sequence[exp.Expr]
    literals: list[list[str]] = field(default_factory=list)
    places: list[int] = field(default_factory=list)

    def marked(self) -> list[exp.Expr]:
        """The row to bind; each literal knows its column."""
        cells = [cell.copy() for cell in self.row]
        for number, literal in enumerate(_literals(cells)):
            literal.meta[SLOT] = f"c{number}"
        return cells

    def table(self) -> pa.Table:
        """The literals as columns c0, c1, …, and the place of each row as `place`."""
        columns: dict[str, pa.Array] = {"place": pa.array(self.places, pa.int64())}
        for number, literal in enumerate(_literals(self.row)):
            texts = [row[number] for row in self.literals]
            columns[f"c{number}"] = pa.array(texts) if literal.is_string else pa.array([int(text) for text in texts])
        return pa.table(columns)


def shapes(rows: Sequence[Sequence[exp.Expr]]) -> list[Shape] | None:
    """The rows by shape; None when they are few, too different, or hold what cannot be a column."""
    found: dict[object, Shape] = {}
    if len(rows) < FEWEST_ROWS:
        return None
    try:
        for place, row in enumerate(rows):
            shape = found.setdefault(tuple(_key(cell) for cell in row), Shape(row))
            shape.literals.append([literal.name for literal in _literals(row)])
            shape.places.append(place)
    except _ShapelessError:
        return None
    return list(found.values()) if len(found) <= MOST_SHAPES else None


def _key(node: exp.Expr) -> object:
    """What is equal for rows of one shape."""
    if isinstance(node, exp.Literal):
        return "text" if node.is_string else _width(node.name)
    if isinstance(node, exp.Null | exp.Boolean):
        return node.sql()
    if isinstance(node, exp.Neg | exp.Paren):
        return type(node), _key(node.this)
    if isinstance(node, exp.Cast):
        return exp.Cast, node.to.sql("doris"), _key(node.this)
    if isinstance(node, exp.Array) or (isinstance(node, exp.Anonymous) and is_state_function(node.name)):
        return type(node), node.name, tuple(_key(item) for item in node.expressions)
    if is_clock(node) or isinstance(node, exp.Var) or all(isinstance(part, _SUMS) for part in node.walk()):
        return type(node), node.sql("doris")
    raise _ShapelessError


def _width(digits: str) -> int:
    if not digits.isdigit() or int(digits) >= _INTEGERS[-1]:
        raise _ShapelessError  # a DECIMAL, whose type depends on its digits, or what Arrow has no integer for
    return next(place for place, limit in enumerate(_INTEGERS) if int(digits) < limit)


def _literals(nodes: Sequence[exp.Expr]) -> Iterator[exp.Literal]:
    """The literals of a row, in an order that depends on its shape alone."""
    for node in nodes:
        if isinstance(node, exp.Literal):
            yield node
        elif isinstance(node, exp.Neg | exp.Paren | exp.Cast):
            yield from _literals([node.this])
        elif not is_clock(node):
            yield from _literals(node.expressions)
