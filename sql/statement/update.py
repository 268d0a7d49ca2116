"""UPDATE on Unique Key tables: the changed rows as whole rows, written like any upsert.

At once: the SELECT runs under the table lock, so that the affected rows are current and two UPDATEs of
one table never interleave (Doris: UPDATE), unless enable_concurrent_update lets them. Inside BEGIN it
runs now, and each row remembers the version it met; COMMIT fails if one of them has changed since.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.query import bind_query
from sql.ingest.convert import Check, checks, converted
from sql.ingest.default import default_value
from sql.ingest.generated import Computed, computed, with_computed
from sql.ingest.target import hidden_sequence
from sql.ingest.values import is_default
from sql.result import Done, Result
from sql.rewrite.table import TARGET
from sql.statement import Call, handles, transactional
from sql.write import READING, commit, refuse_streams, run_bound, stage_or_commit, target_table
from storage.catalog.model import Column, Table
from storage.config import ENABLE_CONCURRENT_UPDATE
from storage.errors import (
    ASSIGNED_TWICE,
    FILTERED_IN_STRICT_MODE,
    FOREIGN_ASSIGNMENT,
    GENERATED_GIVEN,
    KEY_UPDATED,
    ONLY_UNIQUE_UPDATES,
    STAR_PLACE,
    UNKNOWN_ASSIGNMENT,
)
from storage.naming import LSN, MET_LSN, MET_TSO, PART, PREFIX, TSO, sql_name
from storage.types import DorisType
from storage.work import Batch, Work, Write

transactional(exp.Update)


@handles(exp.Update)
def update(call: Call[exp.Update]) -> Result:
    """Change value columns of the matching rows; affected rows are the matched ones."""
    return Done(run_bound(call, _update))


def _update(call: Call[exp.Update], binding: Binding) -> int:
    table = target_table(binding.catalog, call.node.this, call.context, "UPDATE")
    if not table.is_unique:
        raise ONLY_UNIQUE_UPDATES()
    rows = _rows(call.node, table, binding)
    refuse_streams(binding, READING)
    if call.context.transaction is None and call.engine.config[ENABLE_CONCURRENT_UPDATE]:
        return _concurrently(call, binding, table, rows)
    return stage_or_commit(call, binding, table, rows)


def _concurrently(call: Call[exp.Update], binding: Binding, table: Table, rows: str) -> int:
    """Evaluate now and write whatever became of the rows meanwhile (Doris: enable_concurrent_update)."""
    found = binding.reader.table(rows).drop_columns([MET_TSO, MET_LSN])
    if not found.num_rows:
        return 0
    write = Write(table.id, table.schema_version, Batch(found))
    return commit(call.engine, call.context, Work((write,))).affected[0]


def _rows(node: exp.Update, table: Table, binding: Binding) -> str:
    """DuckDB text of the new rows: assigned columns converted and checked, all others as they are."""
    assigned = _assignments(node, table, binding)
    bound = bind_query(_select(node, table, assigned), binding)
    inputs = [f"{PREFIX}q{position}" for position in range(len(bound.fields))]
    items = [
        _item(column, inputs[position], bound.fields[position].type, binding.zone if column.name in assigned else None)
        for position, column in enumerate(table.columns)
        if column.generated is None
    ]
    names = [PART, MET_TSO, MET_LSN, *(hidden for _, hidden in hidden_sequence(table))]
    internal = [f"{source} AS {name}" for source, name in zip(inputs[len(table.columns) :], names, strict=True)]
    rows = f"SELECT {', '.join(items + internal)} FROM ({bound.sql}) AS {PREFIX}src({', '.join(inputs)})"
    generated = computed(table, binding)
    if not generated:
        return rows
    named = ", ".join([*(sql_name(column.name) for column in table.columns), *names])
    return f"SELECT {named} FROM ({with_computed(rows, generated, _computed_item)})"


def _computed_item(one: Computed) -> str:
    return _guarded(one.conversion, checks(one.raw, one.conversion, one.column))


def _assignments(node: exp.Update, table: Table, binding: Binding) -> dict[str, exp.Expr]:
    """New value by column name, each column once and none of the key; ON UPDATE columns get the time."""
    found: dict[str, exp.Expr] = {}
    target, now = _target_names(node.this, table, binding), binding.now
    for assignment in node.expressions:
        name = assignment.this.name
        before = [part.name for part in assignment.this.parts[:-1]]
        if before != target[len(target) - len(before) :]:
            raise FOREIGN_ASSIGNMENT(name=".".join([*before, name]))
        column = table.column(name)
        if column is None:
            raise UNKNOWN_ASSIGNMENT(name=name)
        if column.key:
            raise KEY_UPDATED(name=name)
        if column.generated is not None:
            raise GENERATED_GIVEN(name=name, table=table.name)
        if column.name in found:
            raise ASSIGNED_TWICE(name=name)
        value = assignment.expression
        if value.is_star:
            raise STAR_PLACE()
        found[column.name] = default_value(column, now) if is_default(value) else value
    refreshed = {column.name: default_value(column, now) for column in table.values if column.on_update}
    return refreshed | found


def _target_names(target: exp.Table, table: Table, binding: Binding) -> list[str]:
    """What may stand in front of an assigned column: the alias of the target, else its name and its database."""
    return [target.alias] if target.alias else [target.db or binding.context.database or "", table.name]


def _select(node: exp.Update, table: Table, assigned: dict[str, exp.Expr]) -> exp.Select:
    """The SELECT over target and FROM that yields every column of each matching row."""
    target = node.this.copy()
    target.meta[TARGET] = True
    alias = target.alias_or_name
    items = [assigned[c.name].copy() if c.name in assigned else exp.column(c.name, alias) for c in table.columns]
    items += [exp.column(name, alias) for name in (PART, TSO, LSN, *(name for name, _ in hidden_sequence(table)))]
    select = exp.Select(expressions=items, where=_copy(node.args.get("where")), with_=_copy(node.args.get("with_")))
    select.set("from_", exp.From(this=target))
    if (source := node.args.get("from_")) is not None:
        others = [exp.Join(this=source.this.copy())]
        select.set("joins", others)
    return select


def _copy(node: exp.Expr | None) -> exp.Expr | None:
    return node.copy() if node is not None else None


def _item(column: Column, value: str, kind: DorisType | None, zone: str | None) -> str:
    """One output column; an assigned value that does not fit ends the statement (UPDATE is always strict).

    `zone` is that of the session, None for a column that stays as it is.
    """
    name = sql_name(column.name)
    if zone is None:
        return f"{value} AS {name}"
    conversion = converted(value, kind, column.type, zone)
    return f"{_guarded(conversion, checks(value, conversion, column))} AS {name}"


def _guarded(conversion: str, found: Iterable[Check]) -> str:
    """A conversion that ends the statement where a check holds."""
    arms = " ".join(_raise(check) for check in found)
    return f"CASE {arms} ELSE {conversion} END" if arms else conversion


def _raise(check: Check) -> str:
    before = FILTERED_IN_STRICT_MODE(reason="").message
    return f"WHEN {check.condition} THEN error({check.text(before)})"
