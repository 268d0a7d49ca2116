"""The state of one client connection as the SQL layer sees it, and the view on its neighbours."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sql.transaction import Transaction
from sql.variable import Variables
from storage.catalog.catalog import Catalog
from storage.errors import INTERRUPTED
from storage.tso import unix_ms
from storage.wait import Bell
from storage.work import Stoppable


@dataclass(frozen=True, slots=True)
class Process:
    """One row of SHOW PROCESSLIST."""

    id: int
    user: str
    host: str
    login_ms: int
    database: str | None
    command: str
    seconds: int
    state: str
    query_id: str
    info: str | None


class Sessions(Protocol):
    """What the server knows of all connections; implemented in server/control.py."""

    def processes(self) -> Sequence[Process]: ...

    def kill(self, connection_id: int, query_only: bool, query_id: str = "") -> None:
        """End the statement (if it has this id), or the whole connection; unknown ids raise UNKNOWN_THREAD."""

    def find_query(self, query_id: str) -> int | None:
        """The connection that runs the statement of this query id."""


@dataclass(slots=True)
class Context:
    """One connection: who, where, which variables, which open transaction, which running call."""

    connection_id: int
    user: str
    host: str
    variables: Variables
    database: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)  # what the client told of itself at its login
    user_variables: dict[str, object] = field(default_factory=dict)
    has_temporary: bool = False  # the connection has made a temporary table
    transaction: Transaction | None = None
    query_id: str = ""
    statement: str = ""  # the text of the statement alone
    started_ms: int = -1  # of the statement, in unix milliseconds
    timeout_seconds: int = 0  # of the statement (`limit_time`)
    analysed: Catalog | None = None  # the catalog that the statement was bound with
    warnings: list[tuple[str, int, str]] = field(default_factory=list)
    bell: Bell = field(default_factory=Bell)  # ends SLEEP
    _running: Stoppable | None = None
    _interrupted: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin_statement(self, query_id: str, text: str = "") -> None:
        """Forget the statement before; nothing is interrupted yet."""
        with self._lock:
            self.query_id = query_id
            self.statement = text
            self.started_ms = unix_ms()
            self.limit_time()
            self.analysed = None
            self._interrupted = False
            self._running = None
            self.bell.still()

    def limit_time(self, writes: bool = False) -> None:
        """Let the statement take as many seconds as the variables say now: a hint ends before its rows are read."""
        self.timeout_seconds = self.variables.number("insert_timeout" if writes else "query_timeout")

    def running(self, call: Stoppable | None) -> None:
        """Name the call that `interrupt` shall stop; None when it cannot be stopped any more."""
        with self._lock:
            self._running = call
            interrupted = self._interrupted
        if interrupted and call is not None:
            raise INTERRUPTED()

    def waiting(self) -> None:
        """Raise INTERRUPTED when the statement was stopped, while nothing runs that could be interrupted."""
        with self._lock:
            if self._interrupted:
                raise INTERRUPTED()

    def committing(self) -> None:
        """The point of no return: what was stopped before raises INTERRUPTED, what comes later has no effect."""
        with self._lock:
            if self._interrupted:
                raise INTERRUPTED()
            self._running = None

    def interrupt(self) -> None:
        """Stop the running statement (KILL QUERY, client gone); from any thread."""
        with self._lock:
            self._interrupted = True
            if self._running is not None:
                self._running.interrupt()
            self.bell.ring()
