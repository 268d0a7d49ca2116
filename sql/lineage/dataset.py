"""Dataset-indirect lineage: which parts of a SELECT decide about rows, groups and order (Doris: Data Lineage)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp

from dorisette.lineage import DatasetType, LineageExpr
from sql.lineage.expression import Expressions
from sql.lineage.scope import Rule, Scope
from sql.lineage.source import Output
from sql.lineage.text import unwrapped
from sql.lineage.value import Value, combinations


def conjuncts(condition: exp.Expr) -> Iterator[exp.Expr]:
    """The parts of a condition that AND joins at its top."""
    waiting = [condition]
    while waiting:
        part = unwrapped(waiting.pop())
        if isinstance(part, exp.And):
            waiting += [part.expression, part.this]
        else:
            yield part


def existence(condition: exp.Expr) -> exp.Expr | None:
    """The query of `[NOT] EXISTS (…)`; such a condition is no entry itself."""
    while isinstance(condition, (exp.Not, exp.Paren)):
        condition = condition.this
    return condition.this if isinstance(condition, exp.Exists) else None


def equality(left: Value, right: Value) -> list[LineageExpr]:
    """`left.k = right.k`, what USING and NATURAL mean."""
    found = combinations([left, right]) or []
    return [
        LineageExpr(f"{one.operand} = {other.operand}", one.columns | other.columns)
        for (one, other), _ in found
        if not (one.is_constant and other.is_constant)
    ]


class Clauses:
    """Notes the entries of the clauses of one SELECT; its sources and outputs are known by now."""

    def __init__(self, scope: Scope, outputs: Sequence[Output], expressions: Expressions) -> None:
        self._scope = scope
        self._outputs = outputs
        self._expressions = expressions

    def note(self, select: exp.Select) -> None:
        """Note all clauses after FROM."""
        self._filter(select.args.get("where"), Rule.COLUMNS)
        self._group(select.args.get("group"))
        if select.args.get("distinct"):
            self._note("GROUP_BY", (value for _, value in self._outputs))
        self._filter(select.args.get("having"), Rule.ALIASES)
        self._filter(select.args.get("qualify"), Rule.ALIASES)
        self.sort(select.args.get("order"))

    def sort(self, order: exp.Expr | None) -> None:
        """ORDER BY: ordinals and aliases mean outputs."""
        for item in order.expressions if order else ():
            self._item("SORT", item.this, Rule.ALIASES)

    def condition(self, kind: DatasetType, condition: exp.Expr, rule: Rule = Rule.COLUMNS) -> None:
        """Each part of a condition is an entry; of EXISTS, what is in it."""
        for part in conjuncts(condition):
            query = existence(part)
            if query is not None:
                self._expressions.value(query, self._scope)
            else:
                self._scope.frame.notes.add(kind, self._expressions.entries(part, self._scope, rule))

    def _filter(self, clause: exp.Expr | None, rule: Rule) -> None:
        if clause is not None:
            self.condition("FILTER", clause.this, rule)

    def _group(self, group: exp.Expr | None) -> None:
        if group is None:
            return
        if group.args.get("all"):
            values = (value for _, value in self._outputs)
            self._note("GROUP_BY", (value for value in values if not value.texts[0].is_aggregate))
        for item in _grouped(group):
            self._item("GROUP_BY", item, Rule.COLUMNS)

    def _item(self, kind: DatasetType, item: exp.Expr, rule: Rule) -> None:
        """An expression, or the ordinal of an output."""
        item = unwrapped(item)
        if not isinstance(item, exp.Literal):
            self._scope.frame.notes.add(kind, self._expressions.entries(item, self._scope, rule))
        elif item.is_int and 0 < int(item.name) <= len(self._outputs):
            self._note(kind, [self._outputs[int(item.name) - 1][1]])

    def _note(self, kind: DatasetType, values: Iterator[Value] | Sequence[Value]) -> None:
        for value in values:
            self._scope.frame.notes.add(kind, value.entries)


_SETS = (exp.Tuple, exp.Paren, exp.Rollup, exp.Cube, exp.GroupingSets)


def _grouped(group: exp.Expr) -> Iterator[exp.Expr]:
    """The expressions of GROUP BY, those of ROLLUP, CUBE and GROUPING SETS too."""
    waiting = [node for key in ("expressions", "rollup", "cube", "grouping_sets") for node in group.args.get(key) or []]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, _SETS):
            yield node
        elif isinstance(node, exp.Paren):
            waiting.append(node.this)
        else:
            waiting += node.expressions
