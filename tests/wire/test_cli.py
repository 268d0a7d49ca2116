"""The mariadb command line against the real server: batch, table, script, interactive."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import time

import pytest

from dorisette.process import ServerProcess

CLI = shutil.which("mariadb") or shutil.which("mysql")
pytestmark = pytest.mark.skipif(CLI is None, reason="no mariadb or mysql command line")


def words(server: ServerProcess, *options: str) -> list[str]:
    return [str(CLI), "--no-defaults", "-h", server.host, "-P", str(server.port), "-u", "root", *options]


def cli(server: ServerProcess, *options: str, text: str | None = None, code: int = 0) -> str:
    """Run the client and return its output; errors when it fails."""
    done = subprocess.run(words(server, *options), input=text, capture_output=True, text=True, timeout=60)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def test_batch_and_table_output(server: ServerProcess) -> None:
    assert cli(server, "-e", "SELECT 1 AS a, 'x y' AS b, NULL AS c") == "a\tb\tc\n1\tx y\tNULL\n"
    assert cli(server, "-N", "-e", "SELECT 1; SELECT 2") == "1\n2\n"
    assert cli(server, "-t", "-e", "SELECT 10 AS n") == "+------+\n| n    |\n+------+\n|   10 |\n+------+\n"
    assert cli(server, "--quick", "-N", "-e", "SELECT 7") == "7\n"


def test_a_script_on_standard_input(server: ServerProcess, database: str) -> None:
    script = f"""USE {database};
        CREATE TABLE t (k INT, v VARCHAR(9)) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1;
        -- a comment
        INSERT INTO t VALUES (1, 'a'), (2, 'b');
        DELIMITER //
        SELECT count(*) FROM t//
    """
    assert cli(server, "-N", text=script).endswith("2\n")
    assert cli(server, "-N", "-D", database, "-vvv", text="INSERT INTO t VALUES (3, 'c');").count("1 row affected") == 1
    assert cli(server, "-N", "-D", database, "-e", "SELECT * FROM t ORDER BY k") == "1\ta\n2\tb\n3\tc\n"


def test_errors_show_code_and_state(server: ServerProcess, database: str) -> None:
    assert "ERROR 1105 (HY000) at line 1: errCode = 2, detailMessage = " in cli(server, "-e", "SELEC 1", code=1)
    assert "ERROR 1146 (42S02)" in cli(server, "-D", database, "-e", "DESC nothing", code=1)
    assert "ERROR 1049 (42000): Unknown database 'nowhere'" in cli(server, "-D", "nowhere", code=1)
    denied = "ERROR 1045 (28000): Access denied for user 'root@127.0.0.1' (using password: YES)"
    assert denied in cli(server, "-pwrong", "-e", "SELECT 1", code=1)
    assert cli(server, "-f", "-N", text="SELEC 1;\nSELECT 2;\n") == "2\n", "with --force the next statement runs"


def test_local_infile_is_refused(server: ServerProcess, database: str) -> None:
    text = "LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE t"
    assert "ERROR 1148 (42000)" in cli(server, "--local-infile=1", "-D", database, "-e", text, code=1)


def test_interactive_with_completion_of_names(server: ServerProcess, database: str) -> None:
    """At a terminal the client asks for the version, the tables, and by COM_FIELD_LIST for their columns."""
    cli(server, "-D", database, "-e", "CREATE TABLE t (k INT, v INT) DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1")
    master, slave = pty.openpty()
    process = subprocess.Popen(words(server, "--auto-rehash", database), stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    try:
        greeting = _until(master, "]> ")
        assert "Server version: 5.7.99" in greeting and "Doris" in greeting
        os.write(master, b"SELECT 'al' 'ive', 40 + 2 AS sum;\n")
        assert re.search(r"\|\s+42 \|", _until(master, "1 row in set"))
        os.write(master, b"status\n")
        assert "Connection id:" in _until(master, "Threads:")
        os.write(master, b"exit\n")
        _until(master, "Bye")
        assert process.wait(10) == 0
    finally:
        process.kill()
        os.close(master)


def _until(terminal: int, text: str) -> str:
    """Read a terminal until a text appears."""
    seen, end = "", time.monotonic() + 20
    while text not in seen:
        assert time.monotonic() < end, seen
        if select.select([terminal], [], [], 1)[0]:
            seen += os.read(terminal, 1 << 16).decode("utf-8", "replace")
    return seen
