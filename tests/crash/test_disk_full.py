"""A disk that is full: the consumption fails, target and offset are unchanged, and it works once there is room."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crash import full
from tests.crash.history import FORKS, look


@pytest.mark.parametrize("checkpoint", [False, True], ids=["at the commit", "at a checkpoint before it"])
def test_nothing_happens_on_a_full_disk(checkpoint: bool, tmp_path: Path) -> None:
    """A checkpoint that fails makes DuckDB give up the file; it is opened again."""
    heard, told = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=full.run, args=(tmp_path / "data", checkpoint, told))
    process.start()
    told.close()
    errors, meanwhile, afterwards, rest = (heard.recv() for _ in range(4))
    process.join(60)
    assert process.exitcode == 0
    assert len(errors) == 2
    assert all("too large" in error for error in errors)
    assert meanwhile == (0, full.ROWS)
    assert afterwards == (full.ROWS, 0)
    assert rest == ([], [])
    seen = look(tmp_path / "data")
    assert len(seen.tables["target"]) == full.ROWS
    assert seen.changes["changes"] == []
