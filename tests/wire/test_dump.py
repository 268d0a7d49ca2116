"""mariadb-dump with its own defaults: it reads a database whole, and its text makes the tables again."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from dorisette.process import ServerProcess
from tests.wire.test_cli import cli

DUMP = shutil.which("mariadb-dump") or shutil.which("mysqldump")
pytestmark = pytest.mark.skipif(DUMP is None, reason="no mariadb-dump or mysqldump command line")

TABLES = """
    CREATE TABLE t (k INT, v VARCHAR(20), d DATETIME, f DOUBLE) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1;
    CREATE TABLE empty (k BIGINT NOT NULL AUTO_INCREMENT, v JSON) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1;
    INSERT INTO t VALUES (1, 'it''s', '2024-01-01 00:00:00', 1.5), (2, NULL, NULL, NULL);
"""


def dumped(server: ServerProcess, *options: str) -> str:
    address = ("--no-defaults", "-h", server.host, "-P", str(server.port), "-u", "root")
    done = subprocess.run([str(DUMP), *address, *options], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_dump_is_whole_and_can_be_read_in_again(server: ServerProcess, database: str) -> None:
    cli(server, "-D", database, text=TABLES)
    text = dumped(server, database)
    assert "Dump completed" in text
    cli(server, "-D", database, "-e", "DROP TABLE t; DROP TABLE empty")
    cli(server, "-D", database, text=text)
    assert cli(server, "-N", "-D", database, "-e", "SHOW TABLES") == "empty\nt\n"
    rows = "1\tit's\t2024-01-01 00:00:00\t1.5\n2\tNULL\tNULL\tNULL\n"
    assert cli(server, "-N", "-D", database, "-e", "SELECT * FROM t ORDER BY k") == rows


def test_a_dump_holds_views_and_databases(server: ServerProcess, database: str) -> None:
    cli(server, "-D", database, "-e", f"{TABLES}; CREATE VIEW v AS SELECT k FROM t")
    text = dumped(server, "--routines", "--events", "--databases", database)
    assert f"USE `{database}`;" in text and "CREATE VIEW `v` (`k`) AS SELECT k FROM t" in text
