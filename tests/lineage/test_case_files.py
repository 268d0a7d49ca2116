"""Each case file holds for the extraction alone: setup and statements over a catalog, no server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.lineage.compare import differences
from tests.lineage.draft import Draft

CASES = sorted((Path(__file__).parent.parent / "cases" / "lineage").glob("*.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    """Every step makes the events of the file, whatever order they are in."""
    case = json.loads(path.read_text(encoding="utf-8"))
    assert case["format"] == "dorisette-lineage-case/1"
    draft = Draft(*case["setup"])
    for step in case["steps"]:
        if step["expect"] == "ok":
            check(draft, step)


def check(draft: Draft, step: dict[str, Any]) -> None:
    info = draft.lineage(step["sql"])
    events = [] if info is None else [info.to_dict()]
    assert len(events) == len(step["events"]), step["sql"]
    for found, wanted in zip(events, step["events"], strict=True):
        assert not differences(found, {**wanted, "context": {}}), step["sql"]
