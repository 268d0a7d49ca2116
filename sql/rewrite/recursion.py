"""End recursive CTEs that do not end by themselves (Doris: WITH RECURSIVE, cte_max_recursion_depth).

    r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r)
      ->  r AS (SELECT 1 AS n, 0 AS depth UNION ALL SELECT n + 1, <depth of r + 1, beyond the limit an error> FROM r)

All rows of one round have the same depth. UNION, which drops the rows it has already, cannot tell them by a depth that
grows: its rows have a key, which all of the client's columns make, and those whose key is there already are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp

from sql.bind.binding import Binding
from sql.dialect.bound import Template
from storage.errors import RECURSION_DEPTH
from storage.naming import PREFIX, literal

_DEPTH, _ROUND, _SEEN = PREFIX + "depth", PREFIX + "round", PREFIX + "seen"
_ACCUMULATED = "recurring"  # DuckDB's name for what the rounds have given so far


def limit_recursion(tree: exp.Expr, binding: Binding) -> exp.Expr:
    """Give every recursive CTE of a bound tree its depth, in place; RECURSION_DEPTH while it runs."""
    limit = binding.context.variables.number("cte_max_recursion_depth")
    for clause in list(tree.find_all(exp.With)):
        for cte in clause.expressions if clause.args.get("recursive") else ():
            if _is_recursive(cte):
                binding.volatile = True  # the limit is in the text
                _limit(cte, limit)
    return tree


def _is_recursive(cte: exp.CTE) -> bool:
    return isinstance(cte.this, exp.Union) and any(_references(cte.this, cte.alias))


def _references(query: exp.Expr, name: str) -> Iterator[exp.Table]:
    return (table for table in query.find_all(exp.Table) if table.name == name and not table.db)


def _limit(cte: exp.CTE, limit: int) -> None:
    union = cte.this
    keys = [exp.to_identifier(name, quoted=True) for name in _names(cte)]
    for select in _branches(union):
        is_recursive = any(_references(select, cte.alias))
        depth = _next(cte.alias, limit) if is_recursive else exp.Literal.number(0)
        select.append("expressions", exp.alias_(depth, _DEPTH, quoted=True))
    alias = cte.args["alias"]
    alias.set("columns", [*(key.copy() for key in keys), exp.to_identifier(_DEPTH, quoted=True)])
    if union.args.get("distinct"):
        cte.set("key_expressions", [key.copy() for key in keys])
        union.set("expression", _unseen(union.expression, cte.alias, keys))


def _names(cte: exp.CTE) -> list[str]:
    return list(cte.alias_column_names) or cte.this.named_selects


def _branches(query: exp.Expr) -> Iterator[exp.Select]:
    if isinstance(query, exp.SetOperation):
        yield from _branches(query.this)
        yield from _branches(query.expression)
    elif isinstance(query, exp.Subquery):
        yield from _branches(query.this)
    elif isinstance(query, exp.Select):
        yield query


def _next(name: str, limit: int) -> exp.Expr:
    """The depth of a round: one more than that of the rows it is made of, wherever it reads them."""
    before = exp.select(exp.Max(this=exp.column(exp.to_identifier(_DEPTH, quoted=True)))).from_(
        exp.table_(name, quoted=True)
    )
    refused = f"CAST(error({literal(RECURSION_DEPTH(limit=limit).message)}) AS INTEGER)"
    depth = f"CASE WHEN {{0}} >= {limit} THEN {refused} ELSE {{0}} + 1 END"
    return Template(this=depth, expressions=[exp.Subquery(this=before)])


def _unseen(right: exp.Expr, name: str, keys: Sequence[exp.Identifier]) -> exp.Select:
    """The rows of a round that no round before has given."""
    columns = [*(key.copy() for key in keys), exp.to_identifier(_DEPTH, quoted=True)]
    rows = exp.Subquery(this=right, alias=exp.TableAlias(this=exp.to_identifier(_ROUND), columns=columns))
    seen = exp.alias_(exp.table_(name, db=_ACCUMULATED), _SEEN, table=True)
    same = [
        exp.NullSafeEQ(this=exp.column(key.copy(), _SEEN), expression=exp.column(key.copy(), _ROUND)) for key in keys
    ]
    known = exp.Exists(this=exp.select("1").from_(seen).where(exp.and_(*same)))
    return exp.select(*(exp.column(column.copy(), _ROUND) for column in columns)).from_(rows).where(exp.Not(this=known))
