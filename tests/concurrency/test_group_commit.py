"""Many small writers of one table: the records in TSO order are a history in which every statement happened whole."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from storage.audit import audit
from storage.catalog.model import Table
from storage.changelog import records
from storage.config import Config
from storage.database import Database
from storage.table import unique
from storage.work import Work, Write
from tests.unit.storage.shop import batch, make_table, select

WRITERS = 12
WRITES = 40
KEYS = 30  # few, so that groups meet keys again
Change = tuple[int, str | None]  # key, value; None deletes


@pytest.mark.parametrize("limit", [200, 1], ids=["returned", "fetched"])
def test_groups_are_a_serial_history(limit: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replay the acknowledged writes by TSO: rows, records, their numbers and the versions are what is stored."""
    monkeypatch.setattr(unique, "RETURNED_ROWS", limit)
    database = Database(tmp_path, Config())
    table = make_table(database, "t")
    with ThreadPoolExecutor(WRITERS) as pool:
        done = [
            commit for made in pool.map(lambda seed: _write(database, table, seed), range(WRITERS)) for commit in made
        ]
    assert len({tso for tso, _ in done}) == len(done)
    rows, wanted = _replay(sorted(done))
    assert sorted(select(database, f"SELECT k, v, __doris_version FROM t_{table.id}")) == sorted(rows)
    found = select(
        database,
        "SELECT __DORIS_CHANGELOG_TSO__, __DORIS_CHANGELOG_OP__, k, v, __DORIS_CHANGELOG_BEFORE_v__"
        f" FROM ({records(table, None, 0)})",
    )
    assert sorted(found, key=repr) == sorted(wanted, key=repr)
    assert audit(database) == []
    assert database.locks.held() == [] and not database.timestamps.inflight
    database.close()


def _write(database: Database, table: Table, seed: int) -> list[tuple[int, list[Change]]]:
    """Small upserts and deletes; gives the TSO of each and what it wrote, one change a key."""
    chance, made = random.Random(seed), []
    for number in range(WRITES):
        keys = chance.sample(range(KEYS), chance.choice((1, 1, 1, 2, 4)))
        deletes = [place for place in range(len(keys)) if chance.random() < 0.3]
        changes = [(key, None if place in deletes else f"{seed}-{number}") for place, key in enumerate(keys)]
        rows = batch(table, [(key, value or "") for key, value in changes], deletes=deletes)
        commit = database.apply(Work((Write(table.id, table.schema_version, rows),)))
        made.append((commit.tso, changes))
    return made


def _replay(commits: Sequence[tuple[int, list[Change]]]) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """The rows with their versions, and the change records, after these commits in this order."""
    rows: dict[int, tuple[str, int]] = {}
    made: list[tuple[object, ...]] = []
    for version, (tso, changes) in enumerate(commits, 2):
        for key, value in changes:
            before = rows[key][0] if key in rows else None
            if value is not None:
                rows[key] = (value, version)
                made.append((tso, 0 if before is None else 1, key, value, before))
            elif before is not None:
                del rows[key]
                made.append((tso, 2, key, before, before))
    return [(key, value, version) for key, (value, version) in rows.items()], made


def test_a_slow_table_stalls_no_other(tmp_path: Path) -> None:
    """While one table's lock is held, writers of another commit."""
    database = Database(tmp_path, Config())
    slow, fast = make_table(database, "slow"), make_table(database, "fast")
    waiting = threading.Thread(target=_write, args=(database, slow, 1))
    with database.locks.writing([slow.id], (), ()):
        waiting.start()
        with ThreadPoolExecutor(4) as pool:
            assert all(pool.map(lambda seed: _write(database, fast, seed), range(4), timeout=60))
        assert waiting.is_alive()
    waiting.join(60)
    assert audit(database) == []
    database.close()
