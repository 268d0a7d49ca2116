"""Resolve queries from the inside out: SELECT, set operations, VALUES, CTEs and views become relations.

Each output of a relation is a `Value` over columns of base tables; what is read on the way is noted in the frame.
FROM is the business of from_clause.py, the other clauses' entries that of dataset.py.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence

from sqlglot import exp

from sql.dialect.doris import parse
from sql.lineage.dataset import Clauses
from sql.lineage.expression import Expressions
from sql.lineage.frame import Frame, Named, Notes
from sql.lineage.from_clause import read_from
from sql.lineage.output import with_named_windows
from sql.lineage.scope import Scope, Source
from sql.lineage.source import Derived, LineageError, Opaque, Output, Place, Relation, base_relation, find
from sql.lineage.value import Alternative, Text, Value, combinations, elided, in_branch, limited, merged, plain
from storage.catalog.model import View

_CHAINED = (exp.Union, exp.Intersect)


class Queries:
    """Resolves the queries of one statement; its trees are changed, so they must be the caller's own."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._views: dict[int, Named] = {}
        self._numbers = itertools.count()
        self.expressions = Expressions(self._subquery)

    # -- queries -----------------------------------------------------------------------------
    def relation(self, query: exp.Expr, frame: Frame, parent: Scope | None = None) -> Derived:
        """The outputs of a query; `parent` is the SELECT around it, whose columns it may name."""
        frame = self._with(query, frame)
        if isinstance(query, exp.Select):
            return self._select(query, frame, parent)
        if isinstance(query, exp.Except):
            self.relation(query.expression, frame, parent)
            return self._sorted(query, self.relation(query.this, frame, parent), frame, parent)
        if isinstance(query, _CHAINED):
            return self._sorted(query, self._set_operation(query, frame, parent), frame, parent)
        if isinstance(query, exp.Values):
            return self._values(query, frame, parent)
        if isinstance(query, exp.Subquery):
            return self._sorted(query, self.relation(query.this, frame, parent), frame, parent)
        raise LineageError(f"no lineage of {query.key}")

    def _select(self, select: exp.Select, frame: Frame, parent: Scope | None) -> Derived:
        with_named_windows(select)
        scope = Scope(frame, parent)
        conditions = read_from(select, scope, self)
        outputs = self._outputs(select, scope)
        clauses = Clauses(scope, outputs, self.expressions)
        for condition in conditions:
            clauses.condition("JOIN", condition)
        clauses.note(select)
        return Derived(outputs)

    def _outputs(self, select: exp.Select, scope: Scope) -> list[Output]:
        outputs: list[Output] = []
        for item in select.expressions:
            made = list(self._star(item, scope)) if _is_star(item) else [self._output(item, scope)]
            for label, value in made:
                scope.aliases.setdefault(label.lower(), value)
            outputs += made
        values = limited([value for _, value in outputs])
        return [(label, value) for (label, _), value in zip(outputs, values, strict=True)]

    def _output(self, item: exp.Expr, scope: Scope) -> Output:
        label = item.alias or (item.name if isinstance(item, exp.Column) else str(item.meta.get("source") or item.name))
        return label, self.expressions.value(item, scope)

    def _star(self, item: exp.Expr, scope: Scope) -> Sequence[Output]:
        """`*`, `t.*`, with EXCEPT (…) and REPLACE (…)."""
        is_qualified = isinstance(item, exp.Column)
        star = item.this if is_qualified else item
        left_out = {column.name.lower() for column in star.args.get("except_") or []}
        replaced = {made.alias.lower(): self._output(made, scope)[1] for made in star.args.get("replace") or []}
        outputs = scope.star(item.text("table"), item.text("db")) if is_qualified else scope.star()
        return [
            (label, replaced.get(label.lower(), value)) for label, value in outputs if label.lower() not in left_out
        ]

    def _set_operation(self, query: exp.SetOperation, frame: Frame, parent: Scope | None) -> Derived:
        """A long chain of branches is one operation with many of them."""
        frame.notes.has_rows = True
        branches: list[exp.Expr] = [query.expression]
        first = query.this
        while isinstance(first, _CHAINED) and not first.args.get("with_") and not first.args.get("order"):
            branches.append(first.expression)
            first = first.this
        relations = [self.relation(branch, frame, parent) for branch in (first, *reversed(branches))]
        return self._united([relation.outputs for relation in relations])

    def _united(self, branches: Sequence[Sequence[Output]]) -> Derived:
        """The first branch gives the names, all of them the values."""
        operation = next(self._numbers)
        columns = zip(*([value for _, value in outputs] for outputs in branches), strict=False)
        values = [
            merged(in_branch(value, operation, branch) for branch, value in enumerate(column)) for column in columns
        ]
        return Derived([(label, value) for (label, _), value in zip(branches[0], limited(values), strict=False)])

    def _values(self, values: exp.Values, frame: Frame, parent: Scope | None) -> Derived:
        """Rows of constants are the branches of a union."""
        frame.notes.has_rows = True
        scope = Scope(frame, parent)
        rows = [row.expressions if isinstance(row, exp.Tuple) else [row] for row in values.expressions]
        return self._united(
            [[(f"column_{at}", self.expressions.value(cell, scope)) for at, cell in enumerate(row)] for row in rows]
        )

    def _sorted(self, query: exp.Expr, relation: Derived, frame: Frame, parent: Scope | None) -> Derived:
        """ORDER BY behind brackets or a set operation names outputs."""
        if order := query.args.get("order"):
            scope = Scope(frame, parent, [Source("", relation)])
            Clauses(scope, relation.outputs, self.expressions).sort(order)
        return relation

    def _subquery(self, query: exp.Query, scope: Scope) -> Value:
        """The value of a query inside an expression: its output, or a tuple of several."""
        values = [value for _, value in self.relation(query, scope.frame, scope).outputs]
        if isinstance(query.parent, exp.Exists):
            return plain(Text("1"))
        if len(values) == 1:
            return values[0]
        found = combinations(values)
        if found is None:
            return plain(elided(text for value in values for text in value.texts))
        return Value(tuple(Alternative(_tuple(row), choice) for row, choice in found))

    # -- names -------------------------------------------------------------------------------
    def _with(self, query: exp.Expr, frame: Frame) -> Frame:
        """The frame inside a query: its CTEs see the ones before them."""
        clause = query.args.get("with_")
        if clause is None:
            return frame
        for cte in clause.expressions:
            columns = tuple(column.name for column in cte.args["alias"].columns)
            recursive = cte.alias if clause.args.get("recursive") else ""
            frame = frame.with_cte(cte.alias, Named(cte.this, frame, columns, recursive))
        return frame

    def reference(self, table: exp.Table, frame: Frame) -> Relation:
        """The relation of a table reference: a CTE, a view, or what the catalog has."""
        database = table.db or frame.database or ""
        found = None
        if isinstance(table.this, exp.Identifier):
            if not table.db and table.name in frame.ctes:
                return self._named(frame.ctes[table.name], frame.notes)
            found = find(self._place.catalog, database, table.name, frame.session)
            if isinstance(found, View):
                return self._named(self._view(found, database), frame.notes)
        base = base_relation(table, self._place, database, found)
        if isinstance(base, Opaque):
            frame.notes.has_function = True
        else:
            frame.notes.tables.add(base.full_name)
        return base

    def _view(self, view: View, database: str) -> Named:
        """A view: its query, out of sight of the statement's CTEs and in the view's own database."""
        if view.id not in self._views:
            columns = tuple(label for label, _, _ in view.columns)
            self._views[view.id] = Named(parse(view.query)[0].node.copy(), Frame(database), columns)
        return self._views[view.id]

    def _named(self, named: Named, notes: Notes) -> Relation:
        if named.relation is None:
            if named.is_open:
                raise LineageError("a view or CTE reads itself")
            named.is_open = True
            named.frame = named.frame.fresh()
            named.relation = self._resolved(named)
        notes.merge(named.frame.notes)
        return named.relation.referenced(defaultdict(lambda: next(self._numbers)))

    def _resolved(self, named: Named) -> Derived:
        query, frame = named.query, named.frame
        if not (named.recursive_name and isinstance(query, exp.SetOperation)):
            return self.relation(query, frame).renamed(named.columns)
        return self._recursive(query, named)

    def _recursive(self, query: exp.SetOperation, named: Named) -> Derived:
        """Inside its recursive branch a CTE is what its first branch gives: one turn, not all of them."""
        frame = self._with(query, named.frame)
        anchor = self.relation(query.this, frame).renamed(named.columns)
        inside = Named(query.this, frame.fresh(), relation=anchor)
        step = self.relation(query.expression, frame.with_cte(named.recursive_name, inside))
        return self._united([anchor.outputs, step.outputs])


def _is_star(item: exp.Expr) -> bool:
    return isinstance(item, exp.Star) or (isinstance(item, exp.Column) and isinstance(item.this, exp.Star))


def _tuple(row: Sequence[Text]) -> Text:
    text = f"({', '.join(part.sql for part in row)})"
    return Text(text, frozenset().union(*(part.columns for part in row)))
