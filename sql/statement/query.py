"""SELECT and its kin: bind, run, stream. EXPLAIN shows what would run and writes nothing."""

from __future__ import annotations

import pyarrow as pa
from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.name import qualified
from sql.bind.query import Bound, bind_query, refine
from sql.constant import Constant, is_constant
from sql.dialect.clause import target
from sql.dialect.node import Explain
from sql.opaque import without_states
from sql.read import open_binding
from sql.result import Field, Held, Result, Rows
from sql.statement import Call, handles
from sql.variable_table import MAX
from sql.write import target_table
from storage.errors import NOT_SUPPORTED
from storage.types import STRING


def run_query(call: Call[exp.Expr]) -> Result:
    """Read; never moves a stream offset (Doris: Table Stream, reading does not consume)."""
    if call.node.args.get("into"):
        raise NOT_SUPPORTED(what="SELECT … INTO")
    if call.node.args.get("locks"):
        raise NOT_SUPPORTED(what="SELECT … FOR UPDATE")
    constant = call.engine.constants.get(call.text) if _is_unlimited(call) else None
    if constant is not None:
        return Rows(constant.fields, Held(constant.rows))
    binding = open_binding(call)
    try:
        bound = _bound(call, binding)
        if is_constant(call.node) and _is_unlimited(call):
            return _constant(call, binding, bound)
        source = binding.reader.stream(bound.sql)
    except BaseException:
        binding.reader.close()
        raise
    fields = refine(bound.fields, source.schema)
    return Rows(fields, without_states(source, fields))


def _constant(call: Call[exp.Expr], binding: Binding, bound: Bound) -> Rows:
    """Run a SELECT of literals to its end and remember the result for its text."""
    rows = binding.reader.table(bound.sql)
    binding.reader.close()
    constant = Constant(refine(bound.fields, rows.schema), rows)
    call.engine.constants.put(call.text, constant)
    return Rows(constant.fields, Held(rows))


def _bound(call: Call[exp.Expr], binding: Binding) -> Bound:
    """Bind, or take the plan of the same text over the same catalog; a plan is only for who may read its tables."""
    context, limit = call.context, call.context.variables.number("sql_select_limit")
    session = context.connection_id if context.has_temporary else 0
    who = f"{context.user}@{context.host} {session} {context.database}"
    settings = f"{binding.show_hidden} {binding.full_groups} {binding.more_digits} {binding.strict_cast} {limit}"
    key = f"{binding.catalog.version} {who} {settings} {call.text}"
    known = call.engine.plans.get(key)
    if known is not None:
        return known
    bound = bind_query(_limited(call.node, limit), binding)
    if not binding.volatile:
        call.engine.plans.put(key, bound)
    return bound


def _is_unlimited(call: Call[exp.Expr]) -> bool:
    return call.context.variables.number("sql_select_limit") >= MAX


def _limited(node: exp.Expr, limit: int) -> exp.Expr:
    """The query with LIMIT sql_select_limit, unless it has a LIMIT of its own (MySQL: sql_select_limit)."""
    if not 0 <= limit < MAX or not isinstance(node, exp.Query) or node.args.get("limit") is not None:
        return node
    return node.limit(limit)


for _query in (exp.Select, exp.Union, exp.Except, exp.Intersect, exp.Subquery):
    handles(_query)(run_query)


@handles(Explain)
def explain(call: Call[Explain]) -> Result:
    """The tables a query or INSERT names and DuckDB's plan, one line a row (Doris: EXPLAIN)."""
    binding = open_binding(call)
    try:
        written = _written(call, binding)
        bound = bind_query(_explained(call.node.this), binding)
        plan = binding.reader.table(f"EXPLAIN {bound.sql}").column("explain_value").to_pylist()
    finally:
        binding.reader.close()
    names = [f"  TABLE: {relation.database}.{relation.name}" for relation in binding.relations.values()]
    lines = ["PLAN FRAGMENT 0", *written, *names, *(line for text in plan for line in str(text).splitlines())]
    heading = "Explain String(Nereids Planner)"
    return Rows((Field(heading, STRING),), Held(pa.table({heading: pa.array(lines, pa.string())})))


def _written(call: Call[Explain], binding: Binding) -> list[str]:
    """The target of an INSERT, which must be one."""
    insert = call.node.this
    if not isinstance(insert, exp.Insert):
        return []
    table = target_table(binding.catalog, target(insert)[0], call.context, "INSERT")
    return [f"  OLAP TABLE SINK: {qualified(binding.catalog, table)}"]


def _explained(node: exp.Expr) -> exp.Expr:
    """The query to be planned: itself, or the source of an INSERT."""
    source = node.expression if isinstance(node, exp.Insert) else node
    if not isinstance(source, exp.Query):
        raise NOT_SUPPORTED(what=f"EXPLAIN {node.key.upper()}")
    return source
