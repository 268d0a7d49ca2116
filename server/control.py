"""All connections of the server: ids, the limit, SHOW PROCESSLIST, KILL.

Implements `sql.context.Sessions`, whose calls come from any worker thread. Who may kill whom is decided in sql/.
Source: Doris: KILL; property max_user_connections.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from sql.context import Process
from storage.errors import TOO_MANY_CONNECTIONS, UNKNOWN_THREAD


class Member(Protocol):
    """A connection that has logged in."""

    def process(self) -> Process: ...

    def interrupt(self, query_id: str = "") -> None:
        """End the running statement, or only if it is the one of this id; from any thread."""


@dataclass(frozen=True, slots=True)
class _Entry:
    member: Member
    end: Callable[[], None]


class Registry:
    """The connections by id; ids count from 1, so that no driver takes them for negative numbers."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._ids = itertools.count(1)
        self._entries: dict[int, _Entry] = {}
        self._lock = threading.Lock()

    def new_id(self) -> int:
        return next(self._ids)

    def enter(self, connection_id: int, member: Member, end: Callable[[], None], user_limit: int) -> None:
        """Add a connection that has logged in; `end` closes it, from any thread. Raises TOO_MANY_CONNECTIONS."""
        with self._lock:
            if len(self._entries) >= self._limit:
                raise TOO_MANY_CONNECTIONS(total=self._limit, user=user_limit, current=len(self._entries))
            self._entries[connection_id] = _Entry(member, end)

    def leave(self, connection_id: int) -> None:
        """Forget a connection; unknown ids are none."""
        with self._lock:
            self._entries.pop(connection_id, None)

    def __len__(self) -> int:
        return len(self._entries)

    # -- sql.context.Sessions ----------------------------------------------------------------------
    def processes(self) -> Sequence[Process]:
        """One row a connection, by id."""
        with self._lock:
            entries = sorted(self._entries.items())
        return [entry.member.process() for _, entry in entries]

    def kill(self, connection_id: int, query_only: bool, query_id: str = "") -> None:
        """End the statement (of this id), or the whole connection; unknown ids raise UNKNOWN_THREAD."""
        with self._lock:
            entry = self._entries.get(connection_id)
        if entry is None:
            raise UNKNOWN_THREAD(id=connection_id)
        entry.member.interrupt(query_id)
        if not query_only:
            entry.end()

    def find_query(self, query_id: str) -> int | None:
        """The connection that runs the statement of this query id; one that has no id yet is never meant."""
        running = (process for process in self.processes() if process.info is not None and process.query_id)
        return next((process.id for process in running if process.query_id == query_id), None)
