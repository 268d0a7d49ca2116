"""SIGKILL somewhere in a long run of statements: what was acknowledged is there, what was not is whole or absent."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from storage.step import STEPS
from tests.crash.history import look, run

BASE = (
    "CREATE DATABASE IF NOT EXISTS crash",
    """CREATE TABLE IF NOT EXISTS base (id INT, v INT) UNIQUE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1
       PROPERTIES ("enable_unique_key_merge_on_write" = "true",
       "changelog.enable" = "true", "changelog.need_historical_value" = "true")""",
    """CREATE TABLE IF NOT EXISTS target (id INT, v INT) UNIQUE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1
       PROPERTIES ("enable_unique_key_merge_on_write" = "true")""",
    'CREATE STREAM IF NOT EXISTS changes ON TABLE base PROPERTIES ("type" = "min_delta")',
)
SYNC = (
    "INSERT INTO target (id, v, __DORIS_DELETE_SIGN__)"
    " SELECT id, v, CASE WHEN __DORIS_STREAM_CHANGE_TYPE_COL__ = 'DELETE' THEN 1 ELSE 0 END FROM changes"
    " WHERE __DORIS_STREAM_CHANGE_TYPE_COL__ <> 'UPDATE_BEFORE'"
)
EVERY_COMMIT = [step for step in STEPS if step not in ("offset", "change", "label", "published")]
Row = dict[int, int]


def _statement(number: int, chance: random.Random) -> str:
    """Deterministic in the number, so that base can be computed without the server."""
    if number % 5 == 4:
        return SYNC
    if number % 7 == 3:
        return f"DELETE FROM base WHERE id = {chance.randrange(20)}"
    return f"INSERT INTO base VALUES ({chance.randrange(20)}, {number}), ({20 + chance.randrange(20)}, {number})"


def _apply(statement: str, base: Row, target: Row) -> None:
    if statement == SYNC:
        target.clear()
        target.update(base)
    elif statement.startswith("DELETE"):
        base.pop(int(statement.rsplit(" ", 1)[1]), None)
    else:
        for pair in statement.split("VALUES ")[1].strip("()").split("), ("):
            key, value = map(int, pair.split(", "))
            base[key] = value


def _pairs(rows: list[tuple[object, ...]]) -> dict[object, object]:
    return {row[0]: row[1] for row in rows}


@pytest.mark.parametrize("seed", range(4))
def test_acknowledged_statements_survive(seed: int, tmp_path: Path) -> None:
    """Five kills in the life of one directory; after each, base and target are those of a prefix of the statements."""
    chance = random.Random(seed)
    run(tmp_path / "data", BASE)
    base: Row = {}
    target: Row = {}
    number = 0
    for _ in range(5):
        statements = [_statement(number + offset, chance) for offset in range(40)]
        crash_at = f"{chance.choice(EVERY_COMMIT)}:{chance.randrange(1, 20)}"
        acknowledged = run(tmp_path / "data", statements, crash_at)
        seen = look(tmp_path / "data")
        for statement in statements[:acknowledged]:
            _apply(statement, base, target)
        found = (_pairs(seen.tables["base"]), _pairs(seen.tables["target"]))
        if found != (base, target):  # the killed statement had become durable
            _apply(statements[acknowledged], base, target)
            acknowledged += 1
        assert found == (base, target)
        number += acknowledged
