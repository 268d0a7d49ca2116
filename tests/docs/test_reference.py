"""docs/errors.md and docs/variables.md are generated from the tables of the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sql.accepted_variable import ACCEPTED
from sql.variable import shown
from sql.variable_table import TABLE, Reach
from storage import errors
from tests.docs.block import ROOT, check, table

VARIABLES = ROOT / "docs" / "variables.md"

ZONE_OF_THE_SYSTEM = {"system_time_zone", "time_zone"}
OF_THE_MACHINE = {"hostname", "version_compile_machine", "version_compile_os"}


def test_every_error_is_listed(request: pytest.FixtureRequest) -> None:
    """Name, code, SQLSTATE and words, in the order of the module."""
    kinds = [(name, kind) for name, kind in vars(errors).items() if isinstance(kind, errors.Kind)]
    assert len(kinds) > 50
    rows = [(name, str(kind.code), kind.sqlstate, kind.template.replace("\n", " ")) for name, kind in kinds]
    wanted = table(("name in the code", "code", "SQLSTATE", "words"), rows)
    check(ROOT / "docs" / "errors.md", "errors", wanted, _update(request))


def test_variables_with_an_effect_are_listed(request: pytest.FixtureRequest) -> None:
    """Name, default, who may set it, and what it does."""
    rows = [
        (f"`{name}`", _default(name), variable.reach.value, variable.effect)
        for name, variable in sorted(TABLE.items())
        if variable.effect
    ]
    check(VARIABLES, "effects", table(("variable", "default", "set", "effect"), rows), _update(request))


def test_fixed_variables_are_listed(request: pytest.FixtureRequest) -> None:
    """Facts about the server, which nobody can set."""
    rows = [(f"`{name}`", _default(name)) for name, variable in TABLE.items() if variable.reach is Reach.READ_ONLY]
    check(VARIABLES, "fixed variables", table(("variable", "value"), rows), _update(request))


def test_variables_without_effect_are_listed(request: pytest.FixtureRequest) -> None:
    """Those that drivers ask for, with default and who may set them."""
    idle = [found for found in TABLE.values() if found.name not in ACCEPTED and not found.effect]
    rows = [
        (f"`{variable.name}`", _default(variable.name), variable.reach.value)
        for variable in idle
        if variable.reach is not Reach.READ_ONLY
    ]
    check(VARIABLES, "variables without effect", table(("variable", "default", "set"), rows), _update(request))


def test_every_accepted_variable_is_listed(request: pytest.FixtureRequest) -> None:
    """The long list, by name only."""
    check(VARIABLES, "accepted variables", ", ".join(f"`{name}`" for name in sorted(ACCEPTED)), _update(request))


def test_a_variable_has_an_effect_when_the_code_reads_it() -> None:
    """Neither is one that is read called idle, nor one that nobody reads called effective."""
    read = {name for layer in ("server", "sql") for path in (ROOT / layer).rglob("*.py") for name in _read(path)}
    effective = {name for name, variable in TABLE.items() if variable.effect}
    assert "query_timeout" in read
    assert effective == {name for name in read if TABLE[name].reach is not Reach.READ_ONLY}


def _read(path: Path) -> Iterator[str]:
    """The names that a module asks a session's variables for: ``variables.is_on("…")``."""
    own = "self" if path == ROOT / "sql" / "variable.py" else "variables"
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call) and re.search(rf"\b{own}\.(get|is_on|number|text)$", ast.unparse(call.func)):
            words = [part.value for part in ast.walk(call) if isinstance(part, ast.Constant)]
            yield from (word for word in words if isinstance(word, str) and word in TABLE)


def _update(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update"))


def _default(name: str) -> str:
    if name in ZONE_OF_THE_SYSTEM:
        return "(the system's)"
    return "(the machine's)" if name in OF_THE_MACHINE else shown(TABLE[name].default) or "(empty)"
