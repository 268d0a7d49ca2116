"""Whole numbers as a client writes them have the narrowest integer type that holds them, as in Doris.

    SELECT 1, -300        ->  SELECT CAST(1 AS TINYINT), CAST(-300 AS SMALLINT)
    IF(c, 1, 300)         ->  IF(c, CAST(1 AS TINYINT), CAST(300 AS SMALLINT))    a SMALLINT
    tinyint + 1           ->  CAST(tinyint AS SMALLINT) + 1                       arithmetic.py: the next wider one

That is so where their type shows: in a select list, between branches that are all numbers, in arithmetic. Elsewhere
they are INTs for sqlglot, and what fits for DuckDB. In a recursive CTE they keep INT, too: the types of its first
branch are those of all rows. Source: Doris: CREATE TABLE AS SELECT, data type conversion.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.expressions.datatypes import DType
from sqlglot.optimizer.annotate_types import TypeAnnotator

from sql.dialect.doris import Doris
from sql.ingest.shape import SLOT
from sql.rewrite.operand import NUMBERS, Rule, branches, convert, kind_of
from sql.rewrite.session import FOLDED
from storage.types import BIGINT, INT, SMALLINT, TINYINT, DorisType

_NARROW = {DType.TINYINT: TINYINT, DType.SMALLINT: SMALLINT}
_WIDE = {DType.INT: INT, DType.BIGINT: BIGINT}
_ALONE = (exp.Nullif, exp.Min, exp.Max, exp.AnyValue)  # of the type of their first argument
_BRANCHING = (exp.If, exp.Case, exp.Coalesce, exp.Greatest, exp.Least)
_SHOWING = (exp.Select, exp.Add, exp.Sub, exp.Mul, exp.Abs, *_ALONE, *_BRANCHING)
_PLACES = frozenset(("expressions", "this", "expression", "true", "false", "default"))  # of these


# -- types ---------------------------------------------------------------------------------------
def _annotate(annotator: TypeAnnotator, node: exp.Literal) -> exp.Expr:
    """Note the type of a literal: sqlglot's, or of a whole number one that holds it, the narrowest where it shows."""
    Doris.EXPRESSION_METADATA[exp.Literal]["annotator"](annotator, node)
    if node.is_int:
        value = -int(node.name) if isinstance(node.parent, exp.Neg) else int(node.name)
        known = _NARROW if _shows(node) else {}
        fitting = (this for this, kind in {**known, **_WIDE}.items() if _holds(kind, value))
        node.type = exp.DataType(this=next(fitting, DType.INT128))
    return node


METADATA: dict[type[exp.Expr], dict[str, Any]] = {exp.Literal: {"annotator": _annotate}}


def _holds(kind: DorisType, value: int) -> bool:
    low, high = kind.integer_range
    return low <= value <= high


def _shows(literal: exp.Literal) -> bool:
    """Whether the type of a literal shows; what the session or a column stands behind has a type of its own."""
    place: exp.Expr = literal
    while isinstance(place.parent, exp.Neg | exp.Paren | exp.Alias):
        place = place.parent
    if not isinstance(place.parent, _SHOWING) or place.arg_key not in _PLACES:
        return False
    beginning = place.find_ancestor(exp.With)
    return not (SLOT in literal.meta or FOLDED in literal.meta or (beginning is not None and beginning.recursive))


# -- what DuckDB sees ----------------------------------------------------------------------------
def _select(select: exp.Expr) -> None:
    for item in select.expressions:
        _narrow(item.unalias())


def _branches(node: exp.Expr) -> None:
    """Between numbers only: what else is beside a literal decides how DuckDB reads it."""
    if isinstance(node.parent, exp.Case):
        return  # the branches of a CASE are for the CASE
    found = [node.this] if isinstance(node, _ALONE) else branches(node)
    values = [value for value in found if not isinstance(value, exp.Null)]
    if all(kind_of(value) in NUMBERS for value in values):
        for value in values:
            _narrow(value)


def _narrow(value: exp.Expr) -> None:
    """Cast a literal, with its sign, to the type that was noted."""
    plain = value
    while isinstance(plain, exp.Neg | exp.Paren):
        plain = plain.this
    kind = kind_of(value)
    if isinstance(plain, exp.Literal) and kind in _NARROW:
        convert(value, exp.DataType(this=kind))


RULES: dict[type[exp.Expr], Rule] = {exp.Select: _select, **dict.fromkeys((*_ALONE, *_BRANCHING), _branches)}
