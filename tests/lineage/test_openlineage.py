"""The bundled OpenLineage plugin: what it sends to a file and to a service, and that it holds nobody up."""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from dorisette.lineage import LineageInfo, QueryContext
from server.lineage.loader import load
from server.lineage.plugin import Loaded
from tests.lineage.shop import lineage
from tests.waiting import wait

pytest.importorskip("openlineage.client")

BUNDLED = Path(__file__).resolve().parent.parent.parent / "plugins-available" / "lineage" / "openlineage"
SQL = (
    "INSERT INTO o3 SELECT t.a, SUM(u.x + t.b), IF(MAX(t.c) = 'x', 'big', 'small') FROM t JOIN u ON t.a = u.a"
    " WHERE u.z = 'v' GROUP BY t.a ORDER BY t.a"
)
CONTEXT = QueryContext(
    "InsertIntoTableCommand", "c84e397193a54fe7-bbe9bc219318b75e", SQL, state="OK", timestamp_ms=1_790_000_000_123
)


def plugin(tmp_path: Path, **settings: object) -> Loaded:
    """The plugin with these settings."""
    folder = tmp_path / "lineage" / "openlineage"
    if not folder.exists():
        shutil.copytree(BUNDLED, folder)
    shipped = json.loads((folder / "openlineage.json").read_text(encoding="utf-8"))
    (folder / "openlineage.json").write_text(json.dumps({**shipped, **settings}), encoding="utf-8")
    (loaded,) = load(tmp_path, ["openlineage"])
    return loaded


def event() -> LineageInfo:
    return replace(lineage(SQL), context=CONTEXT)


def sent(tmp_path: Path) -> list[dict[str, Any]]:
    text = (tmp_path / "lineage" / "openlineage" / "openlineage.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_a_run_event_in_a_file(tmp_path: Path) -> None:
    """Run, job, datasets, schema."""
    loaded = plugin(tmp_path)
    loaded.handle(event())
    loaded.close()
    (run,) = sent(tmp_path)
    assert run["eventType"] == "COMPLETE"
    assert run["eventTime"] == "2026-09-21T14:13:20.123+00:00"
    assert run["run"]["runId"] == "c84e3971-93a5-4fe7-bbe9-bc219318b75e"
    assert (run["job"]["namespace"], run["job"]["name"], run["job"]["facets"]) == ("dorisette", "d.o3", {})
    assert [table["name"] for table in run["inputs"]] == ["d.t", "d.u"]
    (target,) = run["outputs"]
    assert (target["namespace"], target["name"]) == ("doris://localhost:9030", "d.o3")
    schema = target["facets"]["schema"]["fields"]
    assert [(field["name"], field["type"]) for field in schema] == [(name, "varchar(50)") for name in "pqr"]


def test_column_lineage(tmp_path: Path) -> None:
    """One input a source column, with all its transformations."""
    loaded = plugin(tmp_path)
    loaded.handle(event())
    loaded.close()
    facet = sent(tmp_path)[0]["outputs"][0]["facets"]["columnLineage"]
    fields = {
        column: {entry["field"]: entry for entry in told["inputFields"]} for column, told in facet["fields"].items()
    }
    assert set(fields["q"]) == {"x", "b"}
    assert fields["q"]["x"]["name"] == "d.u"
    assert fields["q"]["x"]["transformations"] == [
        {"type": "DIRECT", "subtype": "AGGREGATION", "description": "SUM(d.u.x + d.t.b)", "masking": False}
    ]
    assert [entry["subtype"] for entry in fields["p"]["a"]["transformations"]] == ["IDENTITY"]
    assert [(entry["type"], entry["subtype"]) for entry in fields["r"]["c"]["transformations"]] == [
        ("DIRECT", "AGGREGATION"),
        ("INDIRECT", "CONDITIONAL"),
    ]
    whole = {(entry["name"], entry["field"]): entry["transformations"] for entry in facet["dataset"]}
    assert [entry["subtype"] for entry in whole["d.t", "a"]] == ["GROUP_BY", "JOIN", "SORT"]
    assert [entry["description"] for entry in whole["d.u", "z"]] == ["d.u.z = 'v'"]


def test_a_constant_has_no_inputs(tmp_path: Path) -> None:
    loaded = plugin(tmp_path)
    loaded.handle(replace(lineage("INSERT INTO o1 SELECT 'v1' FROM t"), context=CONTEXT))
    loaded.close()
    facet = sent(tmp_path)[0]["outputs"][0]["facets"]["columnLineage"]
    assert facet["fields"] == {"p": {"inputFields": []}}


def test_the_statement_is_sent_on_demand(tmp_path: Path) -> None:
    loaded = plugin(tmp_path, include_sql=True)
    loaded.handle(event())
    loaded.close()
    assert sent(tmp_path)[0]["job"]["facets"]["sql"]["query"] == SQL


class Service(BaseHTTPRequestHandler):
    """Takes events; the first request fails, to be repeated."""

    got: ClassVar[list[tuple[str, dict[str, Any]]]] = []
    failures = 1

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if Service.failures:
            Service.failures -= 1
            self.send_response(503)
        else:
            Service.got.append((self.path, json.loads(body)))
            self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Not here."""


@pytest.fixture
def service() -> Iterator[str]:
    """The address of a service."""
    server = HTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_service_gets_events(tmp_path: Path, service: str) -> None:
    loaded = plugin(tmp_path, transport="http", url=service)
    loaded.handle(event())
    wait(lambda: Service.got, 20)
    loaded.close()
    ((path, run),) = Service.got
    assert path == "/api/v1/lineage"
    assert run["job"]["name"] == "d.o3"


def test_a_service_that_is_away_holds_nobody_up(tmp_path: Path) -> None:
    """Neither an event nor the close."""
    loaded = plugin(tmp_path, transport="http", url="http://127.0.0.1:1", retries=0, queue_size=2)
    start = time.monotonic()
    for _ in range(20):
        loaded.handle(event())
    loaded.close()
    assert time.monotonic() - start < 15


def test_wrong_settings_keep_it_out_of_use(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """And say why."""
    folder = tmp_path / "lineage" / "openlineage"
    shutil.copytree(BUNDLED, folder)
    (folder / "openlineage.json").write_text('{"no_such_key": "http"}', encoding="utf-8")
    assert load(tmp_path, []) == []
    assert "unknown keys no_such_key" in caplog.text
