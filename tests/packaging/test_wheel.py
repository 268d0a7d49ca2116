"""The wheel installs one name only, runs from any folder, and carries its configuration."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import dorisette
from tests.packaging.environment import ROOT, Environment, pip


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for name in ("dorisette", "server", "sql", "storage", "conf", "plugins-available"):
        _copy(ROOT / name, source / name)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        (source / name).write_bytes((ROOT / name).read_bytes())
    pip("wheel", "--no-deps", "--wheel-dir", str(folder), str(source))
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the wheel."""
    environment = Environment(tmp_path_factory.mktemp("environment") / "venv")
    environment.install(str(wheel))
    return environment


def test_everything_lies_below_one_name(wheel: Path) -> None:
    """Top-level packages called sql or server would fight with those of other distributions."""
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
        names = set(archive.namelist())
    assert tops == {"dorisette", f"dorisette-{dorisette.__version__}.dist-info"}
    assert {"dorisette/py.typed", "dorisette/app/conf/fe.conf", "dorisette/app/server/main.py"} <= names
    assert "dorisette/app/plugins_available/lineage/openlineage/openlineage.json" in names
    assert not [name for name in names if name.startswith("dorisette/app/tests")]


def test_the_version_is_printed(installed: Environment) -> None:
    """`dorisette --version` of the installed wheel."""
    assert dorisette.__version__ in installed.run("-m", "dorisette", "--version")


def test_the_installed_server_runs_the_demo(installed: Environment, tmp_path: Path) -> None:
    """The wheel alone is enough for the demo."""
    assert "Second round" in installed.run("-m", "dorisette.demo", cwd=tmp_path)


def test_a_folder_with_foreign_packages_is_no_danger(installed: Environment, tmp_path: Path) -> None:
    """A user's folder may hold packages called server, sql and storage; the server started there does not see them."""
    for name in ("server", "sql", "storage"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise ImportError('a foreign package')\n", encoding="utf-8")
    start_here = "from dorisette.process import *; s = ServerProcess(Path.cwd()); s.start(); print(s.stop())"
    assert installed.run("-c", start_here, cwd=tmp_path).strip() == "0"


def _copy(source: Path, target: Path) -> None:
    for path in source.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            place = target / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(path.read_bytes())
