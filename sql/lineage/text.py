"""Print an expression of the statement with other texts in the place of its columns and subqueries.

    UPPER(o.region), {o.region: "d.orders.region"}  ->  UPPER(d.orders.region)

The text reads back as the expression that the client wrote: where sqlglot's Doris generator would print another
function or another argument, it is kept from doing so here.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import ClassVar

from sqlglot import exp
from sqlglot.generator import Generator
from sqlglot.generators.doris import DorisGenerator

from sql.dialect.doris import Doris
from sql.lineage.value import Text

# Beside one of these a replaced text needs brackets unless it is a name or a call.
_TIGHT = (exp.Binary, exp.Unary, exp.Between, exp.In, exp.Bracket, exp.Interval, exp.AtTimeZone, exp.Escape)
_MARK = "lineage"
_marks = itertools.count()
_COMPOUND = (exp.Binary, exp.Unary, exp.Between, exp.In, exp.Interval, exp.AtTimeZone)


def is_compound(expression: exp.Expr) -> bool:
    """Whether the text of an expression has an operator at its top."""
    return isinstance(expression, _COMPOUND) and not isinstance(expression, (exp.Paren, exp.Dot))


def is_leaf(node: exp.Expr) -> bool:
    """Whether a node is replaced as a whole: a column, or a query inside an expression."""
    return isinstance(node, (exp.Column, exp.Query))


def mark(leaf: exp.Expr) -> int:
    """A number that a leaf keeps when sqlglot copies it, which it does while printing."""
    number: int | None = leaf.meta.get(_MARK)
    if number is None:
        number = leaf.meta[_MARK] = next(_marks)
    return number


def unwrapped(expression: exp.Expr) -> exp.Expr:
    """An expression without alias and brackets around it."""
    expression = expression.unalias()
    while isinstance(expression, exp.Paren):
        expression = expression.this
    return expression


def _leaf(printer: Generator, node: exp.Expr) -> str:
    assert isinstance(printer, Printer)
    return printer.leaf(node)


def _call(function: str, *keys: str) -> Callable[[Generator, exp.Expr], str]:
    """Print a call under this name, with the arguments that the client gave."""

    def write(printer: Generator, node: exp.Expr) -> str:
        return str(printer.func(function, *(node.args[key] for key in keys if node.args.get(key))))

    return write


def _group_concat(printer: Generator, node: exp.Expr) -> str:
    """The separator stands before ORDER BY."""
    separator = node.args.get("separator")
    values, order = printer.sql(node, "this"), ""
    if isinstance(node.this, exp.Order):
        values, order = printer.sql(node.this, "this"), f" ORDER BY {printer.expressions(node.this, flat=True)}"
    return f"GROUP_CONCAT({values}{', ' + printer.sql(separator) if separator else ''}{order})"


class Printer(DorisGenerator):
    """sqlglot's Doris generator that knows the texts of columns and subqueries; `write` is its one entry."""

    TRANSFORMS: ClassVar[dict[type[exp.Expr], Callable[..., str]]] = {
        **DorisGenerator.TRANSFORMS,
        **dict.fromkeys((exp.Column, exp.Select, exp.Union, exp.Except, exp.Intersect, exp.Subquery), _leaf),
        exp.GroupConcat: _group_concat,
        exp.Lag: _call("LAG", "this", "offset", "default"),
        exp.Lead: _call("LEAD", "this", "offset", "default"),
        exp.Median: _call("MEDIAN", "this"),
        exp.ParseJSON: _call("JSON_PARSE", "this"),
        exp.TryCast: lambda printer, node: f"TRY_{printer.cast_sql(node)}",
    }
    TYPE_MAPPING: ClassVar[dict[exp.DType, str]] = {**DorisGenerator.TYPE_MAPPING, exp.DType.INT128: "LARGEINT"}

    def __init__(self) -> None:
        super().__init__(dialect=Doris, comments=False)
        self._texts: Mapping[int, Text] = {}

    def write(self, expression: exp.Expr, texts: Mapping[int, Text]) -> str:
        """The text of an expression; `texts` are those of its leaves, by their `mark`."""
        self._texts = texts
        return self.sql(expression)

    def leaf(self, node: exp.Expr) -> str:
        """The text that replaces a column or subquery."""
        text = self._texts[mark(node)]
        return text.operand if _is_tight(node.parent) else text.sql

    def in_sql(self, expression: exp.In) -> str:
        """`x IN (SELECT y …)` is `x IN (<y>)`."""
        query = expression.args.get("query")
        if query is None:
            return super().in_sql(expression)
        return f"{self.sql(expression, 'this')} IN ({self._texts[mark(query)].sql})"

    def exists_sql(self, expression: exp.Exists) -> str:
        """What is selected in an EXISTS does not matter; its conditions are entries of their own."""
        return "EXISTS(SELECT 1)"

    def any_sql(self, expression: exp.Any) -> str:
        return self._quantified("ANY", expression) or super().any_sql(expression)

    def all_sql(self, expression: exp.All) -> str:
        return self._quantified("ALL", expression) or super().all_sql(expression)

    def _quantified(self, word: str, expression: exp.Expr) -> str:
        """`> ANY (SELECT y …)` is `> ANY (<y>)`."""
        return f"{word} ({self._texts[mark(expression.this)].sql})" if is_leaf(expression.this) else ""


def _is_tight(parent: exp.Expr | None) -> bool:
    return isinstance(parent, _TIGHT) and not isinstance(parent, exp.Paren)
