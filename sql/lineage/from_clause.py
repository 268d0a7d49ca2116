"""FROM: its tables, derived tables, joins and lateral views become the sources of a scope.

The conditions of ON are handed back, to be resolved when all sources are known; what USING and NATURAL mean is noted
here, since it also decides which side an unqualified name belongs to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlglot import exp

from sql.lineage.dataset import equality
from sql.lineage.scope import Scope, Source
from sql.lineage.source import Derived, LineageError, Opaque, Relation

if TYPE_CHECKING:
    from sql.lineage.query import Queries


def read_from(select: exp.Select, scope: Scope, queries: Queries) -> list[exp.Expr]:
    """Fill the scope of a SELECT; gives the conditions of its joins."""
    reader = _Reader(scope, queries)
    clause = select.args.get("from_")
    if clause is None:
        scope.frame.notes.has_rows = True
    else:
        reader.source(clause.this)
    reader.joins(select)
    return reader.conditions


class _Reader:
    """Reads one FROM; brackets around joins do not matter for names."""

    def __init__(self, scope: Scope, queries: Queries) -> None:
        self._scope = scope
        self._queries = queries
        self.conditions: list[exp.Expr] = []

    def joins(self, holder: exp.Expr) -> None:
        """The joins and lateral views that hang on a SELECT or on a table."""
        for join in holder.args.get("joins") or []:
            self._join(join)
        for lateral in holder.args.get("laterals") or []:
            self.source(lateral)

    def source(self, node: exp.Expr) -> None:
        """One item of FROM, with the joins that hang on it."""
        if isinstance(node, exp.Subquery) and isinstance(node.unnest(), exp.Table):
            self.source(node.this)
        else:
            self._add(node, self._relation(node))
        self.joins(node)

    def _relation(self, node: exp.Expr) -> Relation:
        if isinstance(node, exp.Table):
            return self._queries.reference(node, self._scope.frame)
        if isinstance(node, exp.Lateral):
            return self._lateral(node)
        if isinstance(node, exp.Unnest):
            plain = exp.Unnest(expressions=[item.copy() for item in node.expressions])
            return self._opaque(plain, node)
        if isinstance(node, (exp.Query, exp.Values)):
            return self._queries.relation(node, self._scope.frame, self._scope.parent)
        raise LineageError(f"no lineage of {node.key} in FROM")

    def _lateral(self, lateral: exp.Lateral) -> Relation:
        """LATERAL (SELECT …) sees the sources before it; the columns of LATERAL VIEW f(x) t AS e are all f(x)."""
        if isinstance(lateral.this, exp.Query):
            return self._queries.relation(lateral.this, self._scope.frame, self._scope)
        return self._opaque(lateral.this, lateral)

    def _opaque(self, function: exp.Expr, node: exp.Expr) -> Opaque:
        value = self._queries.expressions.value(function, self._scope)
        return Opaque([(column, value) for column in _alias_columns(node) or [node.alias]])

    def _add(self, node: exp.Expr, relation: Relation) -> None:
        alias, columns = node.alias, _alias_columns(node)
        if columns and not isinstance(relation, Opaque):
            relation = Derived(relation.outputs).renamed(columns)
        database = "" if alias or not isinstance(node, exp.Table) else node.db or self._scope.frame.database or ""
        self._scope.sources.append(Source(alias or node.name, relation, database))

    # -- joins -------------------------------------------------------------------------------
    def _join(self, join: exp.Join) -> None:
        left = list(self._scope.sources)
        self.source(join.this)
        right = self._scope.sources[len(left) :]
        for column in _shared(join, left, right):
            self._share(column, left, right, join.side == "RIGHT")
        if join.kind in ("SEMI", "ANTI"):
            for source in left if join.side == "RIGHT" else right:
                source.is_joined_away = True
        if condition := join.args.get("on"):
            self.conditions.append(condition)

    def _share(self, column: str, left: Sequence[Source], right: Sequence[Source], takes_right: bool) -> None:
        """USING (k): the condition left.k = right.k; `k` alone is the left one, in a RIGHT JOIN the right one."""
        ours = self._scope.shared.get(column) or _holder(left, column)
        theirs = _holder(right, column)
        left_value, right_value = ours.relation.find(column), theirs.relation.find(column)
        if left_value is not None and right_value is not None:
            self._scope.frame.notes.add("JOIN", equality(left_value, right_value))
        self._scope.shared[column] = theirs if takes_right else ours


def _alias_columns(node: exp.Expr) -> list[str]:
    alias = node.args.get("alias")
    return [column.name for column in alias.columns] if isinstance(alias, exp.TableAlias) else []


def _shared(join: exp.Join, left: Sequence[Source], right: Sequence[Source]) -> list[str]:
    """The columns of USING; of a NATURAL join those that both sides show, in lower case."""
    if join.method != "NATURAL":
        return [item.name.lower() for item in join.args.get("using") or []]
    shown = {label.lower() for source in left if not source.is_joined_away for label, _ in source.relation.outputs}
    labels = dict.fromkeys(label.lower() for source in right for label, _ in source.relation.outputs)
    return [label for label in labels if label in shown]


def _holder(sources: Sequence[Source], column: str) -> Source:
    """The first source that has a column."""
    for source in sources:
        if source.relation.find(column) is not None:
            return source
    raise LineageError(f"no column {column} on one side of a join")
