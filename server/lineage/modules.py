"""Import the modules of a plugin's folder under a private name, so that two folders may hold equal names.

    <folder>/plugin.py, <folder>/sender.py  ->  _dorisette_lineage_3.plugin, _dorisette_lineage_3.sender

Inside the folder `from . import sender` works at any time, `import sender` while the plugin is loaded. What lies in
`lib/` (packages and wheels of pure Python) is found by all, behind everything the server itself can import.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import itertools
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

LIBRARY = "lib"
_numbers = itertools.count()


class Folder:
    """The importable side of one plugin folder."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._package = f"_dorisette_lineage_{next(_numbers)}"
        self._library: list[str] = []

    def names(self) -> list[str]:
        """Its top-level modules and packages in order; raises OSError when it cannot be read."""
        return sorted(name for entry in self.directory.iterdir() if (name := _module_name(entry)))

    def module(self, name: str) -> ModuleType:
        """Import one of them; raises whatever its code raises."""
        return importlib.import_module(f"{self._package}.{name}")

    @contextlib.contextmanager
    def importing(self) -> Iterator[None]:
        """Let the folder's code find its siblings and its libraries."""
        self._open()
        siblings = _Siblings(self._package, self.names())
        sys.meta_path.append(siblings)
        try:
            yield
        finally:
            sys.meta_path.remove(siblings)
            siblings.forget()

    def _open(self) -> None:
        if self._package in sys.modules:
            return
        package = ModuleType(self._package)
        package.__path__ = [str(self.directory)]
        sys.modules[self._package] = package
        library = self.directory / LIBRARY
        if library.is_dir():
            self._library = [str(library), *sorted(str(wheel) for wheel in library.glob("*.whl"))]
            sys.path.extend(self._library)
        importlib.invalidate_caches()

    def discard(self) -> None:
        """Forget the modules, and the libraries that came for this folder only."""
        for name in [name for name in sys.modules if name.partition(".")[0] == self._package]:
            del sys.modules[name]
        for path in self._library:
            sys.path.remove(path)
        self._library = []


def _module_name(entry: Path) -> str | None:
    if entry.name.startswith((".", "__")):
        return None
    if entry.suffix == ".py" and entry.is_file():
        return entry.stem
    return entry.name if entry.name != LIBRARY and (entry / "__init__.py").is_file() else None


class _Siblings(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Answers `import sender` with the private module; asked last, so the server's own modules win."""

    def __init__(self, package: str, names: Sequence[str]) -> None:
        self._package = package
        self._names = frozenset(names)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        known = path is None and fullname in self._names
        return importlib.machinery.ModuleSpec(fullname, self) if known else None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """The private module itself; the import system is about to overwrite its spec."""
        module = importlib.import_module(f"{self._package}.{spec.name}")
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It has run already."""
        spec = module.__spec__
        if spec is not None and spec.loader is self:
            module.__spec__ = spec.loader_state

    def forget(self) -> None:
        """Take the plain names back, so that the next folder may use them."""
        for name in self._names:
            module = sys.modules.get(name)
            if module is not None and module.__name__ == f"{self._package}.{name}":
                del sys.modules[name]
