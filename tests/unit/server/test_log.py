"""Log files look like Doris's, and an audit line stays one line."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from server import audit, log


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Path]:
    """Both logs open in a folder; afterwards logging is as before."""
    root = logging.getLogger()
    before = list(root.handlers), root.level
    log.configure(tmp_path / "log", "warn")
    yield tmp_path / "log"
    for logger, kept in ((root, before[0]), (audit.AUDIT, [])):
        for handler in [handler for handler in logger.handlers if handler not in kept]:
            logger.removeHandler(handler)
            handler.close()
    root.setLevel(before[1])
    audit.AUDIT.propagate = True


def test_fe_log(files: Path) -> None:
    logging.getLogger("server.x").info("too low")
    logging.getLogger("server.x").warning("text")
    (line,) = (files / "fe.log").read_text().splitlines()
    form = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} WARN \(MainThread\|\d+\) \[test_log\.test_fe_log\(\):\d+\] text"
    assert re.fullmatch(form, line)


def test_audit_line(files: Path) -> None:
    audit.record(audit.Entry("q-1", "root", "127.0.0.1", None, 12, 3, 1105, " SELECT\n'a\\n|'\r\n;"))
    (line,) = (files / "fe.audit.log").read_text().splitlines()
    assert line.partition(" [query] ")[2] == (
        "|QueryId=q-1|User=root|Client=127.0.0.1|Db=|Time(ms)=12|ReturnRows=3|State=ERR|ErrorCode=1105"
        r"|Stmt=SELECT\n'a\\n|'\r\n;"
    )
    assert not (files / "fe.log").read_text()


def test_an_unknown_level_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="LOUD"):
        log.configure(tmp_path, "LOUD")


@pytest.mark.parametrize(
    ("statement", "written"),
    [
        (
            "CREATE USER 'u'@'%' IDENTIFIED BY 'it\\'s' COMMENT 'c'",
            "CREATE USER 'u'@'%' IDENTIFIED BY '*XXX' COMMENT 'c'",
        ),
        ('alter user u identified\n by password "*AB"', "alter user u identified\\n by password '*XXX'"),
        ("SET PASSWORD FOR 'u'@'h' = PASSWORD('x')", "SET PASSWORD FOR 'u'@'h' = PASSWORD('*XXX')"),
        ("SET PASSWORD = '*AB'", "SET PASSWORD = '*XXX'"),
        ("SELECT password FROM t WHERE name = 'x'", "SELECT password FROM t WHERE name = 'x'"),
    ],
)
def test_passwords_are_not_written(files: Path, statement: str, written: str) -> None:
    audit.record(audit.Entry("q", "u", "h", "d", 0, 0, 0, statement))
    assert (files / "fe.audit.log").read_text().rstrip("\n").endswith(f"|Stmt={written}")
