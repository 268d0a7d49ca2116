"""SIGKILL at every step of a commit: after the restart all of it is there or nothing, and work goes on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from storage.step import STEPS
from tests.crash.history import Seen, look, run

SETUP = (
    "CREATE DATABASE IF NOT EXISTS crash",
    """CREATE TABLE base (id INT, v INT) UNIQUE KEY(id)
       PARTITION BY RANGE(id) (PARTITION p1 VALUES LESS THAN (10), PARTITION p2 VALUES LESS THAN (100))
       DISTRIBUTED BY HASH(id) BUCKETS 1 PROPERTIES ("enable_unique_key_merge_on_write" = "true",
       "changelog.enable" = "true", "changelog.need_historical_value" = "true")""",
    """CREATE TABLE target (id INT, v INT) UNIQUE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1
       PROPERTIES ("enable_unique_key_merge_on_write" = "true")""",
    "CREATE TABLE log (id INT, v INT) DUPLICATE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1",
    'CREATE STREAM changes ON TABLE base PROPERTIES ("type" = "min_delta")',
    'CREATE STREAM steps ON TABLE base PROPERTIES ("type" = "detail", "show_initial_rows" = "true")',
    "INSERT INTO base VALUES (1, 10), (2, 20), (11, 110)",
    "INSERT INTO target SELECT id, v FROM changes",
    "UPDATE base SET v = 11 WHERE id = 1",
    "DELETE FROM base WHERE id = 11",
    "INSERT INTO base VALUES (3, 30), (12, 120)",
    """CREATE TABLE days (d DATE NOT NULL, v INT) DUPLICATE KEY(d)
       AUTO PARTITION BY RANGE (date_trunc(d, 'day')) () DISTRIBUTED BY HASH(d) BUCKETS 1""",
    """CREATE TABLE swap (id INT, v INT) UNIQUE KEY(id) PARTITION BY RANGE(id) (PARTITION p VALUES [(0), (10)))
       DISTRIBUTED BY HASH(id) BUCKETS 1""",
    "INSERT INTO swap VALUES (1, 1)",
    "ALTER TABLE swap ADD TEMPORARY PARTITION t VALUES [(0), (10))",
    "INSERT INTO swap TEMPORARY PARTITION (t) VALUES (2, 2)",
)
SYNC = (
    "INSERT INTO target (id, v, __DORIS_DELETE_SIGN__)"
    " SELECT id, v, CASE WHEN __DORIS_STREAM_CHANGE_TYPE_COL__ = 'DELETE' THEN 1 ELSE 0 END FROM changes"
    " WHERE __DORIS_STREAM_CHANGE_TYPE_COL__ <> 'UPDATE_BEFORE'"
)
COMPACT = "ADMIN COMPACT TABLE base WHERE TYPE = 'BASE'"
ALWAYS = ("locked", "tso", "begun", "before_commit", "after_commit")
WRITING = (*ALWAYS, "mark", "write", "part_version")
WORKS = {
    "upsert and delete sign": (
        ("INSERT INTO base (id, v, __DORIS_DELETE_SIGN__) VALUES (1, 0, 1), (2, 21, 0), (50, 500, 0)",),
        WRITING,
    ),
    "update": (("UPDATE base SET v = v + 1",), WRITING),
    "delete": (("DELETE FROM base WHERE id < 12",), WRITING),
    "consume": ((SYNC,), (*WRITING, "offset")),
    "labelled load": (("INSERT INTO log WITH LABEL once SELECT id, v FROM base",), (*WRITING, "label")),
    "transaction": (
        (
            "BEGIN",
            "INSERT INTO base VALUES (1, 12), (60, 600)",
            "INSERT INTO base VALUES (60, 601)",
            SYNC,
            "INSERT INTO log SELECT id, v FROM steps",
            "COMMIT",
        ),
        (*WRITING, "offset"),
    ),
    "create table": (
        ("CREATE TABLE fresh (id INT, v INT) DUPLICATE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1",),
        (*ALWAYS, "change", "published"),
    ),
    "create stream": (
        ('CREATE STREAM late ON TABLE base PROPERTIES ("show_initial_rows" = "true")',),
        (*ALWAYS, "change", "published"),
    ),
    "partitions made by rows": (
        ("INSERT INTO days VALUES ('2024-01-01', 1), ('2024-01-02', 2)",),
        (*WRITING, "change", "published"),
    ),
    "replace partition": (
        ("ALTER TABLE swap REPLACE PARTITION (p) WITH TEMPORARY PARTITION (t)",),
        (*ALWAYS, "change", "published"),
    ),
    "add column": (("ALTER TABLE target ADD COLUMN w INT DEFAULT '1' AFTER id",), (*ALWAYS, "change", "published")),
    "drop partition": (("ALTER TABLE base DROP PARTITION p2 FORCE",), (*ALWAYS, "change", "published")),
}
DURABLE = ("after_commit", "published")
CASES = [(work, step) for work, (_, steps) in WORKS.items() for step in steps]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a history; tests work on copies."""
    directory = tmp_path_factory.mktemp("prepared") / "data"
    run(directory, SETUP)
    return directory


@pytest.fixture(scope="module")
def before(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """What is seen when nothing happened."""
    return look(_copy(prepared, tmp_path_factory.mktemp("before")))


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Seen]:
    """What each work leaves behind when nobody kills it; filled as the tests ask."""
    return {}


@pytest.mark.parametrize(("work", "step"), CASES, ids=[f"{work} at {step}" for work, step in CASES])
def test_all_or_nothing(
    work: str, step: str, prepared: Path, before: Seen, outcomes: dict[str, Seen], tmp_path: Path
) -> None:
    """Killed before the durable COMMIT nothing of it is seen, after it everything; then the same work succeeds."""
    statements = WORKS[work][0]
    if work not in outcomes:
        undisturbed = _copy(prepared, tmp_path / "undisturbed")
        run(undisturbed, statements)
        outcomes[work] = look(undisturbed)
    assert outcomes[work] != before
    directory = _copy(prepared, tmp_path / "killed")
    assert run(directory, statements, crash_at=step) == len(statements) - 1
    if step in DURABLE:
        assert look(directory) == outcomes[work]
    else:
        assert look(directory) == before
        assert look(directory, then=statements) == outcomes[work]


@pytest.mark.parametrize("step", [*ALWAYS, "write"])
def test_rows_in_a_new_order_are_the_same_rows(step: str, prepared: Path, before: Seen, tmp_path: Path) -> None:
    """Killed while a table is sorted, nothing that can be seen has changed; sorting it again changes nothing either."""
    directory = _copy(prepared, tmp_path)
    assert run(directory, (COMPACT,), crash_at=step) == 0
    assert look(directory) == before
    assert look(directory, then=(COMPACT,)) == before


def test_every_step_is_killed_by_some_work() -> None:
    """A step that is added to the commit needs a work here."""
    assert {step for _, step in CASES} == set(STEPS)


def _copy(prepared: Path, target: Path) -> Path:
    return Path(shutil.copytree(prepared, target / "data"))
