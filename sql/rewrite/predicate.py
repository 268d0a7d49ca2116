"""Plain predicates of DELETE: conjunctions of `column op literal`, IN, IS NULL; what a predicate delete understands.

Pure checks on the tree as it was written. An OR of one column with literals counts as IN, as Doris's planner
makes one of it; BETWEEN counts as >= and <=, and a literal may stand on the left. Source: Doris: DELETE.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from storage.catalog.model import Column, Model, Table
from storage.errors import (
    DELETE_ALL,
    DELETE_FLOAT,
    DELETE_IN_LIMIT,
    DELETE_LEFT,
    DELETE_RIGHT,
    DELETE_SHAPE,
    DELETE_VALUE_COLUMN,
    DorisError,
)

_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
_NEGATABLE = (*_COMPARISONS, exp.In, exp.Is, exp.Or)


@dataclass(frozen=True, slots=True)
class Plain:
    """The check for one table; `in_limit` is the most elements an IN list may have."""

    table: Table
    in_limit: int

    def check(self, condition: exp.Expr) -> None:
        """Refuse what is not plain, in Doris's words."""
        if isinstance(condition, exp.Boolean):
            raise DELETE_ALL()
        for term in _terms(condition):
            self._check_term(term)

    def holds(self, condition: exp.Expr, keys_only: bool) -> bool:
        """Whether the condition is plain, and with `keys_only` names no value column."""
        try:
            self.check(condition)
        except DorisError:
            return False
        named = [self.table.column(column.name) for column in condition.find_all(exp.Column)]
        return not keys_only or all(column is not None and column.key for column in named)

    def _check_term(self, term: exp.Expr) -> None:
        plain = term.this.unnest() if isinstance(term, exp.Not) else term
        if not isinstance(plain, _NEGATABLE if plain is not term else (*_NEGATABLE, exp.Between)):
            raise DELETE_SHAPE()
        if isinstance(plain, exp.Or):
            return self._check_or(plain)
        kind = _KINDS.get(type(plain), "binary")
        column, operands = _sides(plain)
        column = column.unnest()
        if not isinstance(column, exp.Column):
            raise DELETE_LEFT(kind=kind)
        if any(operand.find(exp.Column, exp.Query) for operand in operands):
            raise DELETE_RIGHT(kind=kind)
        self._check_column(self.table.column(column.name))
        if len(plain.expressions) > self.in_limit:
            raise DELETE_IN_LIMIT(limit=self.in_limit)
        return None

    def _check_or(self, condition: exp.Or) -> None:
        """One column, compared with literals by = or IN."""
        terms = [term.unnest() for term in condition.flatten()]
        columns = {term.this.name.lower() for term in terms if isinstance(term.this, exp.Column)}
        if len(columns) != 1 or not all(isinstance(term, (exp.EQ, exp.In)) for term in terms):
            raise DELETE_SHAPE()
        for term in terms:
            self._check_term(term)

    def _check_column(self, column: Column | None) -> None:
        if column is not None and column.type.name in ("float", "double"):
            raise DELETE_FLOAT(name=column.name)
        if column is not None and self.table.model is Model.AGGREGATE and not column.key:
            raise DELETE_VALUE_COLUMN(table=self.table.name)


_KINDS: dict[type[exp.Expr], str] = {exp.In: "in", exp.Is: "is_null"}


def _terms(condition: exp.Expr) -> Iterator[exp.Expr]:
    """The members of a conjunction."""
    condition = condition.unnest()
    if isinstance(condition, exp.And):
        yield from _terms(condition.left)
        yield from _terms(condition.right)
    else:
        yield condition


def _sides(plain: exp.Expr) -> tuple[exp.Expr, list[exp.Expr]]:
    """What is compared, and with what."""
    if isinstance(plain, exp.In):
        return plain.this, [plain.args["query"]] if plain.args.get("query") else plain.expressions
    if isinstance(plain, exp.Between):
        return plain.this, [plain.args["low"], plain.args["high"]]
    other = plain.args["expression"]
    if not plain.this.find(exp.Column, exp.Query):
        return other, [plain.this]
    return plain.this, [other]
