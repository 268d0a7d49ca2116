"""Tables that change between the binding of a statement and its lock: it is bound anew, on what is there then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sql.load.request import read
from sql.load.run import run
from sql.write import MOST_ATTEMPTS
from storage.audit import audit
from storage.errors import COLUMN_COUNT, NO_SUCH_TABLE, TABLE_NOT_FOUND, UNKNOWN_COLUMN, DorisError, Kind
from storage.work import Commit, Watch, Work
from tests.local import Local, Session

PARTITIONED = "PARTITION BY RANGE(k) (PARTITION p1 VALUES LESS THAN (10), PARTITION p2 VALUES LESS THAN (20))"
SUM = "UPDATE t SET v = (SELECT sum(v) FROM u) WHERE k = 1"
Between = Callable[[Callable[[], object]], None]


UPDATE = "UPDATE t SET v = 1 WHERE k IN (SELECT u.v FROM u)"
INSERT = "INSERT INTO t VALUES (2, 5)"


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Local]:
    """Two partitioned Unique Key tables and a Duplicate Key table with a row in each partition."""
    engine = Local(tmp_path / "data")
    session = engine.connect()
    session.execute("CREATE DATABASE d; USE d")
    for name, model in (("t", "UNIQUE"), ("u", "UNIQUE"), ("plain", "DUPLICATE")):
        session.execute(f"CREATE TABLE {name} (k INT, v INT) {model} KEY(k) {PARTITIONED} DISTRIBUTED BY HASH(k)")
        session.execute(f"INSERT INTO {name} VALUES (1, 100), (11, 5000)")
    yield engine
    assert audit(engine.database) == []
    engine.close()


@pytest.fixture
def between(local: Local, monkeypatch: pytest.MonkeyPatch) -> Between:
    """Have something done once, after the next statement was bound and before it has its locks."""
    apply, pending = local.database.apply, list[Callable[[], object]]()

    def overtaken(work: Work, watch: Watch | None = None) -> Commit:
        if pending:
            pending.pop()()
        return apply(work, watch)

    monkeypatch.setattr(local.database, "apply", overtaken)
    return pending.append


@pytest.mark.parametrize(
    ("ddl", "found"),
    [
        ("ALTER TABLE u DROP PARTITION p2", 100),
        ("ALTER TABLE u ADD TEMPORARY PARTITION x VALUES LESS THAN (30);"
         "INSERT INTO u TEMPORARY PARTITION (x) VALUES (21, 9999)", 5100),
        ("TRUNCATE TABLE u", None),
        ("INSERT OVERWRITE TABLE u VALUES (2, 7)", 7),
        ("DROP TABLE u; CREATE TABLE u (k INT, v INT) DUPLICATE KEY(k); INSERT INTO u VALUES (1, 3)", 3),
        ("ALTER TABLE t DROP PARTITION p2", 5100),
    ],
)  # fmt: skip
def test_an_update_reads_its_tables_as_they_are_under_the_lock(
    local: Local, between: Between, ddl: str, found: int | None
) -> None:
    first, second = local.connect("d"), local.connect("d")
    between(lambda: second.execute(ddl))
    assert first.execute(SUM) == 1
    assert first.query("SELECT v FROM t WHERE k = 1") == [(found,)]


@pytest.mark.parametrize(
    ("ddl", "left"),
    [
        ("ALTER TABLE t ADD COLUMN w INT DEFAULT '7'", [(2, 5, 7), (1, 100, 7), (11, 5000, 7)]),
        ("ALTER TABLE t MODIFY COLUMN v BIGINT", [(2, 5), (1, 100), (11, 5000)]),
        ("TRUNCATE TABLE t", [(2, 5)]),
        ("INSERT OVERWRITE TABLE t VALUES (3, 7)", [(2, 5), (3, 7)]),
        ("DROP TABLE t; CREATE TABLE t (k INT, v INT, w INT) DUPLICATE KEY(k)", [(2, 5, None)]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("rows", ["VALUES (2, 5)", "SELECT 2, sum(v) - 95 FROM u WHERE k = 1"])
def test_an_insert_goes_into_its_table_as_it_is_under_the_lock(
    local: Local, between: Between, ddl: str, left: list[tuple[object, ...]], rows: str
) -> None:
    first, second = local.connect("d"), local.connect("d")
    between(lambda: second.execute(ddl))
    assert first.execute(f"INSERT INTO t (k, v) {rows}") == 1
    assert sorted(first.query("SELECT * FROM t")) == sorted(left)


def test_a_stream_load_goes_into_its_table_as_it_is_under_the_lock(local: Local, between: Between) -> None:
    second = local.connect("d")
    between(lambda: second.execute("ALTER TABLE t ADD COLUMN w INT DEFAULT '7'"))
    request = read({"columns": "k,v", "column_separator": ","})
    assert run(local.engine, second.context, "d", "t", request, b"2,5").loaded == 1
    assert second.query("SELECT * FROM t WHERE k = 2") == [(2, 5, 7)]


@pytest.mark.parametrize(
    ("text", "ddl", "kind"),
    [
        (UPDATE, "DROP TABLE u", TABLE_NOT_FOUND),
        (UPDATE, "DROP TABLE u FORCE", TABLE_NOT_FOUND),
        (UPDATE, "DROP TABLE t", NO_SUCH_TABLE),
        (UPDATE, "ALTER TABLE u RENAME COLUMN v w", UNKNOWN_COLUMN),
        (INSERT, "ALTER TABLE t ADD COLUMN w INT", COLUMN_COUNT),
        (INSERT, "DROP TABLE t", NO_SUCH_TABLE),
    ],
)
def test_what_is_gone_is_an_error_in_the_words_of_its_name(
    local: Local, between: Between, text: str, ddl: str, kind: Kind
) -> None:
    first, second = local.connect("d"), local.connect("d")
    between(lambda: second.execute(ddl))
    with pytest.raises(DorisError) as refused:
        first.execute(text)
    assert refused.value.kind is kind


def test_a_delete_leaves_a_partition_in_the_recycle_bin_alone(local: Local, between: Between) -> None:
    first, second = local.connect("d"), local.connect("d")
    between(lambda: second.execute("ALTER TABLE plain DROP PARTITION p2"))
    assert first.execute("DELETE FROM plain WHERE v > 0") == 1
    first.execute("RECOVER PARTITION p2 FROM plain")
    assert first.query("SELECT k FROM plain") == [(11,)]


@pytest.mark.parametrize("statement", [SUM, "INSERT INTO t VALUES (2, 2)", "INSERT OVERWRITE TABLE t VALUES (2, 2)"])
def test_a_table_that_changes_every_time_is_held_in_the_last_attempt(
    local: Local, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    first, second, done = local.connect("d"), local.connect("d"), list[str]()
    apply = local.database.apply

    def overtaken(work: Work, watch: Watch | None = None) -> Commit:
        if watch is first.context and not local.database.locks.catalog.is_mine:
            done.append("again")
            second.execute(f"ALTER TABLE t ADD COLUMN w{len(done)} INT; ALTER TABLE t DROP COLUMN w{len(done)}")
            second.execute(f"ALTER TABLE u MODIFY COMMENT '{len(done)}'")
        return apply(work, watch)

    monkeypatch.setattr(local.database, "apply", overtaken)
    assert first.execute(statement) == 1
    assert len(done) == MOST_ATTEMPTS - 1
    assert local.database.locks.held() == []


def test_begin_fails_when_a_row_that_was_read_has_changed(local: Local) -> None:
    """Even if an earlier statement of the same transaction wrote the row, too."""
    first, second = local.connect("d"), local.connect("d")
    first.execute("BEGIN; INSERT INTO t VALUES (1, 0); UPDATE t SET v = v + 1 WHERE k = 1")
    second.execute("UPDATE t SET v = 200 WHERE k = 1")
    with pytest.raises(DorisError, match="changed by another transaction"):
        first.execute("COMMIT")
    assert first.query("SELECT v FROM t WHERE k = 1") == [(200,)]


@pytest.mark.parametrize(
    ("statements", "left"),
    [
        ("DELETE FROM t WHERE k = 1; DELETE FROM t WHERE k <= 11", []),
        ("DELETE FROM t WHERE k = 1; UPDATE t SET v = v + 1 WHERE k = 1", [(1, 101), (11, 5000)]),
        ("UPDATE t SET v = 7 WHERE k = 1; UPDATE t SET v = v + 1 WHERE k = 1", [(1, 101), (11, 5000)]),
    ],
)
def test_a_transaction_is_no_conflict_for_itself(local: Local, statements: str, left: list[tuple[int, int]]) -> None:
    session: Session = local.connect("d")
    session.execute(f"BEGIN; {statements}; COMMIT")
    assert session.query("SELECT * FROM t ORDER BY k") == left
