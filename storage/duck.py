"""The DuckDB database file: opening, cursors, transactions, and DuckDB's errors in our words.

The only module that imports duckdb. Errors are translated by class, and those that a query can cause by
the table in storage/refusal.py. What DuckDB 2.0.1 does and what therefore must not be done is in
docs/duckdb.md; the two rules that live here: after any error ROLLBACK, never COMMIT (COMMIT of an aborted
transaction answers OK and stores nothing), and nothing but BEGIN may come before the locks, since the
snapshot is taken by the first statement that touches the database.
"""

from __future__ import annotations

import fcntl
import gc
import logging
import os
import re
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO

import duckdb
import pyarrow as pa

from storage import udf
from storage.errors import (
    DATA_DIRECTORY_LOCKED,
    DATABASE_REOPENED,
    EXECUTION_FAILED,
    INTERRUPTED,
    MEMORY_EXCEEDED,
    STORAGE_FAILURE,
    DorisError,
)
from storage.refusal import refusal

LOG = logging.getLogger(__name__)

FILE_NAME = "dorisette.duckdb"
BATCH_ROWS = 16_384  # rows of a streamed record batch

_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",  # no file or network access from SQL
    "python_enable_replacements": "false",  # a name in SQL never resolves to a Python variable
    "arrow_lossless_conversion": "true",  # LARGEINT survives Arrow in both directions
    "checkpoint_threshold": "48MB",
}
_KIND = re.compile(r"[A-Z][A-Za-z ]* Error: ")
_FATAL = (duckdb.FatalException, duckdb.InternalException)
_DURABLE = "FATAL Error: Transaction COMMIT succeeded and is durable"  # what it raises if its own checkpoint failed
_OUR_BUG = (duckdb.CatalogException, duckdb.BinderException, duckdb.ParserException, duckdb.SyntaxException)


def _first_line(error: BaseException) -> str:
    """What happened, without DuckDB's name for the kind of error before it."""
    line = next(iter(str(error).splitlines()), type(error).__name__)
    return _KIND.sub("", line)


def _translate(error: BaseException) -> DorisError:
    """The declared error for what DuckDB (or its Arrow stream) raised."""
    if isinstance(error, duckdb.InterruptException):
        return INTERRUPTED()
    if isinstance(error, duckdb.OutOfMemoryException | MemoryError):
        return MEMORY_EXCEEDED(reason=_first_line(error))
    if isinstance(error, _FATAL):
        return DATABASE_REOPENED(reason=_first_line(error))
    if isinstance(error, duckdb.IOException | duckdb.TransactionException):
        return STORAGE_FAILURE(reason=_first_line(error))
    known = refusal(_first_line(error))
    if known is not None:
        return known
    if isinstance(error, _OUR_BUG):
        LOG.error("DuckDB refused a generated statement: %s", error, exc_info=error)
    return EXECUTION_FAILED(reason=_first_line(error))


def is_conflict(error: DorisError) -> bool:
    """Whether DuckDB refused the statement because another transaction touched the same rows."""
    return isinstance(error.__cause__, duckdb.TransactionException)


