"""SET in all its forms, SHOW VARIABLES, SHOW STATUS.

A statement of several items is checked whole before the first is stored. Source: Doris
documentation, "Variables"; MySQL: SET NAMES, SET TRANSACTION.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pyarrow as pa
from sqlglot import exp

from sql.bind.query import bind_query
from sql.ddl.commit import commit
from sql.dialect import node
from sql.listing import listed
from sql.privilege import require_global
from sql.read import open_binding
from sql.result import Done, Result
from sql.statement import Call, handles
from sql.variable import DEFAULT, Scope
from sql.variable_table import Value
from storage.catalog.account import ADMIN
from storage.errors import UNKNOWN_CHARSET

_CHARSETS = {"utf8mb4": "utf8mb4", "utf8mb3": "utf8mb3", "utf8": "utf8mb3", "binary": "binary", "ascii": "ascii"}
_COLLATIONS = {"utf8mb4": "utf8mb4_0900_bin", "utf8mb3": "utf8_general_ci", "binary": "binary", "ascii": "ascii_bin"}


@dataclass(frozen=True, slots=True)
class _Assignment:
    """One variable and its value; a user variable has no scope."""

    name: str
    value: object
    scope: Scope | None = "SESSION"


@handles(exp.Set)
def set_variables(call: Call[exp.Set]) -> Result:
    """SET x = v, …; all or none. Global values are stored, so that they outlive the server (Doris: SET VARIABLE)."""
    if any(_scope(item) == "GLOBAL" for item in call.node.expressions):
        require_global(call.engine.database.catalog, call.context, ADMIN)
    assignments = [found for item in call.node.expressions for found in _READERS[type(item)](call, item)]
    variables, stored = call.context.variables, dict[str, Value]()
    for item in assignments:
        if item.scope is not None:
            variable, value = variables.check(item.name, item.value, item.scope)
            stored |= dict.fromkeys((variable.name, *variable.aliases), value) if item.scope == "GLOBAL" else {}
    if stored:
        commit(call, lambda catalog: catalog.with_variables(stored))
    for item in assignments:
        if item.scope is None:
            call.context.user_variables[item.name] = item.value
        else:
            variables.set(item.name, item.value, item.scope)
    return Done()


def _scope(item: exp.Expr) -> Scope:
    return "GLOBAL" if item.args.get("scope") == "GLOBAL" else "SESSION"


def _variable(call: Call[exp.Set], item: exp.Expr) -> Iterator[_Assignment]:
    yield _Assignment(str(item.this), value_of(call, item.expression), _scope(item))


def _user_variable(call: Call[exp.Set], item: exp.Expr) -> Iterator[_Assignment]:
    yield _Assignment(str(item.this), value_of(call, item.expression), None)


def value_of(call: Call[exp.Set], expression: exp.Expr) -> object:
    """The value of a SET item: a bare word is its text, anything computed is asked of the engine."""
    if isinstance(expression, exp.Var):
        return DEFAULT if expression.name.upper() == "DEFAULT" else expression.name
    if isinstance(expression, exp.Null):
        return None
    if isinstance(expression, exp.Boolean):
        return bool(expression.this)
    if isinstance(expression, exp.Literal) and expression.is_string:
        return expression.name
    return _computed(call, expression)


def _computed(call: Call[exp.Set], expression: exp.Expr) -> object:
    """Constants, variables, functions, scalar subqueries."""
    binding = open_binding(call)
    try:
        bound = bind_query(exp.select(expression.copy()), binding)
        column = binding.reader.table(bound.sql).column(0)
    finally:
        binding.reader.close()
    found: object = column[0].as_py()
    if isinstance(found, bytes) and isinstance(column.type, pa.BaseExtensionType):  # DuckDB's HUGEINT
        return int.from_bytes(found, "little", signed=True)
    return found


def _names(call: Call[exp.Set], item: exp.Expr) -> Iterator[_Assignment]:
    """SET NAMES: what the client sends and wants; the server speaks UTF-8 in any case."""
    charset = _charset(item)
    for name in ("character_set_client", "character_set_results", "character_set_connection"):
        yield _Assignment(name, charset)
    yield _Assignment("collation_connection", item.args.get("collate") or _COLLATIONS[charset])


def _character_set(call: Call[exp.Set], item: exp.Expr) -> Iterator[_Assignment]:
    charset = _charset(item)
    yield _Assignment("character_set_client", charset)
    yield _Assignment("character_set_results", charset)


def _charset(item: exp.Expr) -> str:
    asked = str(item.this or "utf8mb4")
    charset = _CHARSETS.get(asked.lower())
    if charset is None:
        raise UNKNOWN_CHARSET(name=asked)
    return charset


def _transaction(call: Call[exp.Set], item: exp.Expr) -> Iterator[_Assignment]:
    """SET TRANSACTION: stored; every statement reads one snapshot whatever the level says."""
    for mode in item.args["modes"]:
        level = mode.removeprefix("ISOLATION LEVEL ")
        if level == mode:
            yield _Assignment("transaction_read_only", mode == "READ ONLY", _scope(item))
        else:
            yield _Assignment("transaction_isolation", level.replace(" ", "-"), _scope(item))


_READERS: dict[type[exp.Expr], Callable[[Call[exp.Set], exp.Expr], Iterator[_Assignment]]] = {
    node.SetVariable: _variable,
    node.SetUserVariable: _user_variable,
    node.SetNames: _names,
    node.SetCharacterSet: _character_set,
    node.SetTransaction: _transaction,
}


@handles(exp.Show, "VARIABLES")
def show_variables(call: Call[exp.Show]) -> Result:
    """SHOW [GLOBAL] VARIABLES [LIKE | WHERE]: four columns, as Doris since 2.1."""
    scope: Scope = "GLOBAL" if call.node.args.get("global_") else "SESSION"
    content = [(row.name, row.value, row.default, int(row.changed)) for row in call.context.variables.listing(scope)]
    return listed(call.node, ("Variable_name", "Value", "Default_Value", "Changed"), content, sensitive=False)


@handles(exp.Show, "STATUS")
def show_status(call: Call[exp.Show]) -> Result:
    return listed(call.node, ("Variable_name", "Value"), (), sensitive=False)
