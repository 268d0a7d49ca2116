"""What an expression stands for: its text over base columns, and the inputs of windows and conditions in it.

One walk finds the leaves (columns, subqueries) and what matters about the nodes above them; the scope says what the
leaves stand for; the printer puts their texts in. Subqueries are resolved by whoever resolves queries (`Resolve`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from dorisette.lineage import LineageExpr
from sql.dialect.aggregate import is_aggregate
from sql.lineage.output import conditions_of, inputs_of
from sql.lineage.scope import Rule, Scope
from sql.lineage.text import Printer, is_compound, is_leaf, mark, unwrapped
from sql.lineage.value import MAX_TEXT, Alternative, Text, Value, combinations, elided, settled

Resolve = Callable[[exp.Query, Scope], Value]

# An expression of nothing but these is constant. Calls are not among them: RAND() is none, and why judge the rest.
_CONSTANT = (
    exp.Literal,
    exp.Boolean,
    exp.Null,
    exp.Binary,
    exp.Unary,
    exp.Tuple,
    exp.In,
    exp.Between,
    exp.Cast,
    exp.DataType,
    exp.DataTypeParam,
    exp.Interval,
    exp.Var,
    exp.Case,
    exp.If,
    exp.Coalesce,
)


@dataclass(slots=True)
class Shape:
    """What one walk over an expression finds; a leaf comes with whether it is inside an aggregate function."""

    leaves: list[tuple[exp.Expr, bool]] = field(default_factory=list)
    windows: list[exp.Window] = field(default_factory=list)
    conditions: list[exp.Expr] = field(default_factory=list)
    is_aggregate: bool = False
    is_constant: bool = True

    @classmethod
    def of(cls, expression: exp.Expr) -> Shape:
        """Walk an expression, not into its subqueries."""
        shape = cls()
        open_nodes = [(expression, False)]
        while open_nodes:
            node, inside = open_nodes.pop()
            if is_leaf(node):
                shape.leaves.append((node, inside))
                continue
            inside = shape._note(node) or inside
            open_nodes += [(child, inside) for child in node.iter_expressions()]
        return shape

    def _note(self, node: exp.Expr) -> bool:
        """Keep what matters of a node; tells whether it is an aggregate function."""
        if isinstance(node, exp.Window):
            self.windows.append(node)
        self.conditions += conditions_of(node)
        aggregate = is_aggregate(node)
        self.is_aggregate |= aggregate
        self.is_constant &= isinstance(node, _CONSTANT) and not aggregate
        return aggregate


class Expressions:
    """Resolves the expressions of one statement."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._printer = Printer()
        self._subqueries: dict[int, tuple[exp.Expr, Value]] = {}  # the node keeps its id from being used again

    def value(self, expression: exp.Expr, scope: Scope, rule: Rule = Rule.COLUMNS) -> Value:
        """What an expression stands for, with the inputs of the windows and conditions in it."""
        expression = unwrapped(expression)
        if is_leaf(expression):
            return self._leaf(expression, False, scope, rule)
        shape = Shape.of(expression)
        parts = [self._leaf(leaf, inside, scope, rule) for leaf, inside in shape.leaves]
        windows = [part for window in shape.windows for part in inputs_of(window)]
        return settled(
            self._alternatives(expression, shape, parts),
            [*(part.windows for part in parts), frozenset(self._inputs(windows, scope, rule))],
            [*(part.conditions for part in parts), frozenset(self._inputs(shape.conditions, scope, rule))],
        )

    def entries(self, expression: exp.Expr, scope: Scope, rule: Rule = Rule.COLUMNS) -> list[LineageExpr]:
        """The resolved texts of an expression, none for a constant."""
        return [text.entry for text in self._texts(expression, scope, rule) if not text.is_constant]

    def _texts(self, expression: exp.Expr, scope: Scope, rule: Rule) -> list[Text]:
        expression = unwrapped(expression)
        if is_leaf(expression):
            return self._leaf(expression, False, scope, rule).texts
        shape = Shape.of(expression)
        parts = [self._leaf(leaf, inside, scope, rule) for leaf, inside in shape.leaves]
        return [text for text, _ in self._alternatives(expression, shape, parts)]

    def _inputs(self, expressions: Sequence[exp.Expr], scope: Scope, rule: Rule) -> Iterator[LineageExpr]:
        """The texts that name a column. Inputs of inputs need no look: the walk has met them already."""
        for expression in expressions:
            yield from (text.entry for text in self._texts(expression, scope, rule) if text.columns)

    def _leaf(self, leaf: exp.Expr, inside: bool, scope: Scope, rule: Rule) -> Value:
        if isinstance(leaf, exp.Column):
            return scope.column(leaf, Rule.COLUMNS if inside else rule)
        known = self._subqueries.get(id(leaf))
        if known is None:
            assert isinstance(leaf, exp.Query)
            known = self._subqueries[id(leaf)] = (leaf, self._resolve(leaf, scope))
        return known[1]

    def _alternatives(self, expression: exp.Expr, shape: Shape, parts: Sequence[Value]) -> list[Alternative]:
        found = combinations(parts)
        if found is None:
            return [Alternative(elided(text for part in parts for text in part.texts))]
        return [Alternative(self._text(expression, shape, chosen), choice) for chosen, choice in found]

    def _text(self, expression: exp.Expr, shape: Shape, chosen: Sequence[Text]) -> Text:
        if sum(len(part.sql) for part in chosen if not part.is_column) > MAX_TEXT:
            return elided(chosen)
        texts = {mark(leaf): part for (leaf, _), part in zip(shape.leaves, chosen, strict=True)}
        return Text(
            self._printer.write(expression, texts),
            frozenset().union(*(part.columns for part in chosen)),
            is_aggregate=shape.is_aggregate or any(part.is_aggregate for part in chosen),
            is_constant=shape.is_constant and all(part.is_constant for part in chosen),
            is_compound=is_compound(expression),
        )
