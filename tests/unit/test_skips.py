"""Where everything is required, nothing that is skipped passes: no test, no fixture, no module (tests/conftest.py)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SKIPS = {
    "mark": "@pytest.mark.skip\ndef test_it(): pass",
    "call": "def test_it(): pytest.skip('no server')",
    "fixture": "@pytest.fixture\ndef it(): pytest.skip('no server')\ndef test_it(it): pass",
    "module": "pytest.skip('no server', allow_module_level=True)",
    "import": "pytest.importorskip('no_such_module')",
}
EXPECTED = {"xfail": "@pytest.mark.xfail\ndef test_it(): assert False", "fine": "def test_it(): pass"}
OPTIONS = ("-q", "-rA", "--continue-on-collection-errors", "-p", "tests.conftest", "-c", os.devnull)


def _run(folder: Path, required: str) -> dict[str, set[str]]:
    """The files above by what pytest calls them, under the rules of this suite."""
    for name, code in {**SKIPS, **EXPECTED}.items():
        (folder / f"{name}.py").write_text(f"import pytest\n{code}\n", encoding="utf-8")
    files = [str(path) for path in sorted(folder.glob("*.py"))]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *OPTIONS, f"--rootdir={folder}", *files],
        cwd=ROOT,
        env={**os.environ, "DORISETTE_REQUIRE_ALL": required, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    summary = done.stdout.partition("short test summary info")[2].splitlines()
    called: dict[str, set[str]] = {}
    for line in summary:
        called.setdefault(line.split(" ")[0], set()).update(
            name for name in (*SKIPS, *EXPECTED) if f"{name}.py" in line
        )
    return called


def test_a_skip_fails_where_everything_is_required(tmp_path: Path) -> None:
    """An expected failure says something about the code and stays what it is."""
    called = _run(tmp_path, "1")
    assert called["FAILED"] | called["ERROR"] == set(SKIPS)
    assert (called["XFAIL"], called["PASSED"], called.get("SKIPPED")) == ({"xfail"}, {"fine"}, None)


def test_elsewhere_a_skip_is_a_skip(tmp_path: Path) -> None:
    """What a machine lacks is told there, and no failure."""
    called = _run(tmp_path, "")
    assert called["SKIPPED"] == set(SKIPS)
    assert (called["XFAIL"], called["PASSED"]) == ({"xfail"}, {"fine"})
    assert not called.keys() & {"FAILED", "ERROR"}
