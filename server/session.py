"""One client connection and its Context: statements run here, on the connection's own worker thread.

The event loop asks (`answer`, `use`, `fields`), the worker runs the engine, and whoever wants a statement to end
(KILL, a client that went away, query_timeout, the end of the server) calls `stop` from any thread. No packet is
read or written here.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from server import packet
from server.answer import Answer, Encoder
from server.audit import Entry, Journal
from server.binary import BinaryEncoder
from server.encode import TextEncoder
from server.outlet import Outlet
from server.runner import Runner
from server.stream import ConnectionClosedError, WireStream
from server.timer import Timer
from server.worker import Worker
from sql.context import Context, Process
from sql.dialect.quoting import ident
from sql.engine import new_query_id
from sql.prepared import Prepared, Value
from sql.result import Field, Result, Rows
from storage.errors import INTERNAL_ERROR, INTERRUPTED, QUERY_TIMEOUT, DorisError
from storage.tso import unix_ms

LOG = logging.getLogger(__name__)
_INSIST_SECONDS = 0.05
T = TypeVar("T")


class Session:
    """A logged-in client; `directory` takes the results that it does not fetch."""

    def __init__(self, engine: Runner, connection_id: int, user: str, host: str, directory: Path) -> None:
        self.context = engine.context(connection_id, user, host)
        self._engine = engine
        self._directory = directory
        self._worker = Worker(f"mysql-{connection_id}")
        self._loop = asyncio.get_running_loop()
        self._login_ms = unix_ms()
        self._outlet: Outlet | None = None
        self._text: str | None = None
        self._since = time.monotonic()
        self._journal = Journal()

    # -- asked by the event loop -------------------------------------------------------------------
    async def answer(self, text: str, stream: WireStream) -> None:
        """Run the statements of a text and send their answer; raises ConnectionClosedError."""
        await self._answer(text, lambda: self._engine.run(text, self.context), TextEncoder, stream)

    async def prepare(self, text: str) -> Prepared:
        """Read a statement that is to be run with values."""
        return await self._call(lambda: self._engine.prepare(text, self.context))

    async def execute(self, prepared: Prepared, values: Sequence[Value], stream: WireStream) -> None:
        """Run a prepared statement and send its answer in binary form; raises ConnectionClosedError."""
        results = partial(self._engine.execute, prepared, values, self.context)
        await self._answer("?".join(prepared.pieces), results, BinaryEncoder, stream)

    async def _answer(
        self, text: str, results: Callable[[], Iterator[Result]], encoder: Encoder, stream: WireStream
    ) -> None:
        outlet = Outlet(self._directory)
        answer = Answer(outlet, stream.sequence, lambda: self.status, encoder)
        self._begin(text, outlet)
        timer = Timer(self._seconds_left, lambda: self.stop(QUERY_TIMEOUT(seconds=self._timeout())))
        self._worker.submit(lambda: self._run(results, answer, outlet))
        try:
            while (chunk := await outlet.chunk()) is not None:
                await stream.write_raw(chunk)
                outlet.sent()
        except BaseException:
            self.stop(INTERRUPTED())
            raise
        finally:
            await outlet.ended()
            timer.cancel()
            self._end(outlet)
            self._worker.submit(self._journal.write)  # an audit line may be as long as its statement: behind the answer
        if outlet.is_broken:
            raise ConnectionClosedError
        stream.sequence = answer.sequence

    async def use(self, database: str) -> None:
        """Run USE for a name that came outside of SQL; raises UNKNOWN_DATABASE."""
        parts = database.split(".", 1) if database.startswith("internal.") else [database]
        await self._call(lambda: self._drain("USE " + ".".join(map(ident, parts))))

    async def fields(self, table: str) -> list[tuple[Field, pa.DataType]]:
        """The columns of a table, for COM_FIELD_LIST."""
        return await self._call(lambda: self._fields(f"SELECT * FROM {ident(table)} LIMIT 0"))

    def reset(self, user: str | None = None) -> None:
        """Begin anew on the same connection: variables, temporary tables and open transaction are gone.

        The current database stays, unless another user takes over.
        """
        old = self.context
        self._leave(old)
        self.context = self._engine.context(old.connection_id, user or old.user, old.host)
        self.context.database = old.database if user is None else None
        self.context.attributes = old.attributes

    async def close(self) -> None:
        """End the worker thread when its work is done; an open transaction was only staged: it goes with its context.

        The process may end behind this: the last audit line must have been written.
        """
        self._leave(self.context)
        await self._worker.stop()

    def _leave(self, context: Context) -> None:
        """Let the temporary tables go, behind the statements that still run."""
        if context.has_temporary:
            self._worker.submit(lambda: self._forget(context))

    def _forget(self, context: Context) -> None:
        try:
            self._engine.leave(context)
        except DorisError as failure:
            LOG.warning("temporary tables of connection %d: %s", context.connection_id, failure.message)

    @property
    def is_busy(self) -> bool:
        """Whether a statement is running or its answer being sent."""
        return self._outlet is not None

    @property
    def status(self) -> int:
        """The status flags as of now."""
        autocommit = packet.AUTOCOMMIT if self.context.variables.is_on("autocommit") else 0
        return autocommit | (packet.IN_TRANSACTION if self.context.transaction is not None else 0)

    # -- from any thread ---------------------------------------------------------------------------
    def stop(self, reason: DorisError, query_id: str = "") -> None:
        """End the running statement, if any, with this error; a statement that has its commit TSO goes on.

        With a query id only the statement of that id: it is compared after the answer has been taken, which belongs
        to no later statement then.
        """
        outlet = self._outlet
        if query_id and self.context.query_id != query_id:
            return
        if outlet is not None and outlet.cancel(reason):
            self._loop.call_soon_threadsafe(self._insist, outlet)  # there, so that the next statement is never hit

    def interrupt(self, query_id: str = "") -> None:
        """KILL QUERY."""
        self.stop(INTERRUPTED(), query_id)

    def process(self) -> Process:
        """The row of SHOW PROCESSLIST."""
        context, text = self.context, self._text
        return Process(
            id=context.connection_id,
            user=context.user,
            host=context.host,
            login_ms=self._login_ms,
            database=context.database,
            command="Sleep" if text is None else "Query",
            seconds=int(time.monotonic() - self._since),
            state="EOF" if text is None else "RUNNING",
            query_id=context.query_id,
            info=text and (context.statement or text),
        )

    # -- on the worker thread ----------------------------------------------------------------------
    def _run(self, results: Callable[[], Iterator[Result]], answer: Answer, outlet: Outlet) -> None:
        last = b""
        try:
            last = self._statements(results, answer, outlet)
        finally:
            outlet.finish(last)

    def _statements(self, results: Callable[[], Iterator[Result]], answer: Answer, outlet: Outlet) -> bytes:
        """Answer all statements of a command; the outermost loop of a connection: nothing gets past it."""
        try:
            running = results()
            while (result := next(running, None)) is not None:
                self._note_done(answer.add(result), 0)
            return answer.end()
        except Exception as error:  # noqa: BLE001  an unknown one goes to fe.log, never to the client
            failure = self._declared(error)
            if failure.kind is INTERRUPTED:
                failure = outlet.cancelled or failure
            self._note_done(0, failure.code)
            return answer.fail(failure)

    def _declared(self, error: Exception) -> DorisError:
        self.context.query_id = self.context.query_id or new_query_id()
        if isinstance(error, DorisError):
            return error
        LOG.error("query id %s failed", self.context.query_id, exc_info=error)
        return INTERNAL_ERROR(query_id=self.context.query_id)

    def _note_done(self, rows: int, code: int) -> None:
        """Note what is to be written of a statement, and start the clock of the next one."""
        now, context = time.monotonic(), self.context
        names = context.query_id, context.user, context.host, context.database
        self._journal.note(Entry(*names, int((now - self._since) * 1000), rows, code, context.statement))
        self._since = now

    def _drain(self, text: str) -> None:
        for result in self._engine.run(text, self.context):
            if isinstance(result, Rows):
                result.close()

    def _fields(self, text: str) -> list[tuple[Field, pa.DataType]]:
        for result in self._engine.run(text, self.context):
            if isinstance(result, Rows):
                result.close()
                return list(zip(result.fields, result.source.schema.types, strict=True))
        return []

    # -- small things --------------------------------------------------------------------------------
    async def _call(self, function: Callable[[], T]) -> T:
        """Run a function on the worker; raises DorisError only."""

        def guarded() -> T:
            try:
                return function()
            except Exception as error:  # the same outermost loop, for commands without SQL
                raise self._declared(error) from error

        return await self._worker.call(guarded)

    def _insist(self, outlet: Outlet) -> None:
        """Interrupt again until the statement has ended: DuckDB forgets an interrupt that comes just before a query."""
        if self._outlet is outlet:
            self.context.interrupt()
            self._loop.call_later(_INSIST_SECONDS, self._insist, outlet)

    def _begin(self, text: str, outlet: Outlet) -> None:
        """Nothing of the statement before is seen any more: SHOW PROCESSLIST would give its id, KILL not find it."""
        self.context.begin_statement("", text)
        self._text, self._since, self._outlet = text, time.monotonic(), outlet

    def _end(self, outlet: Outlet) -> None:
        self._text, self._since, self._outlet = None, time.monotonic(), None
        outlet.close()

    def _timeout(self) -> int:
        return self.context.timeout_seconds

    def _seconds_left(self) -> float:
        return self._timeout() - (time.monotonic() - self._since)
