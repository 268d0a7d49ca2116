"""The server as a process: start, refusals to start, signals, logs."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

import pymysql
import pytest
from pymysql.constants import CLIENT

from dorisette.process import ServerProcess
from tests.conftest import Connect, StartServer
from tests.waiting import wait
from tests.wire.processlist import await_running
from tests.wire.raw import connection_id

ROWS = 550
SLOW = "SELECT count(*) FROM d.t a, d.t b, d.t c WHERE (a.k * b.k + c.k) % 10007 = 10006"  # some seconds


def refused(home: Path, *flags: object) -> str:
    """Start a server that must not start; return its one line."""
    words = [sys.executable, "-m", "dorisette", "serve", "--query-port", "0", "--http-port", "0", *map(str, flags)]
    environment = ServerProcess(home)._environment()
    done = subprocess.run(words, cwd=home, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1, done
    (line,) = done.stderr.splitlines()
    return line


def test_a_locked_data_directory(fresh_server: ServerProcess, tmp_path: Path) -> None:
    line = refused(tmp_path, "--data-dir", fresh_server.data_directory)
    assert line.startswith("dorisette: ") and str(fresh_server.data_directory) in line


def test_a_port_in_use(server: ServerProcess, tmp_path: Path) -> None:
    line = refused(tmp_path, "--query-port", server.port)
    assert line == f"dorisette: query_port {server.port} on 127.0.0.1 is already in use"
    line = refused(tmp_path, "--http-port", server.http_port)
    assert line == f"dorisette: http_port {server.http_port} on 127.0.0.1 is already in use"


def test_the_same_port_twice(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
    line = refused(tmp_path, "--query-port", port, "--http-port", port)
    assert line == f"dorisette: http_port {port} on 127.0.0.1 is already in use"


@pytest.mark.parametrize(
    ("conf", "line"),
    [
        ({"enable_table_stream": "maybe"}, "Failed to set config, name: enable_table_stream, value: maybe"),
        ({"sys_log_level": "LOUD"}, "Failed to set config, name: sys_log_level, value: LOUD"),
        ({"meta_dir": "${NO_SUCH_NAME}"}, "no such env variable: NO_SUCH_NAME"),
        ({"sys_log_dir": "/proc/none"}, "cannot write the log in /proc/none: No such file or directory"),
        ({"meta_dir": "/proc/none"}, "cannot open /proc/none: No such file or directory"),
    ],
)
def test_a_bad_conf_value(tmp_path: Path, conf: Mapping[str, str], line: str) -> None:
    file = tmp_path / "fe.conf"
    file.write_text("".join(f"{key} = {value}\n" for key, value in conf.items()), encoding="utf-8")
    assert refused(tmp_path, "--conf", file) == f"dorisette: {line}"


def test_an_unknown_key_is_only_a_warning(start_server: StartServer) -> None:
    server = start_server({"qery_port": "1"})
    output = (server.home / "output.log").read_text()
    assert f"[WARN] Unknown config 'qery_port' in {server.home / 'fe.conf'} is ignored" in output
    assert "dorisette is ready: MySQL on 127.0.0.1:" in output


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_order(start_server: StartServer, how: signal.Signals) -> None:
    server = start_server()
    idle = server.connect()
    with server.connect().cursor() as cursor:
        cursor.execute("CREATE DATABASE kept")
    assert server.stop(how) == 0
    with pytest.raises(pymysql.err.Error):
        idle.ping(reconnect=False)
    assert not [path for path in server.data_directory.rglob("*.wal") if path.stat().st_size]
    log = (server.home / "log" / "fe.log").read_text()
    assert "stopped" in log and "ERROR" not in log
    server.start()
    with server.connect(database="kept").cursor() as cursor:
        cursor.execute("SELECT DATABASE()")
        assert cursor.fetchone() == ("kept",)


def test_a_running_statement_may_end(start_server: StartServer, connect: Connect) -> None:
    server = start_server()
    with connect(server).cursor() as cursor:
        cursor.execute("CREATE DATABASE d")
        cursor.execute("CREATE TABLE d.t (k INT) DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1")
        cursor.execute("INSERT INTO d.t VALUES " + ", ".join(f"({i})" for i in range(ROWS)))
        victim = connect(server)
        answers: list[object] = []
        thread = threading.Thread(target=lambda: answers.append(_answer(victim, SLOW)))
        thread.start()
        await_running(cursor, connection_id(victim))
        assert thread.is_alive()
        assert server.stop() == 0
        thread.join(10)
    keys = range(ROWS)
    assert answers == [(sum((10_006 - a * b) % 10_007 < ROWS for a in keys for b in keys),)]


def _answer(connection: pymysql.connections.Connection, text: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(text)
        return cursor.fetchone()


def test_every_statement_leaves_an_audit_line(start_server: StartServer, connect: Connect) -> None:
    server = start_server()
    with connect(server, autocommit=None, client_flag=CLIENT.MULTI_STATEMENTS).cursor() as cursor:
        cursor.execute("SELECT 1\nAS a; SELECT a FROM (SELECT 1 AS a UNION ALL SELECT 2) t")
        with pytest.raises(pymysql.err.Error, match="Unknown column 'nothing'"):
            cursor.execute("SELECT nothing")
    server.stop()
    lines = (server.home / "log" / "fe.audit.log").read_text().splitlines()
    found = [dict(part.partition("=")[::2] for part in line.split("|")[1:]) for line in lines if "Stmt=SELECT" in line]
    assert [(entry["ReturnRows"], entry["ErrorCode"]) for entry in found[-3:]] == [
        ("1", "0"),
        ("2", "0"),
        ("0", "1105"),
    ]
    assert (
        found[-3]["Stmt"] == r"SELECT 1\nAS a" and found[-3]["User"] == "root" and int(found[-3]["Time(ms)"]) < 60_000
    )
    assert len({entry["QueryId"] for entry in found}) == len(found)


def test_health(server: ServerProcess) -> None:
    with urllib.request.urlopen(f"http://127.0.0.1:{server.http_port}/api/health") as answer:
        body = {"msg": "success", "code": 0, "data": {"online_backend_num": 1, "total_backend_num": 1}, "count": 0}
        assert answer.status == 200 and json.load(answer) == body
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"http://127.0.0.1:{server.http_port}/nothing")
    assert caught.value.code == 404


def test_connections_leave_no_threads(start_server: StartServer) -> None:
    server = start_server()

    def threads() -> int:
        status = Path(f"/proc/{server.pid}/status").read_text()
        return int(status.partition("Threads:")[2].split()[0])

    with server.connect().cursor() as cursor:
        cursor.execute("SELECT 1")
    before = threads()
    for _ in range(20):
        with server.connect().cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.connection.close()
    wait(lambda: threads() <= before)
