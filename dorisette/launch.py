"""Make the server's packages importable in this process; before this nothing of them may be imported.

A checkout has `server`, `sql` and `storage` beside this package, a wheel below `dorisette/app`. sqlglot is
imported from its source files only: the compiled build of `sqlglot[c]` forbids the subclasses that the dialect
consists of (docs/decisions, parser). No server code is known here.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType

_SOURCE_ONLY = "sqlglot"


class SourceOnlyFinder(MetaPathFinder):
    """Finds sqlglot's modules as .py files, whatever compiled files lie beside them."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Answer for sqlglot and everything below it, for nothing else."""
        if fullname.partition(".")[0] != _SOURCE_ONLY:
            return None
        specs = (_finder(entry).find_spec(fullname, target) for entry in (sys.path if path is None else path))
        return next((spec for spec in specs if spec is not None and spec.loader is not None), None)


@cache
def _finder(entry: str) -> FileFinder:
    return FileFinder(entry, (SourceFileLoader, SOURCE_SUFFIXES))


def prepare() -> None:
    """Install the finder and put the server's packages first on sys.path; may be called again."""
    if not any(isinstance(finder, SourceOnlyFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, SourceOnlyFinder())
    folder = str(application_folder())
    if sys.path[:1] != [folder]:
        sys.path.insert(0, folder)


def application_folder() -> Path:
    """The folder that holds server/, sql/ and storage/."""
    package = Path(__file__).resolve().parent
    return package / "app" if (package / "app").is_dir() else package.parent
