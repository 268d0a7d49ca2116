"""Arrays in DuckDB's words (Doris: array functions).

Each function spells one node of sqlglot; `generator` is the DuckDB generator.
"""

from __future__ import annotations

from sqlglot import exp
from sqlglot.generator import Generator

from storage.errors import LAMBDA_PLACE
from storage.naming import PREFIX

_ITEM, _PLACE, _OPERANDS = PREFIX + "item", PREFIX + "place", PREFIX + "operands"


def _once(value: str, **operands: str) -> str:
    """A value over operands that are computed once, however often it names them: as fields of _OPERANDS."""
    fields = ", ".join(f"'{name}': {text}" for name, text in operands.items())
    return f"list_transform([{{{fields}}}], lambda {_OPERANDS}: {value})[1]"


def position(generator: Generator, node: exp.Expr) -> str:
    """0 when the value is absent, NULL for a NULL array."""
    array = f"{_OPERANDS}.a"
    found = f"CASE WHEN {array} IS NOT NULL THEN COALESCE(list_position({array}, {_OPERANDS}.v), 0) END"
    return _once(found, a=generator.sql(node.this), v=generator.sql(node.expression))


def part(generator: Generator, node: exp.Expr) -> str:
    """ARRAY_SLICE counts from 1, or from the end below 0, and takes a length; beyond the array there is nothing."""
    given = {name: generator.sql(node, key) for name, key in (("a", "this"), ("s", "start"), ("n", "end"))}
    operands = {name: text for name, text in given.items() if text}
    array, start, length = (f"{_OPERANDS}.{name}" for name in given)
    first = f"(CASE WHEN {start} < 0 THEN len({array}) + 1 ELSE 0 END + {start})"
    last = f"{first} + {length} - 1" if "n" in operands else f"len({array})"
    bounded = f"CASE WHEN {first} > 0 THEN list_slice({array}, {first}, greatest({last}, 0)) ELSE {array}[1:0] END"
    missing = " OR ".join(f"{_OPERANDS}.{name} IS NULL" for name in operands)
    return _once(f"CASE WHEN {missing} THEN NULL ELSE {bounded} END", **operands)


def filtered(generator: Generator, node: exp.Expr) -> str:
    """ARRAY_FILTER(lambda, array), or by an array of truths: what has a true one in its place is kept."""
    array, truths = generator.sql(node.this), generator.sql(node.expression)
    if isinstance(node.expression, exp.Lambda):
        raise LAMBDA_PLACE()
    if isinstance(node.this, exp.Lambda):
        return f"list_filter({truths}, {array})"
    chosen = f"list_filter({array}, lambda {_ITEM}, {_PLACE}: CAST({truths}[{_PLACE}] AS BOOLEAN))"
    return f"CASE WHEN {truths} IS NOT NULL THEN {chosen} END"


def compact(generator: Generator, node: exp.Expr) -> str:
    """ARRAY_COMPACT drops what equals the element before it."""
    array = f"{_OPERANDS}.a"
    changes = f"{_PLACE} = 1 OR {_ITEM} IS DISTINCT FROM {array}[{_PLACE} - 1]"
    return _once(f"list_filter({array}, lambda {_ITEM}, {_PLACE}: {changes})", a=generator.sql(node.this))


def without(generator: Generator, node: exp.Expr) -> str:
    """ARRAY_REMOVE drops every element that is the value; NULL is one."""
    array, value = generator.sql(node.this), generator.sql(node.expression)
    return f"list_filter({array}, lambda {_ITEM}: {_ITEM} IS DISTINCT FROM {value})"
