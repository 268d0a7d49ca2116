"""Headings: how the columns of a result, and of what stands in FROM without a name of its own, are called.

    SELECT count(*) FROM t                    ->  count(*)
    SELECT * FROM (SELECT count(*) FROM t) x  ->  count(*), and x.`count(*)` names it

A heading is the alias, else the column, else the text as the client wrote it.
"""

from __future__ import annotations

from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.column import base_of
from storage.naming import PREFIX

HEADING = "heading"
SOURCE = "source"  # the text of an item of a SELECT, noted by the parser


def first_select(tree: exp.Expr) -> exp.Expr:
    """The SELECT whose items name the result: the leftmost one of set operations."""
    while isinstance(tree, (exp.SetOperation, exp.Subquery)):
        tree = tree.this
    return tree


def note_headings(tree: exp.Expr) -> None:
    """Alias every item of the result that is no star, keeping its heading; name what subqueries in FROM give."""
    select = first_select(tree)
    if isinstance(select, exp.Select):
        select.set("expressions", [_headed(item, index) for index, item in enumerate(select.expressions)])
    name_derived(tree)


def name_derived(tree: exp.Expr) -> None:
    """Alias by its heading what a subquery in FROM or a CTE gives without a name (Doris: inline views)."""
    for holder in tree.find_all(exp.Subquery, exp.CTE):
        select = first_select(holder.this)
        if isinstance(holder.parent, exp.From | exp.Join | exp.With) and isinstance(select, exp.Select):
            select.set("expressions", [_named(item) for item in select.expressions])


def _named(item: exp.Expr) -> exp.Expr:
    named = isinstance(item.unnest(), exp.Alias | exp.Column) or item.is_star or _own_alias(item)
    return item if named or SOURCE not in item.meta else exp.alias_(item, _heading(item), quoted=True, copy=False)


def _headed(item: exp.Expr, index: int) -> exp.Expr:
    if item.is_star and not isinstance(item, exp.Alias):
        return item
    heading = _heading(item)
    if not isinstance(item, exp.Alias):
        name = item.name if isinstance(item, exp.Column) else f"{PREFIX}c{index}"
        item = exp.alias_(item, name, quoted=True, copy=False)
    item.meta[HEADING] = heading
    return item


def _heading(item: exp.Expr) -> str:
    if isinstance(item, exp.Alias):
        return item.alias  # perhaps empty
    return _own_alias(item) or (item.name if isinstance(item, exp.Column) else str(item.meta.get(SOURCE) or item.name))


def _own_alias(item: exp.Expr) -> str:
    """That of a scalar subquery; what OVER w has is the name of the window."""
    return "" if isinstance(item, exp.Window) else item.alias


def spelled_heading(item: exp.Expr, binding: Binding) -> str:
    """The heading noted before binding; a column that came out of a star has its declared spelling.

    Out of the star of a subquery it has the spelling that the client gave it there, else the declared one.
    """
    if HEADING in item.meta:
        return str(item.meta[HEADING])
    value, name = item.unalias(), item.alias_or_name
    origin = base_of(value, binding) if isinstance(value, exp.Column) else None
    if origin:
        return origin[1].name
    written = binding.spelling.get(name, name)
    return written if name in binding.given else _declared(name, binding) or written


def _declared(name: str, binding: Binding) -> str | None:
    """The spelling of a column by the first relation of the statement that has it."""
    found = (relation.column(name) for relation in binding.relations.values())
    return next((column.name for column in found if column is not None), None)
