"""The life of a statement, from the socket to the disk and back, and the only place that orders its steps.

1. server/connection.py reads a packet, server/command.py knows COM_QUERY, and server/session.py passes the text and
   the Context to `Engine.run` on the connection's worker thread. A prepared statement (server/prepared.py) was parsed
   before; its values are put into the tree (sql/prepared.py), and it goes on with step 3.
2. sql/dialect/doris.py splits the text and parses each statement (sql/dialect/grammar/statement.py is the table of
   them) or finds its tree in the cache; an INSERT of literal rows never becomes a tree (sql/dialect/literal_rows.py).
   What cannot be read is a syntax error with its position.
3. sql/statement/__init__.py, the registry, names the handler; a statement without one answers `<statement> is not
   supported yet`. sql/privilege.py checks what the statement needs on its objects (reads are checked in step 5).
4. sql/read.py opens the snapshot: a reader (storage/reader.py: one DuckDB snapshot with the catalog that belongs to
   it) and one reference TSO. Everything below uses these two and no other clock or catalog (sql/bind/binding.py).
5. sql/bind/query.py binds what the statement reads, in seven steps that it lists: sql/rewrite/reference.py turns
   tables, views, streams and changelog() into relations and notes which stream ranges are read, names and types are
   resolved, and sql/rewrite/semantics.py spells what depends on types. sql/dialect/duckdb.py gives the text.
6. Reads: sql/statement/query.py streams the record batches of that text; the snapshot ends when the Rows are closed.
7. Writes: sql/ingest/batch.py makes the Arrow batch of the target from the rows of step 6 (sql/ingest/direct.py at once
   from plain literals). UPDATE and DELETE hand down their text instead, which runs under the table's lock. A statement
   that a definition overtakes is planned anew (sql/write.py). Inside BEGIN … COMMIT all of it is staged until COMMIT
   (sql/transaction.py).
8. storage/commit.py takes locks and a TSO and applies rows, ended versions, stream offsets and catalog changes in one
   DuckDB transaction (storage/transaction.py; one module a model in storage/table); DuckDB's COMMIT puts it on disk.
   Small writes that wait at the same time share one, each with its own TSO (storage/together.py).
9. After that nothing can fail the statement any more; sql/notice.py tells the listeners (lineage).
10. sql/result.py goes back; server/answer.py turns rows, OK or the error (code, SQLSTATE, words) into packets, which
    server/outlet.py hands to the event loop piece by piece.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace

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
from sql.prepared import Prepared, Value, described, filled, prepare
from sql.result import Result, Rows
from sql.statement import Call, Handler, find, is_transactional
from sql.temporary import drop_temporary
from sql.variable import Globals, Variables
from storage.config import Config
from storage.database import Database
from storage.errors import IN_TRANSACTION, NOT_SUPPORTED_YET, DorisError


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

    def prepare(self, text: str, context: Context) -> Prepared:
        """Read a statement that is to be run with values; a query is bound for the columns of its result.

        Raises SYNTAX_ERROR and its kin, and what binding raises unless a value may mend it.
        """
        prepared = prepare(text)
        columns = described(prepared)
        if columns is None:
            return prepared
        try:
            result = self._result(columns, context)
        except DorisError:
            if prepared.parameters:
                return prepared
            raise
        assert isinstance(result, Rows)
        types = result.source.schema.types
        result.close()
        return replace(prepared, columns=tuple(zip(result.fields, types, strict=True)))

    def execute(self, prepared: Prepared, values: Sequence[Value], context: Context) -> Iterator[Result]:
        """Run a prepared statement with a value for each parameter, as `run` runs a text."""
        yield self._run(filled(prepared, values), context)

    def _run(self, statement: Statement, context: Context) -> Result:
        transaction = context.transaction
        result = self._result(statement, context)
        if self.listeners:
            tell(self, statement, context, transaction)
        return result

    def _result(self, statement: Statement, context: Context) -> Result:
        node = statement.node
        context.begin_statement(new_query_id(), statement.text)
        handler = self._admitted(node, context)
        try:
            with hinted(node, context):
                context.limit_time(writes=isinstance(node, exp.DML))
                result = handler(Call(node, statement.text, context, self))
        except BaseException:
            context.running(None)
            raise
        if not isinstance(result, Rows):  # a Rows is still being read: KILL must reach its reader
            context.running(None)
        return result

    def _admitted(self, node: exp.Expr, context: Context) -> Handler[exp.Expr]:
        """The handler of a statement that this user may run now."""
        handler = find(node)
        if handler is None:
            raise NOT_SUPPORTED_YET(what=title(node))
        privilege.check(node, self.database.catalog, context)
        if context.transaction is not None and not is_transactional(node):
            raise IN_TRANSACTION()
        return handler


def new_query_id() -> str:
    """Doris's form: two hexadecimal halves joined by a hyphen."""
    digits = uuid.uuid4().hex
    return f"{digits[:16]}-{digits[16:]}"
