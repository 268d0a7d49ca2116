"""The DuckDB database file: opening, its one owner, its cursors, checkpoints, and opening again after a fatal error.

duckdb is imported here and in storage/cursor.py, nowhere else.
"""

from __future__ import annotations

import fcntl
import gc
import logging
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO

import duckdb

from storage import udf
from storage.cursor import FATAL, Cursor, first_line
from storage.errors import DATA_DIRECTORY_LOCKED, STORAGE_FAILURE, DorisError

LOG = logging.getLogger(__name__)

FILE_NAME = "dorisette.duckdb"
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",  # no file or network access from SQL
    "python_enable_replacements": "false",  # a name in SQL never resolves to a Python variable
    "arrow_lossless_conversion": "true",  # LARGEINT survives Arrow in both directions
    "order_by_non_integer_literal": "true",  # ORDER BY 'x' orders nothing
    "checkpoint_threshold": "48MB",
}


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
            raise STORAGE_FAILURE(reason=f"cannot open {self._path}: {first_line(error)}") from error
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
        if isinstance(error, FATAL) and not self._broken:
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
            LOG.warning("closed without checkpoint, the next start replays the log: %s", first_line(error))


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
