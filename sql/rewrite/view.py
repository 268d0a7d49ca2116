"""Put the query of a view in the place of its name.

    FROM v x  ->  FROM (SELECT … FROM shop.orders) AS x(a, b)

The plain names inside belong to the view's database, whatever the session's is. A view over a stream
reads it, and consumes it when an INSERT … SELECT reads the view (Doris leaves this open).
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.optimizer.scope import traverse_scope

from sql.bind.binding import Binding
from sql.bind.heading import name_derived
from sql.bind.name import INSIDE_VIEW, find, is_system, split
from sql.dialect import pipes
from sql.dialect.doris import parse
from sql.dialect.quoting import ident, pairs_text
from sql.privilege import SELECT, require
from sql.rewrite.modifier import alias_of, put_in_place, query_renamed, refuse_modifiers
from storage.catalog.model import View
from storage.errors import VIEW_DEPTH

MAX_DEPTH = 32


def base_references(tree: exp.Expr) -> Iterator[exp.Table]:
    """Table nodes that are not names of CTEs; a clause behind the name of a CTE raises NOT_SUPPORTED."""
    for scope in traverse_scope(tree):
        for table in scope.tables:
            source = scope.sources.get(table.alias_or_name)
            if source is None or isinstance(source, exp.Table) or table.db:
                yield table
            else:
                refuse_modifiers(table, f"CTE {table.name}")


def expand_views(tree: exp.Expr, binding: Binding) -> None:
    """Replace every view by its query, in place, until none is left; a ring of views raises VIEW_DEPTH."""
    for _ in range(MAX_DEPTH):
        query_renamed(tree)
        found = [(table, view) for table in base_references(tree) if (view := _view(table, binding)) is not None]
        if not found:
            return
        for table, view in found:
            put_in_place(table, _subquery(table, view, binding))
    raise VIEW_DEPTH(name=found[0][1].name, limit=MAX_DEPTH)


def _view(table: exp.Table, binding: Binding) -> View | None:
    if not isinstance(table.this, exp.Identifier):
        return None
    database, _ = split(table, binding.context)
    if is_system(database) or binding.catalog.database(database) is None:
        return None
    found = find(binding.catalog, table, binding.context)
    return found if isinstance(found, View) else None


def _subquery(table: exp.Table, view: View, binding: Binding) -> exp.Subquery:
    if not table.meta.get(INSIDE_VIEW):
        require(binding.catalog, binding.context, SELECT, *split(table, binding.context))
    refuse_modifiers(table, f"view {view.name}")
    query = view_query(view, binding.catalog.databases[view.database_id].name)
    return exp.Subquery(this=query, alias=alias_of(table, view.name, [name for name, _, _ in view.columns]))


def qualified(query: str, database: str) -> str:
    """The text of a query with the database before every plain name of a table, and as the "db" of table functions.

    ``SELECT k FROM t`` → ``SELECT k FROM `shop`.t``
    """
    for table in sorted(base_references(parse(query)[0].node), key=_place, reverse=True):
        if table.db:
            continue
        if isinstance(table.this, exp.Identifier):
            place, added = _place(table), f"{ident(database)}."
        else:
            place = query.index("(", _place(table)) + 1
            given = any(argument.this.name.lower() == "db" for argument in table.this.expressions)
            added = "" if given else pairs_text([("db", database)]) + ", "
        query = query[:place] + added + query[place:]
    return query


def _place(table: exp.Table) -> int:
    """Where the name of a reference begins in the text."""
    return int(table.this.meta["start"])


def view_query(view: View, database: str) -> exp.Expr:
    """The tree of a view's query with every plain name of a table or table function in the view's database."""
    query = parse(view.query)[0].node.copy()
    pipes.forget(query)
    for table in base_references(query):
        if not table.db:  # a table function looks there too
            table.set("db", exp.to_identifier(database, quoted=True))
        table.meta[INSIDE_VIEW] = True
    name_derived(query)
    return query
