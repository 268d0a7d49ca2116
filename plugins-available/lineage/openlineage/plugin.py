"""A lineage plugin that sends OpenLineage run events, with columnLineage, to a file or to an HTTP service.

Needs the package openlineage-python (`pip install 'dorisette[openlineage]'`). openlineage.json in this folder says
where to; docs/lineage.md lists its keys. Sending has a queue and a thread of its own, so that a slow receiver does
not hold up other plugins.
"""

from __future__ import annotations

import logging
import queue
import threading
from pathlib import Path

from openlineage.client import OpenLineageClient
from openlineage.client.event_v2 import RunEvent

from dorisette.lineage import LineageInfo, LineagePlugin, LineagePluginFactory, PluginContext

from .event import run_event
from .settings import Settings, read

LOG = logging.getLogger("openlineage-lineage")
NAME = "openlineage"
CLOSE_SECONDS = 3.0


class OpenLineagePlugin(LineagePlugin):
    """Makes an event of each lineage and lets a thread send it."""

    def __init__(self) -> None:
        self._settings = Settings()
        self._client: OpenLineageClient | None = None
        self._waiting: queue.Queue[RunEvent | None] = queue.Queue()
        self._thread = threading.Thread(target=self._send, name="openlineage-sender", daemon=True)

    def name(self) -> str:
        return NAME

    def initialize(self, context: PluginContext) -> None:
        self._settings = read(Path(context.properties["plugin.path"]))
        self._client = OpenLineageClient(transport=self._settings.sender())
        self._waiting = queue.Queue(self._settings.queue_size)
        self._thread.start()

    def event_filter(self) -> bool:
        return True

    def exec(self, info: LineageInfo) -> bool:
        try:
            self._waiting.put_nowait(run_event(info, self._settings))
        except queue.Full:
            LOG.warning("the queue of events to send is full, event %s is lost", info.context.query_id)
            return False
        return True

    def close(self) -> None:
        """Send what waits, for a few seconds."""
        try:
            self._waiting.put(None, timeout=CLOSE_SECONDS)
        except queue.Full:
            return
        self._thread.join(CLOSE_SECONDS)

    def _send(self) -> None:
        while (event := self._waiting.get()) is not None:
            try:
                if self._client is not None:
                    self._client.emit(event)
            except Exception:
                LOG.warning("event of run %s was not sent", event.run.runId, exc_info=True)


class OpenLineageFactory(LineagePluginFactory):
    """Makes the plugin."""

    def name(self) -> str:
        return NAME

    def create(self, context: PluginContext) -> LineagePlugin:
        return OpenLineagePlugin()


LINEAGE_PLUGIN_FACTORY = OpenLineageFactory
