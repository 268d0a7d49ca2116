"""Output-indirect lineage: what decides about the values of one column (Doris: Data Lineage).

ROW_NUMBER() OVER (PARTITION BY a ORDER BY b)  ->  a, b
CASE x WHEN 1 THEN a END                       ->  x = 1
IF(c > 0, a, b)                                ->  c > 0
COALESCE(a, b), IFNULL(a, b), NVL(a, b)        ->  a, b
"""

from __future__ import annotations

from sqlglot import exp


def inputs_of(window: exp.Window) -> list[exp.Expr]:
    """What a window function partitions and orders by."""
    order = window.args.get("order")
    sorts = order.expressions if order else []
    return [*(window.args.get("partition_by") or []), *(sort.this for sort in sorts)]


def conditions_of(node: exp.Expr) -> list[exp.Expr]:
    """The conditions of this node, not of those below it."""
    if isinstance(node, exp.Case):
        return [_condition(node.this, branch.this) for branch in node.args["ifs"]]
    if isinstance(node, exp.Coalesce):
        return [node.this, *node.expressions]
    if isinstance(node, exp.If) and not isinstance(node.parent, exp.Case):
        return [node.this]
    return []


def _condition(operand: exp.Expr | None, when: exp.Expr) -> exp.Expr:
    if operand is None:
        return when
    return exp.EQ(this=_operand(operand), expression=_operand(when))


def _operand(expression: exp.Expr) -> exp.Expr:
    """A copy that may stand beside `=`."""
    copied = expression.copy()
    return exp.Paren(this=copied) if isinstance(copied, (exp.Binary, exp.Not, exp.Between, exp.In)) else copied


def with_named_windows(select: exp.Select) -> None:
    """Put the definitions of WINDOW w AS (…) where OVER w stands, in place."""
    named = {window.name.lower(): window for window in select.args.get("windows") or []}
    if not named:
        return
    select.set("windows", None)
    for window in [*named.values(), *select.find_all(exp.Window)]:
        if window.find_ancestor(exp.Select) in (None, select):  # None: a definition, cut off above
            _complete(window, named)


def _complete(window: exp.Window, named: dict[str, exp.Window]) -> None:
    """Take over what a window has not of its own from the one it names, which may name another."""
    for _ in range(len(named)):
        definition = named.get(window.text("alias").lower())
        if definition is None or definition is window:
            return
        for key in ("partition_by", "order", "spec"):
            if not window.args.get(key) and (given := definition.args.get(key)):
                window.set(key, [part.copy() for part in given] if isinstance(given, list) else given.copy())
        window.set("alias", definition.args["alias"].copy() if definition.args.get("alias") else None)
