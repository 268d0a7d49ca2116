"""A plugin in use: its name, its folder, and calls of its methods that cannot fail."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path

from dorisette.lineage import LineageInfo, LineagePlugin
from server.lineage.guard import guarded

_EVENT = "encounter exception when processing lineage event %s, ignore (plugin %s)"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A plugin that was initialized; `hangs` is set while an event_filter() of it does not come back (asking.py)."""

    name: str
    path: Path
    plugin: LineagePlugin
    hangs: threading.Event = field(default_factory=threading.Event)

    def wants(self) -> bool:
        """What event_filter() says before an extraction; a plugin that raises does not want."""
        line = "event_filter() of lineage plugin %s failed"
        return guarded(lambda: bool(self.plugin.event_filter()), False, line, self.name)

    def handle(self, info: LineageInfo) -> None:
        """Ask again, then hand over; what exec() returns does not matter."""
        if self.hangs.is_set():
            return
        query_id = info.context.query_id
        if guarded(lambda: bool(self.plugin.event_filter()), False, _EVENT, query_id, self.name):
            guarded(lambda: self.plugin.exec(info), False, _EVENT, query_id, self.name)

    def close(self) -> None:
        """Let the plugin go; close() is optional."""
        close = getattr(self.plugin, "close", None)
        if close is not None:
            guarded(close, None, "close() of lineage plugin %s failed", self.name)
