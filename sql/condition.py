"""WHERE of a SHOW: whether a row of text cells fulfils a condition, in SQL's three truths.

The simple form that tools send: columns and literals compared by =, <>, <, <=, >, >=, <=>, LIKE, IN, BETWEEN and
IS NULL, joined by AND, OR and NOT. Numbers are compared by their size, all else by its letters. None is UNKNOWN, as of
a comparison with NULL. Everything else is SHOW_WHERE, for an empty list too.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence

from sqlglot import exp

from storage.errors import SHOW_WHERE

Cell = str | None
Truth = bool | None
Compare = Callable[[float | str, float | str], bool]

NUMBER = re.compile(r"-?\d+(\.\d+)?")


def like_matcher(pattern: str, sensitive: bool = True) -> Callable[[str], bool]:
    r"""A test for a LIKE pattern: % any text, _ one character, \ takes the next one as it is."""
    tokens = re.findall(r"\\.|.", pattern, re.DOTALL)
    wild = {"%": ".*", "_": "."}
    expression = "".join(wild.get(token) or re.escape(token[-1]) for token in tokens)
    compiled = re.compile(expression, re.DOTALL | (0 if sensitive else re.IGNORECASE))
    return lambda text: compiled.fullmatch(text) is not None


class Condition:
    """A condition on rows with these columns, whose names may be written in any case."""

    def __init__(self, tree: exp.Expr, columns: Sequence[str]) -> None:
        """Raise SHOW_WHERE for what is not of the simple form."""
        self._tree = tree
        self._places = {name.lower(): place for place, name in enumerate(columns)}
        self.holds((None,) * len(columns))

    def holds(self, row: Sequence[Cell]) -> bool:
        """Whether the condition is true of a row: neither false nor unknown."""
        return self._truth(self._tree, row) is True

    def _truth(self, tree: exp.Expr, row: Sequence[Cell]) -> Truth:
        if isinstance(tree, exp.Paren):
            return self._truth(tree.this, row)
        if isinstance(tree, exp.Not):
            return _opposite(self._truth(tree.this, row))
        if isinstance(tree, exp.And):
            return _both(self._truth(tree.this, row), self._truth(tree.expression, row))
        if isinstance(tree, exp.Or):  # by De Morgan's law
            either = (_opposite(self._truth(side, row)) for side in (tree.this, tree.expression))
            return _opposite(_both(*either))
        if isinstance(tree, exp.Boolean):
            return bool(tree.this)
        truth = self._test(tree, row)
        return _opposite(truth) if tree.args.get("negate") else truth  # NOT LIKE

    def _test(self, tree: exp.Expr, row: Sequence[Cell]) -> Truth:
        if isinstance(tree, exp.Is) and isinstance(tree.expression, exp.Null):
            return self._cell(tree.this, row) is None
        if isinstance(tree, exp.NullSafeEQ):
            one, other = self._cell(tree.this, row), self._cell(tree.expression, row)
            return one is other if one is None or other is None else _TESTS[exp.EQ](one, other)
        if isinstance(tree, exp.In) and tree.expressions:
            found = [_opposite(self._compares(exp.EQ, tree.this, item, row)) for item in tree.expressions]
            return _opposite(_all(found))
        if isinstance(tree, exp.Between):
            low, high = tree.args["low"], tree.args["high"]
            return _both(self._compares(exp.GTE, tree.this, low, row), self._compares(exp.LTE, tree.this, high, row))
        if type(tree) in _TESTS:
            return self._compares(type(tree), tree.this, tree.expression, row)
        raise SHOW_WHERE(reason=tree.key)

    def _compares(self, kind: type[exp.Expr], left: exp.Expr, right: exp.Expr, row: Sequence[Cell]) -> Truth:
        """One comparison, unknown where a side is NULL."""
        one, other = self._cell(left, row), self._cell(right, row)
        return None if one is None or other is None else _TESTS[kind](one, other)

    def _cell(self, tree: exp.Expr, row: Sequence[Cell]) -> Cell:
        if isinstance(tree, exp.Paren):
            return self._cell(tree.this, row)
        if isinstance(tree, exp.Literal):
            return tree.name
        if isinstance(tree, exp.Neg) and isinstance(tree.this, exp.Literal):
            return f"-{tree.this.name}"
        if isinstance(tree, exp.Boolean):
            return str(tree.this).lower()
        if isinstance(tree, exp.Null):
            return None
        if isinstance(tree, exp.Column):
            place = self._places.get(tree.name.lower())
            if place is None or tree.table:
                raise SHOW_WHERE(reason=".".join(part.name for part in tree.parts))
            return row[place]
        raise SHOW_WHERE(reason=tree.key)


def _opposite(truth: Truth) -> Truth:
    return None if truth is None else not truth


def _both(one: Truth, other: Truth) -> Truth:
    return _all((one, other))


def _all(truths: Sequence[Truth]) -> Truth:
    """AND: false as soon as one is, else unknown as soon as one is."""
    return False if False in truths else None if None in truths else True


def _like(text: str, pattern: str) -> bool:
    return like_matcher(pattern, sensitive=False)(text)


def _by_size(compare: Compare) -> Callable[[str, str], bool]:
    """Numbers by their size, texts by their letters."""

    def test(one: str, other: str) -> bool:
        if NUMBER.fullmatch(one) and NUMBER.fullmatch(other):
            return compare(float(one), float(other))
        return compare(one, other)

    return test


_TESTS: dict[type[exp.Expr], Callable[[str, str], bool]] = {
    exp.EQ: _by_size(operator.eq),
    exp.NEQ: _by_size(operator.ne),
    exp.Like: _like,
    exp.GT: _by_size(operator.gt),
    exp.GTE: _by_size(operator.ge),
    exp.LT: _by_size(operator.lt),
    exp.LTE: _by_size(operator.le),
}
