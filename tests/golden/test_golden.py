"""Golden files: SQL text in, one stage's output out; `pytest tests/golden --update` writes them anew.

A file holds blocks that are separated by blank lines: the SQL, a line ``---``, what the stage gives.
A block that starts with ``#`` is a heading. Errors are outputs like others. A changed file is read as a diff.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sql.dialect.doris import parse
from sql.dialect.duckdb import to_duckdb
from storage.errors import DorisError

HERE = Path(__file__).parent
Stage = Callable[[str], str]


def _parsed(text: str) -> str:
    return "\n;\n".join(repr(statement.node) for statement in parse(text))


def _spelled(text: str) -> str:
    return "\n;\n".join(to_duckdb(statement.node) for statement in parse(text))


STAGES: dict[str, Stage] = {"parse": _parsed, "duckdb": _spelled}
FILES = sorted(path for stage in STAGES for path in (HERE / stage).glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_output_is_what_the_file_says(path: Path, request: pytest.FixtureRequest) -> None:
    """Each stage gives what was read and agreed on."""
    found = path.read_text(encoding="utf-8")
    wanted = rewritten(found, STAGES[path.parent.name])
    if request.config.getoption("--update"):
        path.write_text(wanted, encoding="utf-8")
    else:
        assert found == wanted


def rewritten(file: str, stage: Stage) -> str:
    """The file with the output of each block made anew."""
    blocks = (block.strip("\n") for block in file.split("\n\n"))
    return "\n\n".join(_block(block, stage) for block in blocks if block) + "\n"


def _block(block: str, stage: Stage) -> str:
    if block.startswith("#"):
        return block
    text, _, _ = block.partition("\n---")
    try:
        return f"{text}\n---\n{stage(text)}"
    except DorisError as error:
        return f"{text}\n---\n! {error}"
