"""SIGKILL at every step while one writer commits for six: acknowledged statements are there, others whole or absent."""

from __future__ import annotations

import contextlib
import signal
from pathlib import Path

import pytest

from storage.step import STEPS
from tests.crash import crowd
from tests.crash.history import FORKS, look, run
from tests.crash.test_random_kills import BASE

SHARED = [step for step in STEPS if step not in ("offset", "change", "label")]


@pytest.mark.parametrize("step", SHARED)
def test_a_group_is_whole_or_absent(step: str, tmp_path: Path) -> None:
    """Killed in the third group: two groups are there, the third entirely or not at all, the fourth never began."""
    run(tmp_path / "data", BASE[:2])
    heard, told = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=crowd.run, args=(tmp_path / "data", f"{step}:3", told))
    process.start()
    told.close()
    acknowledged = set()
    with contextlib.suppress(EOFError):
        while True:
            acknowledged.add(heard.recv())
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    rows = {int(str(key)) for key, _ in look(tmp_path / "data").tables["base"]}
    statements = {key for key in rows if key % 2 == 0}
    assert rows == statements | {key + 1 for key in statements}
    assert acknowledged <= statements
    assert len(statements) in (2 * crowd.WRITERS, 3 * crowd.WRITERS)
    assert len(statements) == (3 if step in ("after_commit", "published") else 2) * crowd.WRITERS
