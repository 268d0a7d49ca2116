"""The SET_VAR hint: session variables for one statement (Doris: Hints); other hints have no effect."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlglot import exp

from sql.context import Context
from sql.dialect.clause import SetVarHint


@contextmanager
def hinted(node: exp.Expr, context: Context) -> Iterator[None]:
    """Run a statement with the variables of its hints; the session's own come back behind it."""
    hints = list(node.find_all(SetVarHint)) if isinstance(node, (exp.Query, exp.Insert)) else []
    if not hints:
        yield
        return
    own = context.variables
    context.variables = own.copy()
    try:
        for item in (item for hint in hints for item in hint.expressions):
            value = item.args["expression"]
            context.variables.set(str(item.this), value.this if isinstance(value, exp.Boolean) else value.name)
        yield
    finally:
        context.variables = own
