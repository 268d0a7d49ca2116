"""A server with plugins that do everything wrong: statements work, the log tells, the good plugin gets its events."""

from __future__ import annotations

import time
from pathlib import Path

import pymysql
import pytest

from dorisette.process import ServerProcess
from tests.lineage.recording import Recorder, plugin_folder
from tests.lineage.test_loader import named
from tests.waiting import wait

LAYOUT = "DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1"
RAISING = """
class Plugin:
    def __getattr__(self, name):
        def method(*words):
            if name in ("initialize", "name"):
                return "raising"
            raise SystemExit(f"{name} fails")
        return method

class Factory:
    def name(self): return "raising"
    def create(self, context): return Plugin()

LINEAGE_PLUGIN_FACTORY = Factory
"""
HANGING_FILTER = named("aa-filter").replace("return True\n    def exec", "import time; time.sleep(1e6)\n    def exec")
HANGING_EXEC = named("zz-exec").replace("return True\n    def close(self): pass", "import time; time.sleep(1e6)")
NONSENSE = named("nonsense").replace("return True", "return object()")


def log(server: ServerProcess) -> str:
    return (server.home / "log" / "fe.log").read_text(encoding="utf-8")


def inserts(server: ServerProcess, count: int) -> float:
    """Run INSERT … SELECT so many times; gives the seconds of the slowest."""
    slowest = 0.0
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE IF NOT EXISTS d")
        cursor.execute("USE d")
        cursor.execute(f"CREATE TABLE IF NOT EXISTS t (k INT) {LAYOUT}")
        for _ in range(count):
            start = time.monotonic()
            cursor.execute("INSERT INTO t SELECT k FROM t")
            slowest = max(slowest, time.monotonic() - start)
    return slowest


def test_all_kinds_of_bad_plugins_together(tmp_path: Path) -> None:
    """The recorder, between them in name order, gets all events; the server ends in order."""
    recorder = Recorder(tmp_path)
    sources = {
        "raising": RAISING,
        "nonsense": NONSENSE,
        "syntax": "def broken(:",
        "library": "import no_such_library",
        "twin": named("recording"),
        "exit": "raise SystemExit",
        "hanging-exec": HANGING_EXEC,
        "empty": "",
    }
    for name, source in sources.items():
        plugin_folder(tmp_path, f"z-{name}", source)
    server = recorder.server
    try:
        server.start()
        assert inserts(server, 1) < 20
        assert len(wait(recorder.recorded)) == 1
        text = log(server)
        for stage, folder in (
            ("instantiate", "syntax"),
            ("instantiate", "library"),
            ("instantiate", "exit"),
            ("conflict", "twin"),
            ("discover", "empty"),
        ):
            assert f"{folder}, stage={stage}, message=" in text
        assert "ignore (plugin raising)" in text
        inserts(server, 3)
        start = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - start < 15
        assert "the lineage worker (plugin zz-exec) is not done after 5 s, 3 waiting events are lost" in log(server)
    finally:
        server.kill()


def test_a_hanging_filter_and_a_full_queue(tmp_path: Path) -> None:
    """Statements wait a second once; the queue says what it loses."""
    plugin_folder(tmp_path, "a", HANGING_FILTER)
    plugin_folder(tmp_path, "b", HANGING_EXEC)
    server = ServerProcess(tmp_path, {"lineage_event_queue_size": "2"})
    try:
        server.start()
        inserts(server, 8)
        text = log(server)
        assert text.count("the lineage event queue is full with size 2, discard the lineage event: ") == 5
        assert text.count("event_filter() of lineage plugin aa-filter takes longer than 1 s") == 1
    finally:
        server.kill()


def test_a_queue_size_that_is_none(tmp_path: Path) -> None:
    """The server does not start."""
    for value in ("0", "-1", "many"):
        server = ServerProcess(tmp_path, {"lineage_event_queue_size": value})
        server.launch()
        assert server.wait() != 0
        output = (tmp_path / "output.log").read_text(encoding="utf-8")
        assert f"Failed to set config, name: lineage_event_queue_size, value: {value}" in output


def test_events_that_wait_are_handled_at_the_stop(tmp_path: Path) -> None:
    """And close() is called afterwards."""
    recorder = Recorder(tmp_path)
    slow = "import time; time.sleep(0.1); return True\n    def close(self): pass"
    plugin_folder(tmp_path, "slow", named("slow").replace("return True\n    def close(self): pass", slow))
    try:
        recorder.server.start()
        inserts(recorder.server, 10)
        assert recorder.server.stop() == 0
        assert len(recorder.recorded()) == 10
        assert (recorder.folder / "closed").exists()
        assert "Loaded lineage plugin: slow" in log(recorder.server)
    finally:
        recorder.server.kill()


def test_a_plugin_is_not_loaded_at_run_time(tmp_path: Path) -> None:
    """The three keys cannot be changed, and a new folder means nothing before the restart."""
    server = ServerProcess(tmp_path)
    try:
        server.start()
        with server.connect() as connection, connection.cursor() as cursor:
            cursor.execute("ADMIN SHOW FRONTEND CONFIG LIKE '%lineage%'")
            rows = {row[0]: row[3] for row in cursor.fetchall()}
            assert rows == {"activate_lineage_plugin": "false", "lineage_event_queue_size": "false"}
            for key in ("plugin_dir", "activate_lineage_plugin", "lineage_event_queue_size"):
                with pytest.raises(pymysql.Error, match=f"Config '{key}' is not mutable"):
                    cursor.execute(f'ADMIN SET FRONTEND CONFIG ("{key}" = "1")')
    finally:
        server.kill()
