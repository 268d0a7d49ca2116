"""Names of columns: case folding, where they come from, and the check that every name is known.

Column names are case-insensitive in Doris and case-sensitive in sqlglot's optimizer, so all of them are
folded to lower case while binding; what the client wrote comes back as the heading (sql/bind/heading.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

from sql.bind.binding import Binding
from sql.bind.relation import Relation, RelationColumn
from storage.errors import AMBIGUOUS_COLUMN, COLUMN_LABELS, STAR_PLACE, UNKNOWN_COLUMN, VIEW_COLUMN_TWICE
from storage.naming import PREFIX

LABELS = "labels"  # how many names an alias gave its columns: sqlglot hands them on to the query inside
UNNAMED = PREFIX + "unnamed"  # of ``AS ''``: DuckDB has no empty names


def note_labels(tree: exp.Expr) -> None:
    """Keep the number of column names that each alias of a query gives."""
    for holder in tree.find_all(exp.Subquery, exp.CTE):
        alias = holder.args.get("alias")
        if alias is not None and alias.args.get("columns"):
            holder.meta[LABELS] = len(alias.args["columns"])


def fold_case(tree: exp.Expr, binding: Binding) -> None:
    """Lower the case of every column name and output alias; `binding.spelling` keeps how it was written.

    What gives a name says how it is spelled, before all that use it.
    """
    found = list(tree.find_all(exp.Column, exp.Alias, exp.TableAlias, exp.Join))
    for gives in (True, False):
        for node in found:
            if _gives(node) is gives:
                for name in _names(node):
                    _fold(name, binding)
        if gives:
            binding.given |= binding.spelling.keys()


def _gives(node: exp.Expr) -> bool:
    """Whether the names of a node are those of a result: an alias, or a column as an item of a SELECT."""
    item = isinstance(node, exp.Column) and isinstance(node.parent, exp.Select) and node.arg_key == "expressions"
    return item or isinstance(node, exp.Alias | exp.TableAlias)


def _names(node: exp.Expr) -> Iterator[exp.Expr | None]:
    """The names of columns that a node gives or uses."""
    if isinstance(node, exp.Column):
        yield node.this
    elif isinstance(node, exp.Alias):
        yield node.args.get("alias")
    elif isinstance(node, exp.TableAlias):
        yield from node.args.get("columns") or []
    else:
        yield from (name.this if isinstance(name, exp.Column) else name for name in node.args.get("using") or [])


def _fold(identifier: exp.Expr | None, binding: Binding) -> None:
    if isinstance(identifier, exp.Identifier):
        lowered = identifier.name.lower() or UNNAMED
        binding.spelling.setdefault(lowered, identifier.name)
        identifier.set("this", lowered)


def base_of(column: exp.Column, binding: Binding) -> tuple[Relation, RelationColumn] | None:
    """Relation and column that a qualified column of the result comes from; None for derived tables."""
    select = column.find_ancestor(exp.Select)
    for source in _sources(select):
        if source.alias_or_name == column.table:
            relation = binding.relations.get(source.name) if isinstance(source, exp.Table) else None
            found = relation.column(column.name) if relation else None
            return (relation, found) if relation and found else None
    return None


def keeps_values(tree: exp.Expr) -> bool:
    """Whether a column without NULL has none in the result: no outer join, no grouping set, no union."""
    if not isinstance(tree, exp.Select):
        return False
    group = tree.args.get("group")
    sets = group is not None and group.find(exp.Rollup, exp.Cube, exp.GroupingSets)
    return not sets and not any(join.side for source in (tree, *_sources(tree)) for join in _joins(source))


def _joins(source: exp.Expr) -> list[exp.Join]:
    return source.args.get("joins") or []


def _sources(select: exp.Select | None) -> Iterator[exp.Expr]:
    if select is None:
        return
    clauses = [select.args.get("from_"), *_joins(select)]
    for clause in clauses:
        if clause is not None:
            yield clause.this
            yield from (join.this for join in _joins(clause.this))


def check_columns(tree: exp.Expr, binding: Binding) -> None:
    """Refuse the first column that no source has, or that more than one has, and a star that stands for no list."""
    for scope in traverse_scope(tree):
        _check_names(scope, binding)
        for column in (*scope.columns, *_left_open(scope)):
            _check(column, scope, binding)
    _check_stars(tree)


def _check_stars(tree: exp.Expr) -> None:
    """Those of the select lists have become columns by now: what is left is COUNT(*), or has no place."""
    for star in tree.find_all(exp.Star):
        holder = star.parent.parent if isinstance(star.parent, exp.Column) else star.parent
        if not isinstance(holder, exp.Count):
            raise STAR_PLACE()


def _left_open(scope: Scope) -> Iterator[exp.Column]:
    """Names in HAVING and QUALIFY that are neither column nor alias; sqlglot's scope takes them for aliases."""
    select = scope.expression
    if not isinstance(select, exp.Select):
        return
    for clause in ("having", "qualify"):
        condition = select.args.get(clause)
        for node in condition.walk(prune=lambda node: isinstance(node, exp.Query)) if condition else ():
            if isinstance(node, exp.Column) and not node.table and node.name not in select.named_selects:
                yield node


def _check_names(scope: Scope, binding: Binding) -> None:
    """A derived table or CTE names each of its columns once, and no more than there are (Doris: inline view)."""
    holder = scope.expression.parent
    if (
        not isinstance(holder, exp.Subquery | exp.CTE)
        or not holder.alias
        or not isinstance(scope.expression, exp.Query)
    ):
        return
    names = scope.expression.named_selects
    labels = holder.meta.get(LABELS, 0)
    if labels > len(names):
        kind = "CTE" if isinstance(holder, exp.CTE) else "Inline view"
        raise COLUMN_LABELS(kind=kind, name=holder.alias, found=len(names), labels=labels)
    twice = next((name for index, name in enumerate(names) if name in names[:index]), None)
    if twice is not None:
        raise VIEW_COLUMN_TWICE(name=binding.spelling.get(twice, twice), view=holder.alias)


def _check(column: exp.Column, scope: Scope, binding: Binding) -> None:
    spelled = binding.spelling.get(column.name, column.name)
    if column.table:
        if not _known(column, scope, binding):
            raise UNKNOWN_COLUMN(name=f"{column.table}.{spelled}", place="table list")
        return
    if isinstance(scope.expression, exp.SetOperation | exp.Subquery) and column.name in scope.expression.named_selects:
        return  # ORDER BY of a set operation, or behind brackets, names its result
    holders = [name for name in scope.selected_sources if column.name in _columns(scope, name, binding)]
    kind = AMBIGUOUS_COLUMN if len(holders) > 1 else UNKNOWN_COLUMN
    raise kind(name=spelled, place="table list")


def _known(column: exp.Column, scope: Scope | None, binding: Binding) -> bool:
    while scope is not None:
        if column.table in scope.sources:
            columns = _columns(scope, column.table, binding)
            return not columns or column.name in columns
        scope = scope.parent
    return False


def _columns(scope: Scope, name: str, binding: Binding) -> set[str]:
    """Lower-case column names of a source; empty when they are not known (table functions)."""
    source = scope.sources[name]
    if isinstance(source, exp.Table):
        relation = binding.relations.get(source.name)
        return {column.name.lower() for column in relation.columns} if relation else set()
    expression = source.expression
    return set(expression.named_selects) if isinstance(expression, exp.Query) else set()
