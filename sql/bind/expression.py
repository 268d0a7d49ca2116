"""Bind one expression over one relation and spell it for the relation's rows: conditions, generated columns.

    price * n   ->   "price" * "n"

Every column stands under its physical name alone, so that the text fits wherever the relation is read.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.query import bind_tree, duckdb_text
from sql.bind.relation import Relation
from sql.bind.type import inferred
from sql.rewrite.reference import MADE
from storage.naming import physical
from storage.types import DorisType


@dataclass(frozen=True, slots=True)
class BoundExpression:
    """DuckDB text over the physical columns of the relation, and its type if that is known."""

    sql: str
    type: DorisType | None


def bind_expression(value: exp.Expr, source: exp.Table, binding: Binding) -> BoundExpression:
    """Bind an expression without subqueries over the columns of `source`; the given trees are not changed."""
    select = exp.Select(expressions=[value.copy()]).from_(source.copy())
    item = bind_tree(select, binding).expressions[0]
    bound = item.unalias()
    return BoundExpression(duckdb_text(bound.transform(_plain), binding), inferred(item.type or bound.type))


def _plain(node: exp.Expr) -> exp.Expr:
    return exp.column(exp.to_identifier(physical(node.name), quoted=True)) if isinstance(node, exp.Column) else node


def reference_to(relation: Relation) -> exp.Table:
    """A table reference that stands for a relation made elsewhere."""
    table = exp.Table(this=exp.to_identifier(relation.name, quoted=True))
    table.meta[MADE] = relation
    return table
