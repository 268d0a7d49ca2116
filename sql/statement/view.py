"""Views: CREATE [OR REPLACE], ALTER, DROP, SHOW CREATE VIEW.

A view is bound when it is made, so that it has columns and types, and its stars become the columns there are; its text
is bound anew at each use.
Source: Doris documentation, CREATE VIEW; Doris: Changelog, raw change records (hidden columns need an alias).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from sql.bind.name import existing, find, resolve_database, split
from sql.bind.query import bind_query, typed
from sql.ddl.alter import check_free
from sql.ddl.commit import commit, stamp
from sql.ddl.name import check_object
from sql.ddl.view import VIEW_COLUMNS as LISTED
from sql.ddl.view import view_line
from sql.dialect import node, pipes
from sql.dialect.clause import target
from sql.dialect.doris import parse
from sql.listing import rows
from sql.read import open_binding
from sql.result import Field, Result
from sql.rewrite.star import without_stars
from sql.rewrite.view import qualified
from sql.statement import Call, handles
from storage.catalog.catalog import Catalog
from storage.catalog.model import View
from storage.errors import (
    DUPLICATE_COLUMN,
    INCORRECT_COLUMN_NAME,
    VIEW_COLUMNS,
    VIEW_HIDDEN_COLUMN,
    VIEW_TEMPORARY,
)
from storage.naming import PREFIX
from storage.types import STRING, DorisType

Columns = tuple[tuple[str, DorisType, str], ...]
_Making = Call[exp.Create] | Call[node.AlterView]


@handles(exp.Create, "VIEW")
def create_view(call: Call[exp.Create]) -> Result:
    """CREATE [OR REPLACE] VIEW [IF NOT EXISTS] v [(columns)] [COMMENT] AS query."""
    reference, listed = target(call.node)
    database_name, name = split(reference, call.context)
    check_object("table", name)
    columns, text = _bound(call, listed, database_name, name)
    identity = stamp(call.engine, 1).take_id()

    def change(catalog: Catalog) -> Catalog:
        database = resolve_database(catalog, database_name)
        old = catalog.view(database.id, name)
        if old is not None and call.node.args.get("exists"):
            return catalog
        if old is not None and call.node.args.get("replace"):
            catalog = catalog.without_view(old.id)
        check_free(catalog, database.id, name)
        return catalog.with_view(View(identity, database.id, name, text, columns, _comment(call.node)))

    return commit(call, change)


@handles(node.AlterView)
def alter_view(call: Call[node.AlterView]) -> Result:
    """ALTER VIEW v [(columns)] [COMMENT] AS query, or MODIFY COMMENT; what is not given stays."""
    (reference, listed), comment = target(call.node), call.node.args.get("comment")
    given = {"comment": comment.name} if comment is not None else {}
    database, name = split(reference, call.context)
    bound = _bound(call, listed, database, name) if call.node.args.get("expression") else None

    def change(catalog: Catalog) -> Catalog:
        found = existing(catalog, reference, call.context, View, "ALTER")
        columns, query = bound or (found.columns, found.query)
        return catalog.with_view(replace(found, columns=columns, query=query, **given))

    return commit(call, change)


def _comment(tree: exp.Expr) -> str:
    found = tree.find(exp.SchemaCommentProperty)
    return found.this.name if found is not None else ""


def _bound(call: _Making, listed: Sequence[exp.Expr], database: str, view: str) -> tuple[Columns, str]:
    """The columns of the view and the text of its query."""
    binding = open_binding(call)
    binding.describes = True
    try:
        query = _spelled_out(call.node.expression) if binding.pipes_as_concat else call.node.expression
        fields = typed(bind_query(query, binding), binding).fields
        text = _qualified(without_stars(str(query.meta["source"]), query, binding), call, database)
        temporary = next((table.name for table in binding.tables.values() if table.session is not None), None)
        if temporary is not None:
            raise VIEW_TEMPORARY(name=temporary)
    finally:
        binding.reader.close()
    return _columns(listed, fields, view), text


def _spelled_out(query: exp.Expr) -> exp.Expr:
    """The query with CONCAT in place of `||`, as its maker's session means it."""
    text = pipes.in_words(str(query.meta["source"]), int(query.meta["begin"]), query)
    found = parse(text)[0].node.copy()
    found.meta["source"] = text
    return found


def _qualified(text: str, call: _Making, database: str) -> str:
    """The query with plain names of the session's database made full where the view lies in another one."""
    current = call.context.database
    return text if current in (None, database) else qualified(text, str(current))


def _columns(listed: Sequence[exp.Expr], fields: Sequence[Field], view: str) -> Columns:
    """Names and types of the view: those of the query, under the names of the column list if there is one."""
    if listed and len(listed) != len(fields):
        raise VIEW_COLUMNS()
    names = [item.name for item in listed] or [field.name for field in fields]
    _check_names(names, view)
    comments = [_column_comment(item) for item in listed] or [""] * len(fields)
    return tuple((name, _type(field), text) for name, field, text in zip(names, fields, comments, strict=True))


def _type(field: Field) -> DorisType:
    return field.type or STRING


def _column_comment(column: exp.Expr) -> str:
    found = column.find(exp.CommentColumnConstraint)
    return found.this.name if found is not None else ""


def _check_names(names: list[str], view: str) -> None:
    """Hidden columns need an alias, no name is empty or comes twice."""
    seen: set[str] = set()
    for name in names:
        if not name:
            raise INCORRECT_COLUMN_NAME(name=name, reason="")
        if name.lower().startswith(PREFIX):
            raise VIEW_HIDDEN_COLUMN(name=name, view=view)
        if name.lower() in seen:
            raise DUPLICATE_COLUMN(name=name)
        seen.add(name.lower())


@handles(exp.Drop, "VIEW")
def drop_view(call: Call[exp.Drop]) -> Result:
    """DROP VIEW [IF EXISTS] v."""
    reference = call.node.args["tables"][0]

    def change(catalog: Catalog) -> Catalog:
        if call.node.args.get("exists") and find(catalog, reference, call.context) is None:
            return catalog
        return catalog.without_view(existing(catalog, reference, call.context, View, "DROP").id)

    return commit(call, change)


@handles(exp.Show, "CREATE VIEW")
def show_create_view(call: Call[exp.Show]) -> Result:
    catalog, reference = call.engine.database.catalog, call.node.args["target"]
    return rows(LISTED, [view_line(existing(catalog, reference, call.context, View, "SHOW CREATE"))])
