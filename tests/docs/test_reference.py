"""docs/errors.md and docs/variables.md are generated from the tables of the code."""

from __future__ import annotations

import pytest

from sql.accepted_variable import ACCEPTED
from sql.variable import shown
from sql.variable_table import TABLE
from storage import errors
from tests.docs.block import ROOT, check, table

ZONE_OF_THE_SYSTEM = {"system_time_zone", "time_zone"}
OF_THE_MACHINE = {"hostname", "version_compile_machine", "version_compile_os"}


def test_every_error_is_listed(request: pytest.FixtureRequest) -> None:
    """Name, code, SQLSTATE and words, in the order of the module."""
    kinds = [(name, kind) for name, kind in vars(errors).items() if isinstance(kind, errors.Kind)]
    assert len(kinds) > 50
    rows = [(name, str(kind.code), kind.sqlstate, kind.template.replace("\n", " ")) for name, kind in kinds]
    wanted = table(("name in the code", "code", "SQLSTATE", "words"), rows)
    check(ROOT / "docs" / "errors.md", "errors", wanted, request.config.getoption("--update"))


def test_every_variable_is_listed(request: pytest.FixtureRequest) -> None:
    """Those that drivers ask for or that have an effect, with default and who may set them."""
    rows = [
        (f"`{name}`", _default(name), variable.reach.value) for name, variable in TABLE.items() if name not in ACCEPTED
    ]
    wanted = table(("variable", "default", "set"), rows)
    check(ROOT / "docs" / "variables.md", "variables", wanted, request.config.getoption("--update"))


def test_every_accepted_variable_is_listed(request: pytest.FixtureRequest) -> None:
    """The long list, by name only."""
    wanted = ", ".join(f"`{name}`" for name in sorted(ACCEPTED))
    check(ROOT / "docs" / "variables.md", "accepted variables", wanted, request.config.getoption("--update"))


def _default(name: str) -> str:
    if name in ZONE_OF_THE_SYSTEM:
        return "(the system's)"
    return "(the machine's)" if name in OF_THE_MACHINE else shown(TABLE[name].default) or "(empty)"
