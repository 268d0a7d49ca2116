"""The first screen of README.md is true: its commands exist, its SQL runs, its output is what the demo prints."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tomllib

import pytest

import dorisette
from dorisette import box, demo
from dorisette.process import ServerProcess
from tests.conftest import Connect
from tests.docs.block import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


@pytest.fixture
def played(server: ServerProcess) -> str:
    """What the demo prints."""
    out = io.StringIO()
    demo.run(server.host, server.port, out)
    return out.getvalue()


def test_the_output_is_the_demo_s(played: str) -> None:
    """The block on the first screen stands in the demo's output, letter by letter."""
    (shown,) = _blocks("text")
    assert shown in played
    assert README.index(shown) < 2500


def test_the_demo_ends_with_target_and_base_equal_and_no_lag(played: str) -> None:
    """The last three answers: target, base, lag 0."""
    target, base, lag = [part for part in played.split("mysql> ") if part.startswith("SELECT")][-3:]
    assert target.split(";", 1)[1] == base.split(";", 1)[1]
    assert re.search(r"\| orders_stream \| orders \| 0 +\|", lag)


def test_the_sql_runs(server: ServerProcess, connect: Connect) -> None:
    """Statement by statement, as a user would paste it."""
    (text,) = _blocks("sql")
    with connect(server).cursor() as cursor:
        cursor.execute("DROP DATABASE IF EXISTS shop FORCE")
        for statement in re.sub(r"^--.*$", "", text, flags=re.MULTILINE).split(";"):
            if statement.strip():
                cursor.execute(statement)
        rows = cursor.fetchall()
        cursor.execute("DROP DATABASE shop FORCE")
    assert rows == ((1, "created"),)


def test_the_make_targets_exist() -> None:
    """Every `make word` of README and the testing page is a target."""
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    pages = README + (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?:^|`)make ([a-z]+)", pages, re.MULTILINE))
    assert {"run", "serve", "test", "check"} <= named <= targets
    assert {"help", "bench"} <= targets


def test_the_way_without_make_is_that_of_make() -> None:
    """The extras exist, and pytest is called as `make test` calls it."""
    pages = README + (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = set(re.findall(r"pip install [^`\n]*\[(\w+)\]", pages))
    assert {"test", "dev"} <= extras <= set(project["optional-dependencies"])
    (command,) = re.findall(r"(-m pytest .*) \$\(ARGS\)", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert pages.count(command.replace("$(JOBS)", "2")) == 2


def test_the_demo_command_plays_against_a_running_server(server: ServerProcess) -> None:
    """`dorisette demo --port N`, as a program."""
    words = [sys.executable, "-m", "dorisette", "demo", "--host", server.host, "--port", str(server.port)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert box.summary(4) in done.stdout


def test_the_changelog_knows_this_version() -> None:
    """CHANGELOG.md begins with it."""
    heads = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert heads[0] == dorisette.__version__
