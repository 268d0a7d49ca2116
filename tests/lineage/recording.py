"""A plugin that writes each event as one JSON line beside itself, and the reading of those lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dorisette.process import ServerProcess
from tests.waiting import wait

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
        self._seen = self._marks = 0

    def events(self) -> list[Event]:
        """All events of the statements since the last call, neither one too few nor one too many.

        Events come in the order of their statements, so those are all that come before the event of a mark.
        """
        mark = self._mark()
        found: list[Event] = []
        while not found or found[-1]["context"]["query_text"] != mark:
            found += wait(self.recorded)
        return found[:-1]

    def recorded(self) -> list[Event]:
        """The events that have come since the last call, as far as they are written."""
        lines = self._lines()
        new, self._seen = lines[self._seen :], len(lines)
        return [json.loads(line) for line in new]

    def _mark(self) -> str:
        self._marks += 1
        mark = f"INSERT INTO recorder.mark SELECT k FROM recorder.mark WHERE k = {self._marks}"
        with self.server.connect() as connection, connection.cursor() as cursor:
            cursor.execute("CREATE DATABASE IF NOT EXISTS recorder")
            cursor.execute("CREATE TABLE IF NOT EXISTS recorder.mark (k INT) DISTRIBUTED BY HASH(k) BUCKETS 1")
            cursor.execute(mark)
        return mark

    def _lines(self) -> list[str]:
        path = self.folder / "events.jsonl"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        return text[: text.rfind("\n") + 1].splitlines()
