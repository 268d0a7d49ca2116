"""A plugin that writes each event as one JSON line beside itself, and the reading of those lines."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from dorisette.process import ServerProcess

SOURCE = """
import json
from pathlib import Path

from dorisette.lineage import LineageInfo, LineagePlugin, LineagePluginFactory, PluginContext


class Recording(LineagePlugin):
    def name(self) -> str:
        return "recording"

    def initialize(self, context: PluginContext) -> None:
        self.path = Path(context.properties["plugin.path"])

    def event_filter(self) -> bool:
        return not (self.path / "unwanted").exists()

    def exec(self, info: LineageInfo) -> bool:
        with (self.path / "events.jsonl").open("a") as file:
            file.write(json.dumps(info.to_dict()) + "\\n")
        return True

    def close(self) -> None:
        (self.path / "closed").touch()


class RecordingFactory(LineagePluginFactory):
    def name(self) -> str:
        return "recording"

    def create(self, context: PluginContext) -> LineagePlugin:
        return Recording()


LINEAGE_PLUGIN_FACTORY = RecordingFactory
"""

Event = dict[str, Any]


def plugin_folder(home: Path, name: str, source: str) -> Path:
    """Put a plugin of one module where a server with this home finds it."""
    folder = home / "plugins" / "lineage" / name
    folder.mkdir(parents=True)
    (folder / "plugin.py").write_text(source, encoding="utf-8")
    return folder


class Recorder:
    """A server with the recording plugin."""

    def __init__(self, home: Path) -> None:
        self.folder = plugin_folder(home, "recording", SOURCE)
        self.server = ServerProcess(home)
        self._seen = 0

    def events(self, count: int, seconds: float = 5.0) -> list[Event]:
        """The events since the last call: `count` of them within the time, or what has come by then.

        For none it waits a moment for one that should not come.
        """
        deadline = time.monotonic() + (seconds if count else 0.3)
        while len(lines := self._lines()) < self._seen + max(count, 1) and time.monotonic() < deadline:
            time.sleep(0.01)
        new, self._seen = lines[self._seen :], len(lines)
        return [json.loads(line) for line in new]

    def _lines(self) -> list[str]:
        path = self.folder / "events.jsonl"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        return text[: text.rfind("\n") + 1].splitlines()
