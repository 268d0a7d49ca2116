"""Small virtual environments for packaging tests: they see the installed dependencies, but not this checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


class Environment:
    """A virtual environment whose path ends with the site-packages of the tests' own interpreter."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=False, symlinks=True)
        self.python = folder / "bin" / "python"
        self.site = Path(self.run("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
        (self.site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")

    def run(self, *words: str, cwd: Path | None = None) -> str:
        """Run its Python, away from this checkout; returns what it printed."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        done = subprocess.run(
            [str(self.python), *words],
            cwd=cwd or self.python.parent,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, f"{words}: {done.stdout}\n{done.stderr}"
        return done.stdout

    def install(self, *words: str) -> None:
        """Install without dependencies; skips (fails in CI) when the package index does not answer."""
        pip("install", "--no-deps", "--target", str(self.site), *words)


def pip(*words: str) -> None:
    """Run pip of the tests' own interpreter."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *words],
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )
    if done.returncode and "No matching distribution" in done.stderr:
        pytest.skip(f"the package index does not answer: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stderr[-2000:]
