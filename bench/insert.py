"""INSERT … VALUES in statements of a thousand rows: against MariaDB over the wire, and against parsing every cell."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pymysql

from bench.measure import Result, Scale, compare
from dorisette.process import HOST, ServerProcess
from sql.dialect import literal_rows
from tests.local import Local

ROWS = 1_000
COLUMNS = "k BIGINT, a VARCHAR(20), b VARCHAR(20), c DECIMAL(12, 2), d INT, e BIGINT, f DATETIME"
OURS = f"CREATE TABLE t ({COLUMNS}) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1"
THEIRS = f"CREATE TABLE t ({COLUMNS}, PRIMARY KEY (k)) ENGINE = InnoDB"
Pair = tuple[Callable[[], object], Callable[[], object]]


def run(folder: Path, scale: Scale) -> Iterator[Result]:
    """Keys that no row has yet, in order; every statement is a commit of its own."""
    count = max(10, scale.batches[1] // ROWS)
    name = f"{count} INSERTs of {ROWS:,} rows / the same, parsed by sqlglot"
    yield compare(name, 1 / 15, _parsed(folder / "local", scale.repeats))
    if shutil.which("mariadbd") is None:
        sys.stderr.write("INSERT against MariaDB is left out: this machine has no mariadbd\n")
        return
    with _ours(folder / "ours") as ours, _mariadb(folder / "mariadb") as theirs:
        pairs = _pairs(ours, theirs, count, scale.repeats)
        yield compare(f"{count} INSERTs of {ROWS:,} rows / MariaDB, over the wire", 1 / 0.6, pairs)


def statement(first: int) -> str:
    """One statement of a thousand rows, the keys from `first` on."""
    rows = (
        f"({k}, 'name {k}', 'town {k % 100}', {k % 1000}.25, {k % 977}, {k * 3}, '2024-01-02 03:04:{k % 60:02}')"
        for k in range(first, first + ROWS)
    )
    return f"INSERT INTO t VALUES {', '.join(rows)}"


def _parsed(folder: Path, repeats: int) -> Iterator[Pair]:
    """One statement by the scanner of literals, and one by the full parser."""
    local = Local(folder)
    session = local.connect()
    session.execute(f"CREATE DATABASE bench; USE bench; {OURS}")

    def parsed(text: str) -> None:
        with patch.object(literal_rows, "read", return_value=None):
            session.execute(text)

    for turn in range(repeats * 3):
        texts = (statement((2 * turn + place) * ROWS) for place in range(2))
        yield partial(session.execute, next(texts)), partial(parsed, next(texts))
    local.close()


def _pairs(ours: pymysql.Connection, theirs: pymysql.Connection, count: int, repeats: int) -> Iterator[Pair]:
    for turn in range(repeats):
        texts = [statement((turn * count + place) * ROWS) for place in range(count)]
        yield partial(_send, ours, texts), partial(_send, theirs, texts)


def _send(connection: pymysql.Connection, texts: Sequence[str]) -> None:
    with connection.cursor() as cursor:
        for text in texts:
            cursor.execute(text)


@contextmanager
def _ours(folder: Path) -> Iterator[pymysql.Connection]:
    server = ServerProcess(folder)
    server.start()
    try:
        with pymysql.connect(host=server.host, port=server.port, user="root", autocommit=True) as connection:
            _send(connection, ("CREATE DATABASE bench", "USE bench", OURS))
            yield connection
    finally:
        server.kill()


@contextmanager
def _mariadb(folder: Path) -> Iterator[pymysql.Connection]:
    """A MariaDB of its own, as it is installed: durable commits, a socket in the folder, no network."""
    data, socket = folder / "data", folder / "socket"
    data.mkdir(parents=True)
    options = [f"--datadir={data}", "--user=root"]
    subprocess.run(
        ["mariadb-install-db", *options, "--auth-root-authentication-method=normal"], check=True, capture_output=True
    )
    command = ["mariadbd", "--no-defaults", *options, f"--socket={socket}", "--skip-networking"]
    with (folder / "log").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as server:
        try:
            with _await(socket, server) as connection:
                _send(connection, ("CREATE DATABASE bench", "USE bench", THEIRS))
                yield connection
        finally:
            server.terminate()


def _await(socket: Path, server: subprocess.Popen[bytes]) -> pymysql.Connection:
    """Connect as soon as it answers."""
    until = time.monotonic() + 60
    while True:
        try:
            return pymysql.connect(host=HOST, unix_socket=str(socket), user="root", autocommit=True)
        except pymysql.err.OperationalError:
            if server.poll() is not None or time.monotonic() > until:
                raise
            time.sleep(0.1)
