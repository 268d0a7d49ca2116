"""A disk that is full: the consumption fails, target and offset are unchanged, and it works once there is room."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crash import full
from tests.crash.history import FORKS, look


def test_a_commit_is_done_though_its_checkpoint_fails(tmp_path: Path) -> None:
    """DuckDB raises for it, but has committed: what is said to be done is there, and nothing else."""
    heard, told = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=full.run_behind, args=(tmp_path / "data", told))
    process.start()
    told.close()
    (failed, done, found), rest = (heard.recv() for _ in range(2))
    process.join(60)
    assert process.exitcode == 0
    assert failed
    assert done == found
    assert rest == ([], [])
    assert {key for key, _ in look(tmp_path / "data").tables["base"]} == set(found)


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
