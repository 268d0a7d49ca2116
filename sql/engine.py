"""The life of a statement, and the only place that orders its steps.

1. server/command.py reads COM_QUERY; server/session.py passes the text and the Context to `Engine.run`
   on the connection's worker thread.
2. sql/dialect/doris.py splits and parses; a stray node at the top is a syntax error with its position,
   a typed statement without a handler answers `<statement> is not supported yet`.
3. sql/statement/__init__.py, the registry, names the handler; sql/privilege.py checks what the
   statement needs on its objects (reads are checked when they are bound).
4. storage/database.py opens a reader: one DuckDB snapshot with the catalog that belongs to it, and one
   reference TSO. Everything below uses these two and no other clock or catalog (sql/bind/binding.py).
5. sql/bind/query.py resolves names and types; sql/rewrite/reference.py turns tables, streams and
   changelog() into DuckDB text and notes which stream ranges were read.
6. Reads: storage/reader.py runs the text and streams record batches; the transaction ends when the
   Rows are closed.
7. Writes: sql/ingest/batch.py makes the Arrow batch of the target; storage/commit.py applies batch,
   superseded versions, stream offsets and catalog changes in one DuckDB transaction under one TSO
   (small writes of several connections share one: storage/together.py, each with its own TSO).
   Inside BEGIN … COMMIT the batch is staged (sql/transaction.py) until COMMIT.
8. After commit nothing can fail the statement any more; sql/notice.py tells the listeners (lineage).
9. sql/result.py goes back; server/answer.py turns rows, OK or the error (code, SQLSTATE, words) into packets,
   which server/outlet.py hands to the event loop piece by piece.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from sqlglot import exp

import sql.statement.all  # noqa: F401  fills the registry
from sql import privilege
from sql.alteration import Alterations
from sql.bind.query import Bound
from sql.constant import Constant
from sql.context import Context, Sessions
from sql.dialect.cache import Cache
from sql.dialect.doris import Statement, parse
from sql.dialect.node import title
from sql.hint import hinted
from sql.notice import Listener, tell
from sql.partition_scheduler import PartitionScheduler
from sql.result import Result, Rows
from sql.statement import Call, find, is_transactional
from sql.temporary import drop_temporary
from sql.variable import Globals, Variables
from storage.config import Config
from storage.database import Database
from storage.errors import IN_TRANSACTION, NOT_SUPPORTED_YET


class Engine:
    """Runs Doris SQL over one `Database`; shared by all connections, holds no state of any of them."""

    def __init__(self, database: Database, config: Config, sessions: Sessions, shared: Globals | None = None) -> None:
        self.database = database
        self.config = config
        self.sessions = sessions
        self.globals = shared or Globals()
        self.plans: Cache[Bound] = Cache()
        self.constants: Cache[Constant] = Cache()
        self.listeners: list[Listener] = []
        self.partitions = PartitionScheduler(database)
        self.alterations = Alterations()
        self.globals.restore(database.catalog.variables)
        drop_temporary(database, None)  # of sessions that a crash has ended

    def context(self, connection_id: int, user: str, host: str) -> Context:
        """The state of a new connection."""
        return Context(connection_id, user, host, Variables(self.globals))

    def leave(self, context: Context) -> None:
        """End a connection: its temporary tables go with it."""
        if context.has_temporary:
            drop_temporary(self.database, context.connection_id)

    def run(self, text: str, context: Context) -> Iterator[Result]:
        """Run the statements of a text one by one; each Rows must be closed before the next is asked for.

        Raises DorisError; what follows the failed statement is not run. Blocks: never call it on an event loop.
        """
        for statement in parse(text):
            yield self._run(statement, context)

    def _run(self, statement: Statement, context: Context) -> Result:
        context.begin_statement(new_query_id(), statement.text)
        node = statement.node
        handler = find(node)
        if handler is None:
            raise NOT_SUPPORTED_YET(what=title(node))
        privilege.check(node, self.database.catalog, context)
        if context.transaction is not None and not is_transactional(node):
            raise IN_TRANSACTION()
        transaction = context.transaction
        try:
            with hinted(node, context):
                variables = context.variables
                context.timeout_seconds = variables.number(
                    "insert_timeout" if isinstance(node, exp.DML) else "query_timeout"
                )
                result = handler(Call(node, statement.text, context, self))
        except BaseException:
            context.running(None)
            raise
        if not isinstance(result, Rows):  # a Rows is still being read: KILL must reach its reader
            context.running(None)
        if self.listeners:
            tell(self, statement, context, transaction)
        return result


def new_query_id() -> str:
    """Doris's form: two hexadecimal halves joined by a hyphen."""
    digits = uuid.uuid4().hex
    return f"{digits[:16]}-{digits[16:]}"
