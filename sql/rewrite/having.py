"""HAVING of a SELECT that groups and aggregates nothing is a condition on its rows.

    SELECT upper(a) AS b FROM t HAVING b = 'X'   ->   SELECT upper(a) AS b FROM t WHERE upper(a) = 'X'

Source: Doris: SELECT, HAVING; MySQL: SELECT. The catalog queries of MySQL's JDBC driver count on it.
"""

from __future__ import annotations

from sqlglot import exp

from sql.dialect.aggregate import behind_groups, is_aggregate


def filter_rows(tree: exp.Expr) -> exp.Expr:
    """Turn such conditions into WHERE, in place; aliases in them stand for their expressions already."""
    for select in tree.find_all(exp.Select):
        having = select.args.get("having")
        if having is not None and not select.args.get("group") and not _gathers(select):
            select.set("having", None)
            select.where(having.this, copy=False)
    return tree


def _gathers(select: exp.Select) -> bool:
    """Whether a SELECT has an aggregate function, which makes one row of all, or a window, which WHERE comes before."""
    nodes = (
        node for part in behind_groups(select) for node in part.walk(prune=lambda node: isinstance(node, exp.Query))
    )
    return any(isinstance(node, exp.Window) or is_aggregate(node) for node in nodes)
