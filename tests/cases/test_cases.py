"""Every scenario file below this folder is one test, played through the wire on an empty server."""

from __future__ import annotations

from pathlib import Path

import pytest

from dorisette.process import ServerProcess
from tests.slt.record import changes_the_server, read
from tests.slt.scenario import clean, play

HERE = Path(__file__).parent
CASES = sorted(HERE.rglob("*.slt"))


@pytest.fixture
def empty_server(request: pytest.FixtureRequest, path: Path) -> ServerProcess:
    """The shared server, emptied, or one of its own for a scenario that restarts, kills or reconfigures it."""
    if changes_the_server(read(path)):
        own: ServerProcess = request.getfixturevalue("fresh_server")
        return own
    shared: ServerProcess = request.getfixturevalue("server")
    clean(shared)
    return shared


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.relative_to(HERE).as_posix())
def test_scenario(path: Path, empty_server: ServerProcess) -> None:
    """The file's records hold."""
    problems = play(path, empty_server)
    assert not problems, "\n".join(problems)
