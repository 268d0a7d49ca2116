"""pyproject.toml names every package folder, and nothing else; the walls are drawn for the packages that exist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import dorisette

ROOT = Path(__file__).resolve().parent.parent.parent
PROJECT = ROOT / "pyproject.toml"
MODULES = [path for layer in ("server", "sql", "storage") for path in (ROOT / layer).rglob("*.py")]


def project() -> dict[str, Any]:
    """The parsed pyproject.toml."""
    return tomllib.loads(PROJECT.read_text(encoding="utf-8"))


def test_the_list_of_packages_is_the_list_of_folders(request: pytest.FixtureRequest) -> None:
    """A folder with modules below server, sql and storage is shipped as dorisette.app.<folder>."""
    folders = {path.parent.relative_to(ROOT).as_posix().replace("/", ".") for path in MODULES}
    data = {"dorisette.app.conf", "dorisette.app.plugins_available"}
    wanted = sorted({"dorisette"} | data | {f"dorisette.app.{folder}" for folder in folders})
    if request.config.getoption("--update"):
        lines = "".join(f'    "{package}",\n' for package in wanted)
        text = re.sub(
            r"^packages = \[\n.*?^\]", f"packages = [\n{lines}]", PROJECT.read_text("utf-8"), flags=re.M | re.S
        )
        PROJECT.write_text(text, encoding="utf-8")
    assert project()["tool"]["setuptools"]["packages"] == wanted


def test_every_package_folder_has_an_init_file() -> None:
    """Import-linter and setuptools see regular packages only."""
    missing = {path.parent for path in MODULES if not (path.parent / "__init__.py").exists()}
    assert not missing


def test_only_one_place_says_the_version() -> None:
    """The version of the distribution is dorisette.__version__."""
    settings = project()
    assert settings["project"]["dynamic"] == ["version"]
    assert settings["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "dorisette.__version__"}
    assert dorisette.__version__.count(".") == 2


def test_the_compiled_parser_is_never_asked_for() -> None:
    """sqlglot's compiled build cannot be subclassed (docs/decisions/0001-parser.md)."""
    settings = project()["project"]
    lists = [settings["dependencies"], *settings["optional-dependencies"].values()]
    assert not [line for lines in lists for line in lines if "sqlglot[" in line or line.startswith("sqlglotc")]
