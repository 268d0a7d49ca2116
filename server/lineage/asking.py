"""Ask plugins whether they want events, without ever hanging in the answer.

Each plugin is asked on a thread of its own, so that one whose event_filter() blocks costs a statement a second, once,
and from then on nothing until it comes back (Doris: Data Lineage; the bound is ours).
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Sequence

from server.lineage.plugin import Loaded

LOG = logging.getLogger(__name__)

PATIENCE = 1.0  # seconds; an answer that takes longer is a no


class Asking:
    """Asks all plugins, from any thread."""

    def __init__(self, plugins: Sequence[Loaded], patience: float = PATIENCE) -> None:
        self._lines = [_Line(plugin, patience) for plugin in plugins]

    def anyone_wants(self) -> bool:
        """Whether one of the plugins wants events now; in name order, until one does."""
        return any(line.wants() for line in self._lines)


class _Line:
    """The line to one plugin."""

    def __init__(self, plugin: Loaded, patience: float) -> None:
        self._plugin = plugin
        self._patience = patience
        self._questions: queue.SimpleQueue[queue.SimpleQueue[bool]] = queue.SimpleQueue()
        threading.Thread(target=self._answer, name=f"lineage-filter-{plugin.name}", daemon=True).start()

    def wants(self) -> bool:
        if self._plugin.hangs.is_set():
            return False
        answer: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._questions.put(answer)
        try:
            return answer.get(timeout=self._patience)
        except queue.Empty:
            return self._give_up()

    def _give_up(self) -> bool:
        if not self._plugin.hangs.is_set():
            self._plugin.hangs.set()
            line = "event_filter() of lineage plugin %s takes longer than %g s, it gets no events until it returns"
            LOG.warning(line, self._plugin.name, self._patience)
        return False

    def _answer(self) -> None:
        while True:
            answer = self._questions.get()
            answer.put(self._plugin.wants())
            self._plugin.hangs.clear()
