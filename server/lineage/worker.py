"""The bounded queue of events and the one thread that hands them to the plugins, in order (Doris: Data Lineage).

Putting an event never waits: when the queue is full the new event is lost and one WARN line says so. Nothing is
stored; what waits at the end gets a few seconds, and what waits at a crash is gone.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Sequence

from dorisette.lineage import LineageInfo
from server.lineage.plugin import Loaded

LOG = logging.getLogger(__name__)

SLOW_SECONDS = 60.0  # so long may a plugin take for one event before the log wonders


class Worker:
    """Delivers events to plugins; `put` may come from any thread."""

    def __init__(self, plugins: Sequence[Loaded], size: int) -> None:
        self._plugins = tuple(plugins)
        self._size = size
        self._waiting: deque[LineageInfo] = deque()
        self._changed = threading.Condition()
        self._is_ending = False
        self._busy: _Busy | None = None
        self._thread = threading.Thread(target=self._run, name="lineage-worker", daemon=True)
        self._thread.start()

    def put(self, info: LineageInfo) -> None:
        """Let an event wait for the plugins; it is lost when `size` events wait already."""
        with self._changed:
            is_lost = len(self._waiting) >= self._size
            if not is_lost:
                self._waiting.append(info)
                self._changed.notify()
        if is_lost:
            line = "the lineage event queue is full with size %d, discard the lineage event: %s"
            LOG.warning(line, self._size, info.context.query_id)
        if (busy := self._busy) is not None:
            busy.wonder()

    def stop(self, seconds: float) -> None:
        """Hand over what waits, but no longer than this; then the thread takes no more."""
        with self._changed:
            self._is_ending = True
            self._changed.notify()
        self._thread.join(seconds)
        with self._changed:
            lost = len(self._waiting)
            self._waiting.clear()
        if self._thread.is_alive():
            where = f" (plugin {self._busy.plugin})" if self._busy else ""
            LOG.warning("the lineage worker%s is not done after %g s, %d waiting events are lost", where, seconds, lost)

    def _run(self) -> None:
        while (info := self._next()) is not None:
            for plugin in self._plugins:
                self._busy = _Busy(plugin.name, info.context.query_id, time.monotonic())
                plugin.handle(info)
            self._busy = None

    def _next(self) -> LineageInfo | None:
        """The oldest event; None at the end."""
        with self._changed:
            while not self._waiting and not self._is_ending:
                self._changed.wait()
            return self._waiting.popleft() if self._waiting else None


class _Busy:
    """What the worker is at."""

    __slots__ = ("_is_told", "_query_id", "_since", "plugin")

    def __init__(self, plugin: str, query_id: str, since: float) -> None:
        self.plugin = plugin
        self._query_id = query_id
        self._since = since
        self._is_told = False

    def wonder(self) -> None:
        """Tell once when it takes too long."""
        taken = time.monotonic() - self._since
        if taken > SLOW_SECONDS and not self._is_told:
            self._is_told = True
            LOG.warning("lineage plugin %s has been at event %s for %d s", self.plugin, self._query_id, taken)
