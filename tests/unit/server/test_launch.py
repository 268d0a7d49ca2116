"""The launcher: sqlglot from its sources only, the packages first on the path, the command line."""

from __future__ import annotations

import importlib.machinery
import sys
from pathlib import Path

import pytest

from dorisette import __version__, launch
from dorisette.__main__ import main


def test_compiled_modules_are_not_seen(tmp_path: Path) -> None:
    package = tmp_path / "sqlglot"
    package.mkdir()
    suffix = importlib.machinery.EXTENSION_SUFFIXES[0]
    for name in ("__init__.py", f"__init__{suffix}", "parser.py", f"parser{suffix}", f"only{suffix}"):
        (package / name).write_bytes(b"")
    finder = launch.SourceOnlyFinder()
    top = finder.find_spec("sqlglot", [str(tmp_path)])
    inner = finder.find_spec("sqlglot.parser", [str(package)])
    assert top and top.origin == str(package / "__init__.py")
    assert inner and inner.origin == str(package / "parser.py")
    assert finder.find_spec("sqlglot.only", [str(package)]) is None


def test_other_packages_are_not_touched(tmp_path: Path) -> None:
    (tmp_path / "sqlglotc.py").write_text("")
    assert launch.SourceOnlyFinder().find_spec("sqlglotc", [str(tmp_path)]) is None


def test_prepare_is_done_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["/elsewhere"])
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    launch.prepare()
    launch.prepare()
    assert sys.path == [str(launch.application_folder()), "/elsewhere"]
    assert sum(isinstance(finder, launch.SourceOnlyFinder) for finder in sys.meta_path) == 1
    assert (launch.application_folder() / "server" / "main.py").is_file()


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0 and capsys.readouterr().out == f"dorisette {__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["serve", "--query-port", "x"], ["dance"]])
def test_a_wrong_command_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2 and "usage: dorisette" in capsys.readouterr().err


def test_the_demo_without_a_server(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--port", "1"]) == 1
    assert capsys.readouterr().err.startswith("dorisette: the demo failed: ")
