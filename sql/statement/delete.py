"""DELETE: delete marks on Unique Key tables (any condition), a predicate without records elsewhere.

Doris: DELETE statement. A Duplicate Key table takes only plain predicates.
"""

from __future__ import annotations

from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.expression import bind_expression
from sql.bind.query import bind_query
from sql.ingest.target import hidden_sequence
from sql.result import Done, Result
from sql.rewrite.predicate import Plain
from sql.rewrite.table import TARGET, chosen_partitions
from sql.statement import Call, handles, transactional
from sql.write import READING, commit_bound, refuse_streams, run_bound, stage_or_commit, target_table
from storage.catalog.model import LIGHT_DELETE, Table
from storage.config import MAX_IN_ELEMENTS_OF_DELETE
from storage.errors import NOT_SUPPORTED, SYNTAX_ERROR
from storage.naming import DELETE, LSN, MET_LSN, MET_TSO, PART, PREFIX, TSO, sql_name
from storage.work import Predicate

transactional(exp.Delete)


@handles(exp.Delete)
def delete(call: Call[exp.Delete]) -> Result:
    """Remove the matching rows; affected rows are those removed."""
    if call.node.args.get("where") is None:
        raise SYNTAX_ERROR(line=1, column=1, reason="DELETE needs a WHERE clause")
    return Done(run_bound(call, _delete))


def _delete(call: Call[exp.Delete], binding: Binding) -> int:
    table = target_table(binding.catalog, call.node.this, call.context, "DELETE")
    if table.is_unique and not _by_predicate(call, table):
        marks = _marks(call.node, table, binding)
        refuse_streams(binding, READING)
        return stage_or_commit(call, binding, table, marks)
    _plain(call, table).check(call.node.args["where"].this)
    predicate = _predicate(call.node, table, binding)
    if call.context.transaction is not None:
        raise NOT_SUPPORTED(what=f"DELETE by a predicate, as from table {table.name}, inside a transaction")
    return commit_bound(call, binding, table, Predicate(predicate))


def _plain(call: Call[exp.Delete], table: Table) -> Plain:
    return Plain(table, call.engine.config[MAX_IN_ELEMENTS_OF_DELETE])


def _by_predicate(call: Call[exp.Delete], table: Table) -> bool:
    """Whether a Unique Key table removes the rows without marks: what is written later is not held up by them.

    Merge-on-read does so for conditions on keys, merge-on-write with enable_mow_light_delete for all plain ones.
    """
    node = call.node
    if call.context.transaction is not None or node.args.get("using") or node.args.get("with_"):
        return False
    if table.merge_on_write and not table.is_on(LIGHT_DELETE):
        return False
    return _plain(call, table).holds(node.args["where"].this, keys_only=not table.merge_on_write)


def _marks(node: exp.Delete, table: Table, binding: Binding) -> str:
    """DuckDB text of the rows to be removed, each with its delete mark."""
    target = _target(node)
    alias = target.alias_or_name
    sequence = hidden_sequence(table)
    names = [*(column.name for column in table.columns), PART, TSO, LSN, *(label for label, _ in sequence)]
    select = exp.Select(expressions=[exp.column(name, alias) for name in names])
    select.set("from_", exp.From(this=target))
    if node.args.get("using"):
        select.set("joins", [exp.Join(this=source.copy()) for source in node.args["using"]])
    for key in ("where", "with_"):
        select.set(key, node.args[key].copy() if node.args.get(key) else None)
    bound = bind_query(select, binding)
    outputs = [*(sql_name(column.name) for column in table.columns), PART, MET_TSO, MET_LSN]
    outputs += [name for _, name in sequence]
    return f"SELECT *, TRUE AS {DELETE} FROM ({bound.sql}) AS {PREFIX}src({', '.join(outputs)})"


def _target(node: exp.Delete) -> exp.Table:
    target: exp.Table = node.this.copy()
    target.meta[TARGET] = True
    return target


def _predicate(node: exp.Delete, table: Table, binding: Binding) -> str:
    """The condition over the stored table."""
    text = bind_expression(node.args["where"].this, _target(node), binding).sql
    chosen, clause = chosen_partitions(table, node.this), node.this.args.get("partition")
    if clause is not None and clause.args.get("temporary"):
        raise NOT_SUPPORTED(what="DELETE from a TEMPORARY PARTITION of this table model")
    if chosen is None:
        return text
    return f"({text}) AND {PART} IN ({', '.join(str(part.id) for part in chosen)})"
