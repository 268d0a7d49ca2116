"""Replace every table reference of a statement by a relation (Doris names -> DuckDB text).

    FROM orders o  ->  FROM __doris_r0 AS o        (bound; `Binding.relations` holds what r0 is)
    …              ->  FROM (SELECT … FROM t_17) AS o   (`inline`, after names and types are bound)

CTE names are left alone; db and catalog qualifiers of columns are dropped once the reference is known.
"""

from __future__ import annotations

from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.name import INSIDE_VIEW, find, is_system, split, usable
from sql.bind.relation import Relation
from sql.dialect.bound import RawRelation
from sql.information_schema import lookup
from sql.privilege import SELECT, require
from sql.rewrite.changelog import changelog_relation
from sql.rewrite.image import reset_relation, snapshot_relation, travel_relation
from sql.rewrite.incr import incr_relation
from sql.rewrite.modifier import alias_of, put_in_place, refuse_modifiers
from sql.rewrite.numbers import numbers_relation
from sql.rewrite.stream import stream_relation
from sql.rewrite.system import system_relation
from sql.rewrite.table import TARGET, table_relation, target_relation
from sql.rewrite.view import base_references, expand_views
from storage.catalog.model import Stream, Table
from storage.errors import (
    AT_STREAM,
    AT_TABLE,
    NO_SUCH_TABLE,
    NOT_SUPPORTED,
    NOT_UNIQUE_ALIAS,
    STREAM_CLAUSE,
    TABLE_NOT_FOUND,
    TRAVEL_WITH_INCR,
    UNKNOWN_DATABASE,
)

MADE = "made"  # meta key of a reference that brings its Relation along (the rows of a load)


def bind_references(tree: exp.Expr, binding: Binding) -> None:
    """Give each base reference its relation, in place."""
    expand_views(tree, binding)
    for reference in list(base_references(tree)):
        relation = _relation(reference, binding)
        binding.volatile |= not relation.lasting
        alias = alias_of(reference, relation.name)
        _check_alias(reference, alias.name)
        put_in_place(reference, exp.Table(this=exp.to_identifier(binding.add(relation), quoted=True), alias=alias))
    for column in tree.find_all(exp.Column):
        column.set("db", None)
        column.set("catalog", None)


def _check_alias(reference: exp.Table, alias: str) -> None:
    """Two references of one FROM must not share their name (MySQL: 1066)."""
    select = reference.find_ancestor(exp.Select)
    if select is None:
        return
    sources = [select.args.get("from_"), *(select.args.get("joins") or [])]
    names = [item.this.alias_or_name for item in sources if item and item.this is not reference]
    if alias in names:
        raise NOT_UNIQUE_ALIAS(name=alias)


def _relation(reference: exp.Table, binding: Binding) -> Relation:
    if isinstance(made := reference.meta.get(MADE), Relation):
        return made
    if isinstance(reference.this, exp.Anonymous):
        refuse_modifiers(reference, f"table function {reference.this.name}")
        return _function(reference, binding)
    database, name = split(reference, binding.context)
    if is_system(database):
        refuse_modifiers(reference, f"system table {database.lower()}.{name}")
        return _system(database.lower(), name, binding)
    if binding.catalog.database(database) is None:
        raise UNKNOWN_DATABASE(name=database)
    found = find(binding.catalog, reference, binding.context)
    if found is not None and not reference.meta.get(INSIDE_VIEW):
        require(binding.catalog, binding.context, SELECT, database, name)
    if isinstance(found, Stream):
        return _stream(found, reference, binding)
    if isinstance(found, Table):
        return _table(usable(binding.catalog, found), reference, binding)
    raise TABLE_NOT_FOUND(table=name, database=database)


def _stream(stream: Stream, reference: exp.Table, binding: Binding) -> Relation:
    """The changes of a stream, or one of its two images."""
    clause = reference.args.get("changes")
    if reference.args.get("tablet"):
        raise STREAM_CLAUSE(clause="TABLET", name=stream.name)
    if reference.args.get("version"):
        raise STREAM_CLAUSE(clause="FOR VERSION/TIME AS OF", name=stream.name)
    if clause is None:
        return stream_relation(binding, stream, reference)
    build = {"snapshot": snapshot_relation, "reset": reset_relation}.get(clause.name)
    if build is None:
        raise AT_STREAM(name=clause.name)
    return build(binding, stream, reference, clause)


def _table(table: Table, reference: exp.Table, binding: Binding) -> Relation:
    """The current rows of a table, a past image, or the changes of a window."""
    binding.read(table)
    if reference.args.get("tablet"):
        raise NOT_SUPPORTED(what=f"TABLET on table {table.name}")
    clause, version = reference.args.get("changes"), reference.args.get("version")
    if clause is not None and clause.name != "incr":
        raise AT_TABLE(name=clause.name)
    if clause is not None and version is not None:
        raise TRAVEL_WITH_INCR()
    if clause is not None:
        return incr_relation(binding, table, reference, clause)
    if version is not None:
        return travel_relation(binding, table, reference, version)
    build = target_relation if reference.meta.get(TARGET) else table_relation
    return build(binding, table, reference)


def _system(database: str, name: str, binding: Binding) -> Relation:
    table = lookup(name, database)
    if table is None:
        raise TABLE_NOT_FOUND(table=name, database=database)
    return system_relation(binding, table)


def _function(reference: exp.Table, binding: Binding) -> Relation:
    build = {"changelog": changelog_relation, "numbers": numbers_relation}.get(reference.this.name.lower())
    if build is not None:
        return build(binding, reference)
    raise NO_SUCH_TABLE(name=reference.this.name)


def inline(tree: exp.Expr, binding: Binding) -> exp.Expr:
    """Put the DuckDB text of each relation in the place of its name."""
    for table in list(tree.find_all(exp.Table)):
        relation = binding.relations.get(table.name)
        if relation is None or table.db:
            continue
        put_in_place(table, exp.Subquery(this=RawRelation(this=relation.sql), alias=table.args["alias"].copy()))
    return tree
