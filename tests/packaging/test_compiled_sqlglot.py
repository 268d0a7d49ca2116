"""The server works where sqlglot's compiled build is installed: the launcher takes the Python sources only."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from tests.packaging.environment import ROOT, Environment


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with sqlglot and its compiled parts."""
    environment = Environment(tmp_path_factory.mktemp("environment") / "venv")
    number = version("sqlglot")
    environment.install(f"sqlglot=={number}", f"sqlglotc=={number}")
    return environment


def test_the_compiled_parser_is_really_there(compiled: Environment) -> None:
    """Without the launcher this environment imports the compiled parser; otherwise the next test shows nothing."""
    assert compiled.run("-c", "import sqlglot.parser; print(sqlglot.parser.__file__)").strip().endswith(".so")


def test_the_server_runs_the_demo_beside_it(compiled: Environment, tmp_path: Path) -> None:
    """All statements of the demo parse and run."""
    (compiled.site / "checkout.pth").write_text(f"{ROOT}\n", encoding="utf-8")
    assert "Second round" in compiled.run("-m", "dorisette.demo", cwd=tmp_path)
