"""docs/lineage.md is true: its plugin works, its example is what comes, its links and the bundled line hold."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from dorisette.process import ServerProcess
from tests.waiting import wait

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = (ROOT / "docs" / "lineage.md").read_text(encoding="utf-8")
LAYOUT = "DUPLICATE KEY({0}) DISTRIBUTED BY HASH({0}) BUCKETS 1"
SETUP = (
    "CREATE DATABASE shop",
    "USE shop",
    f"CREATE TABLE orders (id INT, customer INT, status VARCHAR(9), amount INT) {LAYOUT.format('id')}",
    f"CREATE TABLE customers (id INT, level VARCHAR(9)) {LAYOUT.format('id')}",
    f"CREATE TABLE totals (status VARCHAR(9), n BIGINT, size VARCHAR(9)) {LAYOUT.format('status')}",
)


def block(language: str) -> str:
    """The one block of that language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def test_the_plugin_and_the_example_of_the_page(tmp_path: Path) -> None:
    """The plugin as printed writes the event as printed; the bundled one its line."""
    lineage = tmp_path / "plugins" / "lineage"
    (lineage / "my-first").mkdir(parents=True)
    (lineage / "my-first" / "plugin.py").write_text(block("python"), encoding="utf-8")
    shutil.copytree(ROOT / "plugins-available" / "lineage" / "example-lineage", lineage / "example-lineage")
    server = ServerProcess(tmp_path)
    try:
        server.start()
        with server.connect() as connection, connection.cursor() as cursor:
            for statement in (*SETUP, block("sql")):
                cursor.execute(statement)
        path = lineage / "my-first" / "events.jsonl"
        event = json.loads(wait(lambda: text if path.exists() and (text := path.read_text("utf-8")) else None))
        log = server.home / "log" / "fe.log"
        line = wait(lambda: next((x for x in log.read_text("utf-8").splitlines() if "LINEAGE_EVENT" in x), None))
    finally:
        server.kill()
    wanted = json.loads(block("json"))
    for key in ("query_id", "query_text", "timestamp_ms", "duration_ms"):
        wanted["context"][key] = event["context"][key]
    assert event == wanted
    assert event["context"]["query_text"] == block("sql").strip()
    assert "direct={n=[AGGREGATION COUNT(*)], size=[AGGREGATION IF(" in line
    assert f"queryId={event['context']['query_id']} command=InsertIntoTableCommand user=root" in line
    assert "SELECT" not in line


def test_the_page_describes_all_keys_of_the_openlineage_plugin() -> None:
    """And no others."""
    shipped = json.loads((ROOT / "plugins-available/lineage/openlineage/openlineage.json").read_text(encoding="utf-8"))
    assert not [key for key in shipped if f"`{key}`" not in PAGE]
