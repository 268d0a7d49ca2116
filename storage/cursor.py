"""A DuckDB connection: statements, streams and transactions, with DuckDB's errors in our words.

Errors are translated by class, and those that a query can cause by the table in storage/refusal.py. What DuckDB 2.0.1
does and what therefore must not be done is in docs/duckdb.md; the two rules that live here: after any error ROLLBACK,
never COMMIT (COMMIT of an aborted transaction answers OK and stores nothing), and nothing but BEGIN may come before the
locks, since the snapshot is taken by the first statement that touches the database.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Literal

import duckdb
import pyarrow as pa

from storage.errors import (
    DATABASE_REOPENED,
    EXECUTION_FAILED,
    INTERRUPTED,
    MEMORY_EXCEEDED,
    STORAGE_FAILURE,
    DorisError,
)
from storage.refusal import refusal

if TYPE_CHECKING:
    from _duckdb import RelationResult

LOG = logging.getLogger(__name__)

BATCH_ROWS = 16_384  # rows of a streamed record batch
TABLE_BATCH_ROWS = 131_072  # and of one of a whole table, which DuckDB reads again faster in few pieces

_KIND = re.compile(r"[A-Z][A-Za-z ]* Error: |Python exception occurred while executing the UDF: DorisError: ")
FATAL = (duckdb.FatalException, duckdb.InternalException)  # the database is no more what it was
_DURABLE = "FATAL Error: Transaction COMMIT succeeded and is durable"  # what it raises if its own checkpoint failed
_OUR_BUG = (duckdb.CatalogException, duckdb.BinderException, duckdb.ParserException, duckdb.SyntaxException)


def first_line(error: BaseException) -> str:
    """What happened, without DuckDB's name for the kind of error before it."""
    line = next(iter(str(error).splitlines()), type(error).__name__)
    return _KIND.sub("", line)


def _translate(error: BaseException) -> DorisError:
    """The declared error for what DuckDB (or its Arrow stream) raised."""
    if isinstance(error, duckdb.InterruptException):
        return INTERRUPTED()
    if isinstance(error, duckdb.OutOfMemoryException | MemoryError):
        return MEMORY_EXCEEDED(reason=first_line(error))
    if isinstance(error, FATAL):
        return DATABASE_REOPENED(reason=first_line(error))
    if isinstance(error, duckdb.IOException | duckdb.TransactionException):
        return STORAGE_FAILURE(reason=first_line(error))
    known = refusal(first_line(error))
    if known is not None:
        return known
    if isinstance(error, _OUR_BUG):
        LOG.error("DuckDB refused a generated statement: %s", error, exc_info=error)
    return EXECUTION_FAILED(reason=first_line(error))


def is_conflict(error: DorisError) -> bool:
    """Whether DuckDB refused the statement because another transaction touched the same rows."""
    return isinstance(error.__cause__, duckdb.TransactionException)


class Cursor:
    """One DuckDB connection to the database; used by one thread, interrupted from any."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, failed: Callable[[BaseException], None]) -> None:
        self._connection = connection
        self._failed = failed
        self._sources: list[object] = []  # handles of Arrow tables, readable as long as these live
        self._reader: pa.RecordBatchReader | None = None
        self._busy = threading.Lock()
        self._begun = False
        self._interrupted = False
        self._abandoned = False

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Raise DorisError for what DuckDB raises inside; Arrow streams report as OSError."""
        with self._busy:
            if self._abandoned:
                raise DATABASE_REOPENED(reason="the statement began before the restart")
            if self._interrupted:
                raise INTERRUPTED()
            try:
                yield
            except (duckdb.Error, pa.ArrowException, OSError, MemoryError) as error:
                self._failed(error)
                raise INTERRUPTED() if self._interrupted else _translate(error) from error

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> int:
        """Run one statement to its end; the rows it inserted or deleted."""
        rows = self.rows(sql, parameters)
        count = rows[0][0] if rows else 0
        return count if isinstance(count, int) else 0

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """The whole result as Python rows; for small ones."""
        with self._translated():
            result = self._connection.execute(sql, list(parameters)) if parameters else self._connection.execute(sql)
            return result.fetchall()

    def table(self, sql: str, parameters: Sequence[object] = ()) -> pa.Table:
        """The whole result as an Arrow table."""
        with self._translated():
            return self._submitted(sql, parameters, "arrow").arrow_table()

    def stream(self, sql: str, parameters: Sequence[object] = ()) -> pa.Schema:
        """Start a result that `next_batch` gives as it is made; nothing else runs here until `end_stream`."""
        with self._translated():
            self._reader = self._submitted(sql, parameters, "stream").arrow_reader()
            return self._reader.schema

    def next_batch(self) -> pa.RecordBatch | None:
        """The next batch of the open stream; None at its end."""
        with self._translated():
            return None if self._reader is None else next(self._reader, None)

    def end_stream(self) -> None:
        """Let the result of an open stream go, read out or not; waits for a batch that is being made."""
        with self._busy:
            self._end_stream()

    def _end_stream(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()

    def _submitted(self, sql: str, parameters: Sequence[object], form: Literal["arrow", "stream"]) -> RelationResult:
        """Run one statement to Arrow, planned once: `sql()` of the public interface plans it for its columns, too."""
        size = BATCH_ROWS if form == "stream" else TABLE_BATCH_ROWS
        return self._connection._submit(sql, list(parameters) or None, form, size)  # noqa: SLF001

    def source(self, rows: pa.Table) -> str:
        """Make an Arrow table readable in SQL until this cursor is closed; gives its name there.

        Unlike `register` of DuckDB's public interface it makes no view, which costs more than inserting a thousand
        rows, and takes no snapshot (docs/decisions/0016-beneath-the-relations-of-duckdb.md).
        """
        with self._translated():
            handle = self._connection._register_source(rows, None)  # noqa: SLF001
            self._sources.append(handle)
            return str(handle.name)

    def interrupt(self) -> None:
        """Stop what runs now and refuse what comes next; from any thread."""
        self._interrupted = True
        with suppress(duckdb.Error):
            self._connection.interrupt()

    def begin(self) -> None:
        """Begin a transaction that `transaction` goes on with; no snapshot is taken before its first statement."""
        self.execute("BEGIN")
        self._begun = True

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """BEGIN, the caller's statements, COMMIT; ROLLBACK on any error: DuckDB's COMMIT would answer OK after one."""
        try:
            if not self._begun:
                self.begin()
            yield
            self._commit()
        except BaseException:
            self.rollback()
            raise

    def _commit(self) -> None:
        """COMMIT; done is done, also where the checkpoint that DuckDB begins behind it fails."""
        self._begun = False
        try:
            self.execute("COMMIT")
        except DorisError as error:
            if not str(error.__cause__).startswith(_DURABLE):
                raise

    def rollback(self) -> None:
        """End the transaction, also when it is aborted or a failed COMMIT has ended it already."""
        self._begun = False
        with self._busy, suppress(duckdb.Error):
            self._connection.execute("ROLLBACK")

    def close(self) -> None:
        """Give the connection back with its stream, sources and temporary tables."""
        with self._busy, suppress(duckdb.Error):
            self._end_stream()
            self._sources.clear()
            self._connection.close()

    def abandon(self) -> None:
        """Close from another thread, once the call that runs has ended; its owner gets DATABASE_REOPENED next."""
        self._abandoned = True
        with suppress(duckdb.Error):
            self._connection.interrupt()
        self.close()
