"""The clock of change data: commits go on growing when it steps back, and what has expired stays expired."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.errors import OFFSET_EXPIRED, DorisError
from tests.local import Local, Session
from tests.unit.storage.shop import ManualClock

HOUR = 3_600_000


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def session(tmp_path: Path, clock: ManualClock) -> Iterator[Session]:
    """A session on a table with a TTL of one hour and a stream of each type."""
    local = Local(tmp_path, clock)
    session = local.connect()
    session.execute("CREATE DATABASE d; USE d; SET time_zone = 'UTC'")
    session.execute(
        "CREATE TABLE t (k INT, v INT) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1 PROPERTIES"
        ' ("changelog.enable" = "true", "changelog.need_historical_value" = "true", "changelog.ttl_seconds" = "3600")'
    )
    session.execute("CREATE TABLE sink (k INT, v INT) DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1")
    session.execute("INSERT INTO t VALUES (1, 1)")
    session.execute("CREATE STREAM net ON TABLE t")
    session.execute('CREATE STREAM steps ON TABLE t PROPERTIES ("type" = "detail")')
    yield session
    local.close()


def _tsos(session: Session) -> list[object]:
    text = 'SELECT __DORIS_CHANGELOG_TSO__ FROM changelog("table" = "t") ORDER BY __DORIS_CHANGELOG_TSO__'
    return [tso for (tso,) in session.query(text)]


def test_commits_grow_over_a_step_back(session: Session, clock: ManualClock) -> None:
    """Nothing is lost or repeated for a stream, whose offset lies ahead of the clock."""
    clock.now -= 2 * HOUR
    session.execute("UPDATE t SET v = 2 WHERE k = 1")
    session.execute("INSERT INTO sink SELECT k, v FROM net")
    session.execute("UPDATE t SET v = 3 WHERE k = 1")
    tsos = _tsos(session)
    assert tsos == sorted(set(map(int, map(str, tsos))))
    assert session.query("SELECT v FROM net ORDER BY v") == [(2,), (3,)]
    assert session.query("SELECT v FROM steps ORDER BY __DORIS_STREAM_SEQUENCE_COL__, __DORIS_STREAM_LSN_COL__") == [
        (1,), (2,), (2,), (3,),
    ]  # fmt: skip


def test_what_has_expired_stays_expired(session: Session, clock: ManualClock) -> None:
    """The reference of a statement is never before a commit, so a step back does not bring changes to life."""
    session.execute("UPDATE t SET v = 2 WHERE k = 1")
    clock.now += HOUR
    session.execute("UPDATE t SET v = 3 WHERE k = 1")
    with pytest.raises(DorisError) as expired:
        session.query("SELECT k FROM net")
    assert expired.value.kind is OFFSET_EXPIRED
    clock.now -= 3 * HOUR
    with pytest.raises(DorisError) as still:
        session.query("SELECT k FROM net")
    assert still.value.kind is OFFSET_EXPIRED
    assert session.query("SELECT v FROM steps ORDER BY v") == [(2,), (3,)]


def test_the_edge_of_retention(session: Session, clock: ManualClock) -> None:
    """Of equal age as the TTL is expired; one millisecond younger is not."""
    session.execute("UPDATE t SET v = 2 WHERE k = 1")
    clock.now += HOUR - 1
    assert session.query("SELECT v FROM net ORDER BY v") == [(1,), (2,)]
    assert session.query('SELECT count(*) FROM t@incr("incrementType" = "DETAIL")') == [(3,)]
    clock.now += 1
    assert session.query('SELECT count(*) FROM t@incr("incrementType" = "DETAIL")') == [(0,)]
    with pytest.raises(DorisError) as expired:
        session.query("SELECT v FROM net")
    assert expired.value.kind is OFFSET_EXPIRED


def test_the_edge_of_a_start(session: Session, clock: ManualClock) -> None:
    """An asked-for start is expired when its millisecond is; the second after it is not."""
    start = clock.now // 1000
    clock.now = start * 1000 + HOUR
    texts = [f"2027-01-15 08:00:{second:02}" for second in (0, 1)]
    assert start == 1_800_000_000  # which is the first of these moments
    with pytest.raises(DorisError) as expired:
        session.query(f'SELECT k FROM t@incr("startTimestamp" = "{texts[0]}")')
    assert expired.value.kind is OFFSET_EXPIRED
    assert session.query(f'SELECT k FROM t@incr("startTimestamp" = "{texts[1]}")') == []


def test_offsets_of_dropped_partitions_are_cleaned_at_their_interval(session: Session, clock: ManualClock) -> None:
    """A partition that comes back before keeps its offset, one that comes back after is read from its start."""
    session.execute(
        "CREATE TABLE p (k INT) DUPLICATE KEY(k) PARTITION BY RANGE(k) (PARTITION p1 VALUES LESS THAN (10))"
        ' DISTRIBUTED BY HASH(k) BUCKETS 1 PROPERTIES ("changelog.enable" = "true")'
    )
    session.execute("INSERT INTO p VALUES (1)")
    session.execute("CREATE STREAM ps ON TABLE p")
    database = session.engine.database
    for waited, pending in ((3_599, 0), (3_600, 1)):
        session.execute("ALTER TABLE p DROP PARTITION p1")
        clock.now += waited * 1000
        database.clean_up()
        session.execute("RECOVER PARTITION p1 FROM p")
        assert session.query("SELECT count(*) FROM ps") == [(pending,)]


def test_offsets_of_a_dropped_base_table_wait_for_recover(session: Session, clock: ManualClock) -> None:
    """A stream whose base table comes out of the recycle bin goes on where it stood."""
    session.execute("UPDATE t SET v = 2 WHERE k = 1")
    session.execute("DROP TABLE t")
    clock.now += HOUR - 1
    session.engine.database.clean_up()
    session.execute("RECOVER TABLE t")
    assert session.query("SELECT v FROM net ORDER BY v") == [(1,), (2,)]
