"""DELETE: delete marks on Unique Key tables (any condition), a predicate without records elsewhere.

Doris: DELETE statement; table-models section 2. A Duplicate Key table takes only plain predicates.
"""

from __future__ import annotations

from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.query import bind_query, bind_tree
from sql.dialect.duckdb import to_duckdb
from sql.read import open_binding
from sql.result import Done, Result
from sql.rewrite.table import TARGET
from sql.statement import Call, handles, transactional
from sql.write import commit, stage_or_commit, target_table
from storage.catalog.model import Model, Table
from storage.errors import DELETE_FLOAT, DELETE_SHAPE, DELETE_VALUE_COLUMN, IN_TRANSACTION, SYNTAX_ERROR
from storage.naming import DELETE, LSN, MET_LSN, MET_TSO, PART, TSO, physical, quote
from storage.work import Predicate, Work, Write

transactional(exp.Delete)

_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)


@handles(exp.Delete)
def delete(call: Call[exp.Delete]) -> Result:
    """Remove the matching rows; affected rows are those removed."""
    if call.node.args.get("where") is None:
        raise SYNTAX_ERROR(line=1, column=1, reason="DELETE needs a WHERE clause")
    binding = open_binding(call)
    try:
        table = target_table(binding.catalog, call.node.this, call.context, "DELETE")
        if table.is_unique:
            return Done(stage_or_commit(call, binding, table, _marks(call.node, table, binding)))
        predicate = _predicate(call.node, table, binding)
    finally:
        binding.reader.close()
    if call.context.transaction is not None:
        raise IN_TRANSACTION()
    write = Write(table.id, table.schema_version, Predicate(predicate))
    return Done(commit(call.engine, call.context, Work((write,))).affected[0])


def _marks(node: exp.Delete, table: Table, binding: Binding) -> str:
    """DuckDB text of the rows to be removed, each with its delete mark."""
    target = _target(node)
    alias = target.alias_or_name
    names = [*(column.name for column in table.columns), PART, TSO, LSN]
    select = exp.Select(expressions=[exp.column(name, alias) for name in names])
    select.set("from_", exp.From(this=target))
    if node.args.get("using"):
        select.set("joins", [exp.Join(this=source.copy()) for source in node.args["using"]])
    for key in ("where", "with_"):
        select.set(key, node.args[key].copy() if node.args.get(key) else None)
    bound = bind_query(select, binding)
    outputs = [*(quote(physical(column.name)) for column in table.columns), PART, MET_TSO, MET_LSN]
    return f"SELECT *, TRUE AS {DELETE} FROM ({bound.sql}) AS __doris_src({', '.join(outputs)})"


def _target(node: exp.Delete) -> exp.Table:
    target: exp.Table = node.this.copy()
    target.meta[TARGET] = True
    return target


def _predicate(node: exp.Delete, table: Table, binding: Binding) -> str:
    """The condition over the stored table, after checking that it is plain."""
    _check_shape(node.args["where"].this, table)
    select = exp.Select(expressions=[exp.Literal.number(1)], where=node.args["where"].copy())
    tree = bind_tree(select.from_(_target(node)), binding)
    condition = tree.args["where"].this
    for column in list(condition.find_all(exp.Column)):
        column.replace(exp.column(exp.to_identifier(physical(column.name), quoted=True)))
    text = to_duckdb(condition)
    chosen = node.this.args.get("partition")
    if chosen is None:
        return text
    ids = [str(part.id) for item in chosen.expressions if (part := table.partition(item.name))]
    return f"({text}) AND {PART} IN ({', '.join(ids)})"


def _check_shape(condition: exp.Expr, table: Table) -> None:
    """Conjunctions of `column op literal`, IN and IS NULL only (Doris: DELETE, predicates)."""
    if isinstance(condition, exp.Paren):
        return _check_shape(condition.this, table)
    if isinstance(condition, exp.And):
        _check_shape(condition.left, table)
        return _check_shape(condition.right, table)
    plain = condition.this if isinstance(condition, exp.Not) else condition
    column = plain.this
    constant = all(not node.find(exp.Column, exp.Query) for node in _operands(plain))
    if not isinstance(plain, (*_COMPARISONS, exp.In, exp.Is)) or not isinstance(column, exp.Column) or not constant:
        raise DELETE_SHAPE()
    declared = table.column(column.name)
    if declared is not None and declared.type.name in ("float", "double"):
        raise DELETE_FLOAT(name=declared.name)
    if declared is not None and table.model is Model.AGGREGATE and not declared.key:
        raise DELETE_VALUE_COLUMN(table=table.name)
    return None


def _operands(plain: exp.Expr) -> list[exp.Expr]:
    """What a column is compared with."""
    if isinstance(plain, exp.In):
        return [plain.args["query"]] if plain.args.get("query") else plain.expressions
    other = plain.args.get("expression")
    return [other] if isinstance(other, exp.Expr) else []
