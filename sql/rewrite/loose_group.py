"""GROUP BY without ONLY_FULL_GROUP_BY: what is neither grouped nor aggregated has the value of any row of its group.

    SELECT a, b, sum(c) FROM t GROUP BY a   ->   SELECT a, any_value(b), sum(c) FROM t GROUP BY a

Source: Doris: sql_mode; MySQL: Handling of GROUP BY. The dump tools of MySQL and MariaDB count on it.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sql.dialect.aggregate import behind_groups, is_aggregate


def loosen_groups(tree: exp.Expr) -> exp.Expr:
    """Wrap such columns of all grouped SELECTs, in place; the columns have their tables already."""
    for select in tree.find_all(exp.Select):
        group = select.args.get("group")
        if group is not None and group.expressions:
            for column in list(_loose(select, group.expressions)):
                column.replace(exp.AnyValue(this=column.copy()))
    return tree


def _loose(select: exp.Select, grouped: list[exp.Expr]) -> Iterator[exp.Column]:
    for part in behind_groups(select):
        yield from _columns(part, grouped)


def _columns(node: exp.Expr, grouped: list[exp.Expr]) -> Iterator[exp.Column]:
    """The columns of tables below a node, but those in grouped expressions, aggregates, windows and subqueries."""
    if node in grouped or isinstance(node, (exp.Query, exp.Window)) or is_aggregate(node):
        return
    if isinstance(node, exp.Column) and node.table:
        yield node
    for child in node.iter_expressions():
        yield from _columns(child, grouped)
