"""Tell whoever listens about statements that have written what a query gives, once nothing can undo it.

A statement inside BEGIN … COMMIT is told of at COMMIT, in order, and never after ROLLBACK. Listeners are
called on the statement's own thread, before its answer is sent; they must not raise, and what they do is no longer
the statement's business: it has succeeded. Nothing is put together while nobody listens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from storage.catalog.catalog import Catalog

if TYPE_CHECKING:
    from sql.context import Context
    from sql.dialect.doris import Statement
    from sql.engine import Engine
    from sql.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Written:
    """A statement that wrote: its tree (shared, never changed), the catalog it was analysed with, and who sent it.

    `catalog_after` is a snapshot taken after its success; others may have changed it since.
    """

    node: exp.Expr
    text: str
    catalog: Catalog
    catalog_after: Catalog
    query_id: str
    user: str
    host: str
    session: int | None  # the connection, if it has temporary tables
    database: str | None  # the session's current one
    show_hidden: bool
    started_ms: int
    attributes: Mapping[str, str]  # what the client told of itself at its login


Listener = Callable[[Written], None]


def tell(engine: Engine, statement: Statement, context: Context, before: Transaction | None) -> None:
    """Tell of a statement that succeeded; `before` is the transaction that was open when it began."""
    for written in _told(engine, statement, context, before):
        for listener in engine.listeners:
            listener(written)


def _told(engine: Engine, statement: Statement, context: Context, before: Transaction | None) -> Sequence[Written]:
    if isinstance(statement.node, exp.Commit):
        return before.written if before is not None else ()
    if context.analysed is None or not _writes_a_query(statement.node):
        return ()
    written = Written(
        statement.node,
        statement.text,
        context.analysed,
        engine.database.catalog,
        context.query_id,
        context.user,
        context.host,
        context.connection_id if context.has_temporary else None,
        context.database,
        bool(context.variables.get("show_hidden_columns")),
        context.started_ms,
        context.attributes,
    )
    if context.transaction is None:
        return (written,)
    context.transaction.written.append(written)
    return ()


def _writes_a_query(node: exp.Expr) -> bool:
    """INSERT … SELECT and CREATE … AS SELECT; a transaction need not keep the rows of INSERT … VALUES for this."""
    return isinstance(node, (exp.Insert, exp.Create)) and isinstance(node.expression, exp.Query)
