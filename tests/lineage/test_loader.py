"""Finding and making plugins: what is a plugin folder, which are used, and one log line for each that is not."""

from __future__ import annotations

import logging
import sys
import threading
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from dorisette.lineage import LineageInfo, QueryContext, frozen
from server.lineage.loader import load
from server.lineage.plugin import Loaded

INFO = LineageInfo(
    "internal.d.t", (), frozenset(), frozen({}), frozen({}), frozen({}), QueryContext("InsertIntoTableCommand", "q-1")
)

PLUGIN = """
class Plugin:
    def name(self): return {name!r}
    def initialize(self, context): self.context = context
    def event_filter(self): return True
    def exec(self, info): return True
    def close(self): pass

class Factory:
    def name(self): return {name!r}
    def create(self, context): return Plugin()

LINEAGE_PLUGIN_FACTORY = Factory
"""


class Home:
    """A plugin directory, and what loading it logs."""

    def __init__(self, directory: Path, caplog: pytest.LogCaptureFixture) -> None:
        self.directory = directory
        self._caplog = caplog
        caplog.set_level(logging.INFO)

    def put(self, folder: str, **modules: str) -> Path:
        """A folder with modules."""
        path = self.directory / "lineage" / folder
        path.mkdir(parents=True, exist_ok=True)
        for name, source in modules.items():
            (path / f"{name}.py").write_text(source, encoding="utf-8")
        return path

    def load(self, *activated: str) -> list[str]:
        """The names of the plugins in use."""
        return [plugin.name for plugin in self.plugins(activated)]

    def plugins(self, activated: Sequence[str] = ()) -> list[Loaded]:
        return load(self.directory, activated)

    @property
    def warnings(self) -> list[str]:
        return [record.getMessage() for record in self._caplog.records if record.levelno == logging.WARNING]

    @property
    def lines(self) -> list[str]:
        return [record.getMessage() for record in self._caplog.records]


