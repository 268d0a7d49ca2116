"""A large result over the wire against fetchall() of the same query; start-up time and memory of the server."""

from __future__ import annotations

import socket
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pymysql
from pymysql.constants import COMMAND

from bench.measure import Result, Scale, compare, seconds
from bench.stream import numbers
from dorisette.process import ServerProcess

_WIDE = (
    "SELECT n AS c1, CAST(n AS INT) AS c2, n * 0.5 AS c3, CAST(n AS DECIMAL(12, 2)) AS c4, concat('name ', n) AS c5,"
    " concat('town ', n % 100) AS c6, concat('a longer text of row ', n) AS c7, CAST('2024-01-02' AS DATE) AS c8,"
    " CAST('2024-01-02 03:04:05' AS DATETIME) AS c9, n % 2 = 0 AS c10"
)
_QUERY = "SELECT c1, c2, c3, c4, c5, c6, c7, c8, c9, c10 FROM wide"
_TYPES = (
    "c1 BIGINT, c2 INT, c3 DOUBLE, c4 DECIMAL(12, 2), c5 VARCHAR(30), c6 VARCHAR(30), c7 VARCHAR(60), c8 DATE,"
    " c9 DATETIME, c10 BOOLEAN"
)


def run(folder: Path, scale: Scale) -> Iterator[Result]:
    """Start-up, idle memory, the result, peak memory."""
    starts = [_start(folder / f"start{number}") for number in range(scale.repeats)]
    yield Result("start of the process to its first answer", statistics.median(starts) * 1000, None, 1500)
    server = ServerProcess(folder / "wire")
    server.start()
    try:
        yield Result("memory, idle", _memory(server, "VmRSS"), None, None, "MB")
        _fill_ours(server, scale)
        plain = _fill_plain(folder / "wide.duckdb", scale)
        with _session(server) as session:
            pairs: list[tuple[Callable[[], object], Callable[[], object]]] = [
                (lambda: drain(session, _QUERY, scale.result), lambda: plain.execute(_QUERY).fetchall())
            ] * scale.repeats
            yield compare(f"result of {scale.result:,} x 10 / fetchall() of the same", 0.4, pairs)
        yield Result("memory, peak of the above", _memory(server, "VmHWM"), None, None, "MB")
    finally:
        server.kill()


@contextmanager
def _session(server: ServerProcess) -> Iterator[socket.socket]:
    """A socket that PyMySQL has logged in and that is then used without it; PyMySQL closes it in the end."""
    raw = socket.create_connection((server.host, server.port))
    with pymysql.Connection(user="root", database="bench", defer_connect=True) as connection:
        connection.connect(raw)
        yield raw


def drain(session: socket.socket, query: str, rows: int) -> int:
    """Send a query and receive its packets without decoding them: the server's own pace. Returns the bytes.

    The end is an EOF packet at the end of what arrived, once more has arrived than the rows' packet headers alone.
    """
    command = bytes([COMMAND.COM_QUERY]) + query.encode()
    session.sendall(len(command).to_bytes(3, "little") + b"\x00" + command)
    buffer, received = bytearray(1 << 20), 0
    while True:
        count = session.recv_into(buffer)
        if count == 0:
            raise ConnectionError("the server closed the connection")
        received += count
        last = bytes(buffer[max(0, count - 9) : count])
        if received > rows * 20 and last[:3] == b"\x05\x00\x00" and last[4:5] == b"\xfe":
            return received


def _start(folder: Path) -> float:
    server = ServerProcess(folder)
    try:
        return seconds(server.start)
    finally:
        server.kill()


def _memory(server: ServerProcess, key: str) -> float:
    """A memory figure of the process from /proc, in MB."""
    for line in Path(f"/proc/{server.pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith(key):
            return int(line.split()[1]) / 1024
    return float("nan")


def _fill_ours(server: ServerProcess, scale: Scale) -> None:
    with server.connect() as connection, connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE bench")
        cursor.execute("USE bench")
        cursor.execute("CREATE TABLE digit (d BIGINT) DUPLICATE KEY(d) DISTRIBUTED BY HASH(d) BUCKETS 1")
        cursor.execute(f"INSERT INTO digit VALUES {', '.join(f'({number})' for number in range(10))}")
        cursor.execute(f"CREATE TABLE wide ({_TYPES}) DUPLICATE KEY(c1) DISTRIBUTED BY HASH(c1) BUCKETS 1")
        cursor.execute(f"INSERT INTO wide {_WIDE} FROM {numbers(scale.result)}")


def _fill_plain(path: Path, scale: Scale) -> duckdb.DuckDBPyConnection:
    plain = duckdb.connect(str(path))
    plain.execute(f"CREATE TABLE wide ({_TYPES})")
    plain.execute("CREATE TABLE digit AS SELECT range AS d FROM range(10)")
    plain.execute(f"INSERT INTO wide {_WIDE} FROM {numbers(scale.result)}")
    return plain
