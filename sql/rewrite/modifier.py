"""The clauses behind a table's name: those that stay with whatever takes its place, and the refusal of others.

A table or stream gives each modifier a meaning or an error of its own (reference.py); views, system tables, CTEs and
table functions have none of them. New names of columns get a query of their own, whatever they stand behind.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from sqlglot import exp

from storage.errors import NOT_SUPPORTED

_STAYING = ("joins", "laterals", "pivots", "sample")

_WORDS: dict[str, Callable[[exp.Expr], str]] = {
    "changes": lambda clause: f"@{clause.name}",
    "version": lambda _: "FOR VERSION/TIME AS OF",
    "partition": lambda _: "PARTITION",
    "tablet": lambda _: "TABLET",
}


def refuse_modifiers(reference: exp.Table, what: str, among: Collection[str] = tuple(_WORDS)) -> None:
    """Raise NOT_SUPPORTED for the first of the clauses `among` that stands behind the reference; `what` names it."""
    for key in among:
        clause = reference.args.get(key)
        if clause is not None:
            raise NOT_SUPPORTED(what=f"{_WORDS[key](clause)} on {what}")


def put_in_place(reference: exp.Expr, relation: exp.Expr) -> None:
    """Replace a reference by the relation it stands for; what is joined or sampled behind it stays there."""
    for key in _STAYING:
        if reference.args.get(key):
            relation.set(key, reference.args[key])
    reference.replace(relation)


def query_renamed(tree: exp.Expr) -> None:
    """Put a query around whatever gets new names of columns by its alias, in place; that query has those columns only.

    FROM t PARTITION (p) AS c (x)         ->  FROM (SELECT * FROM t PARTITION (p) AS c) AS c (x)
    WITH c (x) AS (SELECT k … ORDER BY k)  ->  WITH c (x) AS (SELECT * FROM (SELECT k … ORDER BY k) AS c)
    """
    for reference in list(tree.find_all(exp.Table, exp.Values)):
        if _labels(reference) and isinstance(reference.parent, exp.From | exp.Join):
            alias = reference.args["alias"]
            outer = exp.Subquery(alias=alias)
            put_in_place(reference, outer)
            reference.set("alias", exp.TableAlias(this=alias.this.copy()))
            for key in _STAYING:
                reference.set(key, None)
            outer.set("this", _all_of(reference))
    for holder in list(tree.find_all(exp.Subquery, exp.CTE)):
        if _labels(holder) and _sorts_by_old_names(holder):
            inner = exp.Subquery(this=holder.this, alias=exp.TableAlias(this=holder.args["alias"].this.copy()))
            holder.set("this", _all_of(inner))


def _all_of(source: exp.Expr) -> exp.Select:
    return exp.Select(expressions=[exp.Star()], from_=exp.From(this=source))


def _labels(holder: exp.Expr) -> list[str]:
    alias = holder.args.get("alias")
    return [column.name for column in alias.args.get("columns") or ()] if isinstance(alias, exp.TableAlias) else []


def _sorts_by_old_names(holder: exp.Expr) -> bool:
    """Whether ORDER BY of the query names columns, which are called otherwise outside; recursion stays as it is."""
    order = holder.this.args.get("order")
    recursive = isinstance(holder.parent, exp.With) and holder.parent.args.get("recursive")
    if order is None or recursive or holder.this.named_selects == _labels(holder):
        return False
    return any(not column.table for column in order.find_all(exp.Column))


def alias_of(reference: exp.Table, name: str, columns: Sequence[str] = ()) -> exp.TableAlias:
    """The alias of a reference, `name` without one; of its columns the names given there, else `columns`."""
    given = reference.args.get("alias")
    own = given.args.get("columns") if given is not None else None
    named = own or [exp.to_identifier(column, quoted=True) for column in columns]
    return exp.TableAlias(this=exp.to_identifier(reference.alias or name, quoted=True), columns=named)