@pytest.fixture
def home(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Home:
    return Home(tmp_path, caplog)


def named(name: str) -> str:
    return PLUGIN.format(name=name)


def test_a_plugin_is_loaded(home: Home) -> None:
    """Whatever its folder is called; it learns its name and its place."""
    path = home.put("any-name", plugin=named("one"))
    (plugin,) = home.plugins()
    assert plugin.name == "one"
    assert dict(plugin.plugin.context.properties) == {"plugin.name": "one", "plugin.path": str(path)}  # type: ignore[attr-defined]
    assert home.lines == [
        f"Loading lineage plugin directory {path}",
        f"Loaded lineage plugin: one, pluginPath={path}",
    ]


def test_no_directory_is_no_error(home: Home) -> None:
    assert home.load() == []
    assert home.warnings == []


def test_only_direct_sub_directories_count(home: Home) -> None:
    """Files beside them, deeper folders, and those that start with . or __ do not."""
    home.put(".hidden", plugin=named("hidden"))
    home.put("__pycache__", plugin=named("cache"))
    home.put("deep/deeper", plugin=named("deeper"))
    (home.directory / "lineage" / "stray.py").write_text(named("stray"), encoding="utf-8")
    home.put("b", plugin=named("two"))
    home.put("a", plugin=named("three"))
    assert home.load() == ["three", "two"]
    assert "stage=resolve" in home.warnings[0]
    assert "pluginDir=" + str(home.directory / "lineage" / "deep") in home.warnings[0]


def test_activated_names_filter(home: Home) -> None:
    """Exactly and with case; names without factory are told; the server goes on."""
    home.put("a", plugin=named("one"))
    home.put("b", plugin=named("Two"))
    assert home.load("Two", "two", "none") == ["Two"]
    assert "Skip lineage plugin not in activate_lineage_plugin: one" in home.lines
    assert [line.rpartition(" ")[2] for line in home.warnings] == ["two", "none"]


def test_an_empty_filter_lets_all_in(home: Home) -> None:
    home.put("a", plugin=named("one"))
    home.put("b", plugin=named("two"))
    assert home.load() == ["one", "two"]


BROKEN = {
    "syntax error": ("def broken(:", "instantiate", "module plugin cannot be imported"),
    "missing library": ("import no_such_library_at_all", "instantiate", "module plugin cannot be imported"),
    "exit": ("raise SystemExit(3)", "instantiate", "module plugin cannot be imported"),
    "no factory": ("x = 1", "discover", "no module defines LINEAGE_PLUGIN_FACTORY"),
    "factory that cannot be made": (
        named("x").replace("def name(self)", "def __init__(self): raise ValueError('no')\n    def name(self)"),
        "instantiate",
        "the factory cannot be made",
    ),
    "name() raises": (
        "class F:\n    def name(self): raise ValueError\nLINEAGE_PLUGIN_FACTORY = F",
        "instantiate",
        "name() of the factory failed",
    ),
    "blank name": (named("  "), "instantiate", "name() of the factory gives no name: '  '"),
    "name that is none": (
        "class F:\n    def name(self): return 7\nLINEAGE_PLUGIN_FACTORY = F",
        "instantiate",
        "name() of the factory gives no name: 7",
    ),
    "factory that is none": ("LINEAGE_PLUGIN_FACTORY = 5", "instantiate", "name() of the factory failed"),
    "exception without words": (
        "class E(Exception):\n    def __repr__(self): raise ValueError\n    __str__ = __repr__\nraise E",
        "instantiate",
        "module plugin cannot be imported",
    ),
}


@pytest.mark.parametrize(("source", "stage", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_folder_is_skipped(
    home: Home, source: str, stage: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One WARN line with stage and message; its neighbours are loaded."""
    monkeypatch.setattr(logging, "raiseExceptions", False)  # for the one that cannot be printed
    home.put("broken", plugin=source)
    home.put("good", plugin=named("good"))
    assert home.load() == ["good"]
    if source.startswith("class E"):
        return
    (line,) = home.warnings
    assert line.startswith("Skip lineage plugin directory due to load failure: pluginDir=")
    assert f"stage={stage}, message={message}, cause=" in line


def test_two_factories_in_a_folder(home: Home) -> None:
    """Not one of them is used; the same factory seen twice is one."""
    home.put("two", one=named("one"), other=named("two"))
    home.put("same", plugin=named("same"), again="from .plugin import LINEAGE_PLUGIN_FACTORY")
    assert home.load() == ["same"]
    assert "stage=discover, message=more than one module defines LINEAGE_PLUGIN_FACTORY: one, other" in home.warnings[0]


def test_the_first_of_two_equal_names_wins(home: Home) -> None:
    """Also when the first one is not activated."""
    first = home.put("a", plugin=named("same"))
    home.put("b", plugin=named(" same "))
    (plugin,) = home.plugins()
    assert plugin.path == first
    assert f"stage=conflict, message=the name same is taken by {first}" in home.warnings[0]


FAILING = {
    "create raises": named("x").replace("return Plugin()", "raise RuntimeError('no')"),
    "create gives nothing": named("x").replace("return Plugin()", "return None"),
    "create gives nonsense": named("x").replace("return Plugin()", "return 'nonsense'"),
    "initialize raises": named("x").replace("self.context = context", "raise SystemExit"),
    "no exec": named("x").replace("def exec(", "def execute("),
}


@pytest.mark.parametrize("source", FAILING.values(), ids=FAILING)
def test_a_plugin_that_cannot_be_made_is_not_used(home: Home, source: str) -> None:
    home.put("a", plugin=source)
    home.put("b", plugin=named("good"))
    assert home.load() == ["good"]
    assert home.warnings == ["Failed to create/initialize lineage plugin: x"]


def test_a_plugin_with_another_name_is_used_under_its_factorys(home: Home) -> None:
    home.put("a", plugin=named("one").replace("return 'one'", "return 'other'", 1))
    home.put("b", plugin=named("two").replace("return 'two'", "raise ValueError", 1))
    assert home.load() == ["one", "two"]
    assert "Lineage plugin one calls itself 'other', its factory's name is used" in home.warnings
    assert "name() of lineage plugin two failed" in home.warnings


def test_optional_methods_may_be_missing(home: Home) -> None:
    """initialize and close."""
    source = named("one").replace("def initialize(", "def other(").replace("def close(", "def another(")
    home.put("a", plugin=source)
    (plugin,) = home.plugins()
    plugin.close()
    assert home.warnings == []


def test_equal_module_names_in_two_folders(home: Home) -> None:
    """Each sees its own siblings, by relative and by plain import, and nothing stays behind under a plain name."""
    for name in ("one", "two"):
        source = f"from . import helper_module as relative\nimport helper_module as plain\n{named(name)}\n"
        source += "assert relative is plain and relative.WORD == NAME\n"
        home.put(name, plugin=source.replace("NAME", repr(name)), helper_module=f"WORD = {name!r}")
    assert home.load() == ["one", "two"]
    assert "helper_module" not in sys.modules


def test_a_plain_import_does_not_shadow_the_server(home: Home) -> None:
    """Modules of the server, of the standard library and of site-packages win over a sibling of that name."""
    source = f"import json, storage.naming\nassert not hasattr(json, 'mine')\n{named('one')}"
    home.put("a", plugin=source, json="mine = 1")
    assert home.load() == ["one"]


def test_libraries_of_a_folder(home: Home) -> None:
    """Packages and wheels in lib/; they stay importable, since plugins import late."""
    path = home.put("a", plugin=f"import my_little_library, my_wheel\n{named('one')}")
    (path / "lib" / "my_little_library").mkdir(parents=True)
    (path / "lib" / "my_little_library" / "__init__.py").write_text("", encoding="utf-8")
    (path / "lib" / "my_late_library.py").write_text("LATE = 1", encoding="utf-8")
    with zipfile.ZipFile(path / "lib" / "my_wheel-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("my_wheel.py", "")
    assert home.load() == ["one"]
    import my_late_library  # type: ignore[import-not-found]

    assert my_late_library.LATE == 1


def test_libraries_of_a_skipped_folder_go(home: Home) -> None:
    path = home.put("a", plugin="raise ValueError")
    (path / "lib").mkdir()
    before = list(sys.path)
    assert home.load() == []
    assert sys.path == before


def test_a_package_may_be_the_module(home: Home) -> None:
    path = home.put("a/governance", __init__=named("one") + "\nfrom .inner import X", inner="X = 1")
    assert home.load() == ["one"]
    assert path.parent.name == "a"


def test_a_linked_folder_counts(home: Home, tmp_path: Path) -> None:
    """Bundled plugins are activated by a link."""
    elsewhere = Home.put(home, "../elsewhere", plugin=named("one"))
    (home.directory / "lineage").mkdir(exist_ok=True)
    (home.directory / "lineage" / "linked").symlink_to(elsewhere, target_is_directory=True)
    assert home.load() == ["one"]


def test_a_loaded_plugin_never_raises(home: Home) -> None:
    """Each of its methods may; what it says is logged."""
    source = named("one")
    for body in ("return True\n    def exec", "return True\n    def close", "pass\n\nclass Factory"):
        source = source.replace(body, "raise KeyboardInterrupt" + body.removeprefix(body.split("\n")[0]))
    home.put("a", plugin=source)
    (plugin,) = home.plugins()

    def use() -> None:
        assert plugin.wants() is False
        plugin.handle(INFO)
        plugin.close()

    thread = threading.Thread(target=use)
    thread.start()
    thread.join(10)
    assert home.warnings == [
        "event_filter() of lineage plugin one failed",
        "encounter exception when processing lineage event q-1, ignore (plugin one)",
        "close() of lineage plugin one failed",
    ]