class Cursor:
    """One DuckDB connection to the database; used by one thread, interrupted from any."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, failed: Callable[[BaseException], None]) -> None:
        self._connection = connection
        self._failed = failed
        self._reader: pa.RecordBatchReader | None = None
        self._busy = threading.Lock()
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
            return self._relation(sql, parameters).to_arrow_table()

    def stream(self, sql: str, parameters: Sequence[object] = ()) -> pa.Schema:
        """Start a result that `next_batch` gives as it is made; nothing else runs here until `end_stream`."""
        with self._translated():
            self._reader = self._relation(sql, parameters).to_arrow_reader(BATCH_ROWS)
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

    def _relation(self, sql: str, parameters: Sequence[object]) -> duckdb.DuckDBPyRelation:
        return self._connection.sql(sql, params=list(parameters)) if parameters else self._connection.sql(sql)

    def register(self, name: str, table: pa.Table) -> None:
        """Make an Arrow table readable by `name` on this cursor."""
        with self._translated():
            self._connection.register(name, table)

    def unregister(self, name: str) -> None:
        with self._translated():
            self._connection.unregister(name)

    def interrupt(self) -> None:
        """Stop what runs now and refuse what comes next; from any thread."""
        self._interrupted = True
        with suppress(duckdb.Error):
            self._connection.interrupt()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """BEGIN, the caller's statements, COMMIT; ROLLBACK on any error: DuckDB's COMMIT would answer OK after one."""
        try:
            self.execute("BEGIN")
            yield
            self._commit()
        except BaseException:
            self.rollback()
            raise

    def _commit(self) -> None:
        """COMMIT; done is done, also where the checkpoint that DuckDB begins behind it fails."""
        try:
            self.execute("COMMIT")
        except DorisError as error:
            if not str(error.__cause__).startswith(_DURABLE):
                raise

    def rollback(self) -> None:
        """End the transaction, also when it is aborted or a failed COMMIT has ended it already."""
        with self._busy, suppress(duckdb.Error):
            self._connection.execute("ROLLBACK")

    def close(self) -> None:
        """Give the connection back with its stream, registrations and temporary tables."""
        with self._busy, suppress(duckdb.Error):
            self._end_stream()
            self._connection.close()

    def abandon(self) -> None:
        """Close from another thread, once the call that runs has ended; its owner gets DATABASE_REOPENED next."""
        self._abandoned = True
        with suppress(duckdb.Error):
            self._connection.interrupt()
        self.close()


class Duck:
    """The open file. A fatal DuckDB error closes it; the next cursor opens it again."""

    def __init__(self, directory: Path, on_reopen: Callable[[], None] = lambda: None) -> None:
        """Create or open `directory`; DATA_DIRECTORY_LOCKED when another process has it."""
        directory.mkdir(parents=True, exist_ok=True)
        self._path = directory / FILE_NAME
        self._on_reopen = on_reopen
        self._lock = threading.RLock()
        self._broken = False
        self._open_cursors: weakref.WeakSet[Cursor] = weakref.WeakSet()
        self._owner = _own(directory)
        try:
            self._root = self._connect()
        except DorisError:
            self._owner.close()
            raise

    def _connect(self) -> duckdb.DuckDBPyConnection:
        try:
            connection = duckdb.connect(str(self._path), config=_SETTINGS)
            udf.register(connection)
            connection.execute("SET lock_configuration = true")
        except duckdb.Error as error:
            raise STORAGE_FAILURE(reason=f"cannot open {self._path}: {_first_line(error)}") from error
        return connection

    def cursor(self) -> Cursor:
        """A new connection to the file, cheap (microseconds); the caller closes it."""
        with self._lock:
            if self._broken:
                self._reopen()
            cursor = Cursor(self._root.cursor(), self._failed)
            self._open_cursors.add(cursor)
            return cursor

    def _failed(self, error: BaseException) -> None:
        if isinstance(error, _FATAL) and not self._broken:
            LOG.critical("DuckDB has invalidated the database, it will be opened again", exc_info=error)
            self._broken = True

    def _reopen(self) -> None:
        """Open the file again; every connection to the broken instance must go first, else DuckDB hands it out."""
        for cursor in list(self._open_cursors):
            cursor.abandon()
        self._root.close()
        gc.collect()
        self._root = self._connect()
        self._broken = False
        self._on_reopen()

    @contextmanager
    def transaction(self) -> Iterator[Cursor]:
        """A small transaction on a cursor of its own."""
        with closing(self.cursor()) as cursor, cursor.transaction():
            yield cursor

    def checkpoint(self) -> None:
        """Move the write-ahead log into the file; STORAGE_FAILURE when transactions stand in the way."""
        cursor = self.cursor()
        try:
            cursor.execute("CHECKPOINT")
        finally:
            cursor.close()

    def close(self) -> None:
        """End every cursor, checkpoint, close the file and let the directory go; may be called again."""
        with self._lock:
            for cursor in list(self._open_cursors):
                cursor.abandon()
            if not self._owner.closed:
                self._checkpoint_last()
            self._root.close()
            self._owner.close()

    def _checkpoint_last(self) -> None:
        try:
            self._root.execute("CHECKPOINT")
        except duckdb.Error as error:
            LOG.warning("closed without checkpoint, the next start replays the log: %s", _first_line(error))


def _own(directory: Path) -> IO[str]:
    """Take the directory for this process; the lock file names its owner."""
    file = open(directory / "lock", "a+", encoding="ascii")  # noqa: SIM115 - held until close
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        owner = file.read().strip()
        file.close()
        raise DATA_DIRECTORY_LOCKED(path=directory, owner=f" (pid {owner})" if owner else "") from None
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file
