"""Lineage as a part of the server: listens to the engine, makes events, hands them to the worker.

All of it is best effort: a statement that reaches `_written` has succeeded, and nothing here can change that.
Without plugins the engine has no listener, and nothing of this costs anything.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from dorisette.lineage import LineageInfo, QueryContext
from server.lineage.asking import Asking
from server.lineage.guard import guarded
from server.lineage.loader import load
from server.lineage.plugin import Loaded
from server.lineage.worker import Worker
from sql.bind.name import CATALOG
from sql.engine import Engine
from sql.lineage.extract import command, extract
from sql.lineage.source import Place
from sql.notice import Written
from storage.config import ACTIVATE_LINEAGE_PLUGIN, LINEAGE_EVENT_QUEUE_SIZE, Config
from storage.tso import unix_ms

LOG = logging.getLogger(__name__)

DRAIN_SECONDS = 5.0  # for waiting events at the end, and the same again for close() of all plugins

SCHEDULE = "scheduleInfo"  # a connection attribute

Clock = Callable[[], int]


class Lineage:
    """The loaded plugins and what feeds them."""

    def __init__(self, plugins: Sequence[Loaded], queue_size: int, clock: Clock = unix_ms) -> None:
        self._plugins = plugins
        self._clock = clock
        self._asking = Asking(plugins)
        self._worker = Worker(plugins, queue_size) if plugins else None

    @classmethod
    def open(cls, config: Config, plugin_directory: Path) -> Lineage:
        """Load the plugins that fe.conf activates; before the server listens, so that it has them from the first."""
        return cls(load(plugin_directory, config[ACTIVATE_LINEAGE_PLUGIN]), config[LINEAGE_EVENT_QUEUE_SIZE])

    def listen(self, engine: Engine) -> None:
        """From now on make events of the engine's statements, if there is a plugin at all."""
        if self._worker is not None:
            engine.listeners.append(self._written)

    def close(self) -> None:
        """Give the waiting events and then the plugins' close() a bounded time; blocks for at most 10 s."""
        if self._worker is None:
            return
        self._worker.stop(DRAIN_SECONDS)
        closing = threading.Thread(target=self._close_plugins, name="lineage-close", daemon=True)
        closing.start()
        closing.join(DRAIN_SECONDS)
        if closing.is_alive():
            LOG.warning("close() of the lineage plugins is not done after %g s", DRAIN_SECONDS)

    def _close_plugins(self) -> None:
        for plugin in self._plugins:
            plugin.close()

    def _written(self, written: Written) -> None:
        """The listener: on the statement's thread, after its success."""
        if self._worker is None or (word := command(written.node)) is None or not self._asking.anyone_wants():
            return
        line = "encounter exception when extracting the lineage of query %s, ignore"
        info = guarded(lambda: self._event(written, word), None, line, written.query_id)
        if info is not None:
            self._worker.put(info)

    def _event(self, written: Written, source_command: str) -> LineageInfo | None:
        now = self._clock()
        taken = now - written.started_ms
        context = QueryContext(
            source_command=source_command,
            query_id=written.query_id,
            query_text=_text(written),
            user=written.user,
            client_ip=written.host,
            database=written.database or "",
            catalog=CATALOG,
            state="OK",
            timestamp_ms=now,
            duration_ms=taken if written.started_ms >= 0 and taken >= 0 else -1,
        )
        place = Place(written.catalog, written.database, written.session, written.show_hidden, written.catalog_after)
        return extract(written.node, place, context)


def _text(written: Written) -> str:
    """The statement as the client sent it, behind the note of a scheduler that named itself at its login."""
    schedule = written.attributes.get(SCHEDULE)
    return f"/* {SCHEDULE}={schedule} */ {written.text}" if schedule else written.text
