"""Find the plugins in `<plugin_dir>/lineage/*/` and make those that fe.conf activates. At start, once.

A folder that cannot be used is one WARN line with the stage that failed and stops nothing. A plugin that hangs in its
import hangs the start; the line `Loading lineage plugin directory` before it tells which.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, TypeVar

from dorisette.lineage import LineagePlugin, LineagePluginFactory, PluginContext, frozen
from server.lineage.guard import ForeignError, attempt, guarded
from server.lineage.modules import Folder
from server.lineage.plugin import Loaded

LOG = logging.getLogger(__name__)

T = TypeVar("T")
FACTORY = "LINEAGE_PLUGIN_FACTORY"
Stage = Literal["scan", "resolve", "discover", "instantiate", "conflict"]


class FolderError(Exception):
    """A folder holds no usable factory."""

    def __init__(self, stage: Stage, message: str, cause: BaseException | None = None) -> None:
        super().__init__(message)
        self.stage = stage
        self.cause = cause


def load(plugin_directory: Path, activated: Sequence[str]) -> list[Loaded]:
    """The plugins in use, by name; an empty `activated` activates all that are found."""
    loader = _Loader(frozenset(activated))
    for directory in _directories(plugin_directory / "lineage"):
        loader.add(directory)
    for name in activated:
        if name not in loader.owners:
            LOG.warning("No lineage plugin for the name in activate_lineage_plugin: %s", name)
    return sorted(loader.loaded, key=lambda plugin: plugin.name)


def _directories(root: Path) -> list[Path]:
    """The direct sub-directories in name order."""
    try:
        found = sorted(entry for entry in root.absolute().iterdir() if entry.is_dir())
    except OSError as cause:
        LOG.info("No lineage plugins in %s: %s", root, cause.strerror)
        return []
    return [entry for entry in found if not entry.name.startswith((".", "__"))]


@dataclass(frozen=True, slots=True)
class _Found:
    """A factory with its name."""

    name: str
    factory: LineagePluginFactory


class _Loader:
    """Goes through the folders; `owners` are the factories found so far, activated or not."""

    def __init__(self, activated: frozenset[str]) -> None:
        self._activated = activated
        self.owners: dict[str, Path] = {}
        self.loaded: list[Loaded] = []

    def add(self, directory: Path) -> None:
        """Use what a folder holds, or say why not."""
        LOG.info("Loading lineage plugin directory %s", directory)
        folder = Folder(directory)
        try:
            names = _scanned(folder)
            with folder.importing():
                plugin = self._plugin(self._discovered(folder, names), directory)
        except FolderError as error:
            line = "Skip lineage plugin directory due to load failure: pluginDir=%s, stage=%s, message=%s, cause=%r"
            LOG.warning(line, directory, error.stage, error, error.cause, exc_info=error.cause)
            plugin = None
        if plugin is None:
            folder.discard()
        else:
            self.loaded.append(plugin)

    def _discovered(self, folder: Folder, names: Iterable[str]) -> _Found:
        found = _found([_imported(folder, name) for name in names])
        if found.name in self.owners:
            raise FolderError("conflict", f"the name {found.name} is taken by {self.owners[found.name]}")
        self.owners[found.name] = folder.directory
        return found

    def _plugin(self, found: _Found, directory: Path) -> Loaded | None:
        if self._activated and found.name not in self._activated:
            LOG.info("Skip lineage plugin not in activate_lineage_plugin: %s", found.name)
            return None
        context = PluginContext(frozen({"plugin.name": found.name, "plugin.path": str(directory)}))
        failure = "Failed to create/initialize lineage plugin: %s"
        plugin = guarded(lambda: _made(found, context), None, failure, found.name)
        if plugin is None:
            return None
        LOG.info("Loaded lineage plugin: %s, pluginPath=%s", found.name, directory)
        return Loaded(found.name, directory, plugin)


def _scanned(folder: Folder) -> list[str]:
    try:
        names = folder.names()
    except OSError as cause:
        raise FolderError("scan", "the directory cannot be read", cause) from cause
    if not names:
        raise FolderError("resolve", "no Python module found")
    return names


def _imported(folder: Folder, name: str) -> ModuleType:
    return _ran(lambda: folder.module(name), f"module {name} cannot be imported")


def _found(modules: Sequence[ModuleType]) -> _Found:
    """The one factory that the modules define, with its name."""
    holders = {id(vars(module)[FACTORY]): module for module in modules if FACTORY in vars(module)}
    if len(holders) > 1:
        names = ", ".join(sorted(module.__name__.partition(".")[2] for module in holders.values()))
        raise FolderError("discover", f"more than one module defines {FACTORY}: {names}")
    if not holders:
        raise FolderError("discover", f"no module defines {FACTORY}")
    given = vars(holders.popitem()[1])[FACTORY]
    factory = _ran(lambda: _instance(given), "the factory cannot be made")
    name = _ran(lambda: factory.name(), "name() of the factory failed")
    if not isinstance(name, str) or not name.strip():
        raise FolderError("instantiate", f"name() of the factory gives no name: {name!r}")
    return _Found(name.strip(), factory)


def _instance(given: Any) -> Any:
    return given() if inspect.isclass(given) else given


def _ran(call: Callable[[], T], message: str) -> T:
    try:
        return attempt(call)
    except ForeignError as error:
        raise FolderError("instantiate", message, error.cause) from error


def _made(found: _Found, context: PluginContext) -> LineagePlugin:
    """A new plugin, initialized; raises what its code raises, and TypeError when it is none."""
    plugin = found.factory.create(context)
    for method in ("event_filter", "exec"):
        if not callable(getattr(plugin, method, None)):
            raise TypeError(f"create() gave {plugin!r}, which has no method {method}()")
    if initialize := getattr(plugin, "initialize", None):
        initialize(context)
    _check_name(plugin, found.name)
    return plugin


def _check_name(plugin: LineagePlugin, name: str) -> None:
    """The factory's name counts."""
    own = guarded(lambda: plugin.name(), None, "name() of lineage plugin %s failed", name)
    if own != name:
        LOG.warning("Lineage plugin %s calls itself %r, its factory's name is used", name, own)
