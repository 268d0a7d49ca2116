"""Writers that wait at the same time are committed by one of them: each with its own TSO, version and outcome."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest

from storage import together, transaction
from storage.audit import audit
from storage.catalog.model import Model, Table
from storage.config import Config
from storage.cursor import Cursor
from storage.database import Database
from storage.errors import CAST_VALUE, OFFSET_CONSUMED, UNKNOWN_PARTITION_ID, DorisError
from storage.naming import PART
from storage.table.batch import Prepared
from storage.table.write import write
from storage.types import DATE
from storage.work import Batch, Commit, Move, Work, Write
from tests.unit.storage.shop import Row, batch, change, column, make_stream, make_table, select
from tests.unit.storage.together import Pause, commit_together
from tests.waiting import wait


def _put(database: Database, table: Table, rows: Sequence[Row], **options: object) -> Commit:
    moves = options.pop("moves", ())
    work = Work((Write(table.id, table.schema_version, batch(table, rows, **options)),), moves)  # type: ignore[arg-type]
    return database.apply(work)


def _records(database: Database, table: Table) -> list[Row]:
    both = f"SELECT k, v, __doris_tso, __doris_op, __doris_version FROM {{}}_{table.id}"
    return select(database, f"{both.format('t')} UNION ALL {both.format('h')} ORDER BY __doris_tso, k")


def _commits(outcomes: Sequence[object]) -> list[Commit]:
    assert all(isinstance(outcome, Commit) for outcome in outcomes), outcomes
    return [outcome for outcome in outcomes if isinstance(outcome, Commit)]


def test_each_write_keeps_its_own_tso_and_version(database: Database) -> None:
    """Keys that differ are written as one batch; TSOs and versions rise in the order of the line."""
    table = make_table(database, "t")
    calls = [partial(_put, database, table, [(key, f"v{key}")]) for key in range(20)]
    commits = _commits(commit_together(database, table.id, calls))
    tsos = [commit.tso for commit in commits]
    assert tsos == sorted(set(tsos))
    assert len({commit.transaction_id for commit in commits}) == 20
    assert [commit.affected for commit in commits] == [(1,)] * 20
    assert sorted(_records(database, table)) == sorted((k, f"v{k}", tsos[k], 0, 2 + k) for k in range(20))
    assert audit(database) == []


@pytest.mark.parametrize("last", [[(4, "a"), (5, "a"), (6, "a")], [(4, "a"), (4, "b"), (6, "a")]])
def test_rows_are_numbered_in_their_own_write(database: Database, last: list[Row]) -> None:
    """Also where a write has a key twice: the row that goes keeps its number."""
    table = make_table(database, "t")
    calls = [partial(_put, database, table, rows) for rows in ([(1, "a"), (2, "a")], [(3, "a")], last)]
    commits = _commits(commit_together(database, table.id, calls))
    assert [commit.affected for commit in commits] == [(2,), (1,), (3,)]
    numbers = select(database, f"SELECT k, __doris_lsn FROM t_{table.id} ORDER BY k")
    places = {key: place for place, (key, _) in enumerate(last, 1)}
    assert numbers == [(1, 1), (2, 2), (3, 1), *sorted(places.items())]
    assert audit(database) == []


def test_a_key_that_comes_again_has_a_record_for_each_write(database: Database) -> None:
    """Insert, update, delete and insert of one key by four writers of one group, around other keys."""
    table = make_table(database, "t")
    calls = [
        partial(_put, database, table, [(1, "a"), (2, "a")]),
        partial(_put, database, table, [(1, "b"), (3, "b")]),
        partial(_put, database, table, [(1, "b")], deletes=[0]),
        partial(_put, database, table, [(1, "d")]),
    ]
    tsos = [commit.tso for commit in _commits(commit_together(database, table.id, calls))]
    assert tsos == sorted(set(tsos))
    living = select(database, f"SELECT k, v, __doris_tso, __doris_op FROM t_{table.id}")
    assert sorted(living) == [(1, "d", tsos[3], 0), (2, "a", tsos[0], 0), (3, "b", tsos[1], 0)]
    ended = select(database, f"SELECT v, __doris_tso, __doris_op, __doris_end_tso, __doris_end_op FROM h_{table.id}")
    assert sorted(ended) == [("a", tsos[0], 0, tsos[1], 1), ("b", tsos[1], 1, tsos[2], 2)]
    assert audit(database) == []


def test_partitions_and_composite_statements(database: Database) -> None:
    """Each partition counts the commits that wrote it."""
    table = make_table(database, "t", parts=2)
    calls = [partial(_put, database, table, [(key, "x"), (key + 50, "y")], part=key % 2) for key in range(5)]
    tsos = [commit.tso for commit in _commits(commit_together(database, table.id, calls))]
    with_versions = select(database, f"SELECT k, __doris_tso, __doris_version FROM t_{table.id} WHERE k < 50")
    assert sorted(with_versions) == [(k, tsos[k], 2 + k // 2) for k in range(5)]
    first, second = table.partitions
    last = {first.id: (tsos[4], 4), second.id: (tsos[3], 3)}
    found = select(database, f"SELECT part_id, tso, version FROM part_version WHERE table_id = {table.id}")
    assert {part: (tso, version) for part, tso, version in found} == last
    assert audit(database) == []


def test_appends_keep_their_tsos(database: Database) -> None:
    """Rows of a Duplicate Key table carry the TSO of their own statement, equal rows too."""
    table = make_table(database, "d", Model.DUPLICATE, history=False)
    calls = [partial(_put, database, table, [(1, "x")])] * 6
    tsos = [commit.tso for commit in _commits(commit_together(database, table.id, calls))]
    found = [tso for (tso,) in select(database, f"SELECT __doris_tso FROM t_{table.id}")]
    assert found == tsos == sorted(set(tsos))


def test_aggregates_are_merged(database: Database) -> None:
    """One key by six writers is one row with the sum of all."""
    columns = (column(0, "k", key=True), replace(column(1, "v"), aggregation="SUM"))
    table = make_table(database, "a", Model.AGGREGATE, changelog=False, columns=columns)
    _commits(commit_together(database, table.id, [partial(_put, database, table, [(1, 5)])] * 6))
    assert select(database, f"SELECT k, v FROM t_{table.id}") == [(1, 30)]


def test_keys_of_the_year_zero(database: Database) -> None:
    """Doris's calendar begins before Python's."""
    columns = (column(0, "k", DATE, key=True), column(1, "v"))
    table = make_table(database, "t", columns=columns)
    part = pa.array([table.partitions[0].id], pa.int32())

    def put(day: int) -> Commit:
        rows = pa.table({"k": pa.array([day], pa.date32()), "v": pa.array([1]), PART: part})
        return database.apply(Work((Write(table.id, table.schema_version, Batch(rows)),)))

    days = [-719_528, -719_528, -719_162, 0]  # 0000-01-01 twice, 0001-01-01, 1970-01-01
    _commits(commit_together(database, table.id, [partial(put, day) for day in days]))
    found = select(database, f"SELECT CAST(k AS VARCHAR), __doris_op FROM t_{table.id} ORDER BY k")
    assert found == [("0001-01-01 (BC)", 1), ("0001-01-01", 0), ("1970-01-01", 0)]
    assert audit(database) == []


def test_a_bad_write_fails_alone(database: Database) -> None:
    """What only DuckDB refuses fails; the writes around it are there."""
    table = make_table(database, "t")
    text = pa.table({"k": ["no number"], "v": ["x"], PART: pa.array([table.partitions[0].id], pa.int32())})
    calls: list[Callable[[], object]] = [
        partial(_put, database, table, [(1, "a")]),
        lambda: database.apply(Work((Write(table.id, table.schema_version, Batch(text)),))),
        partial(_put, database, table, [(2, "b")]),
    ]
    first, refused, last = commit_together(database, table.id, calls)
    assert isinstance(first, Commit)
    assert isinstance(last, Commit)
    assert isinstance(refused, DorisError)
    assert refused.kind is CAST_VALUE
    assert sorted(select(database, f"SELECT k FROM t_{table.id}")) == [(1,), (2,)]
    assert audit(database) == []


def test_a_fault_of_our_own_hits_no_other(
    database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What nobody declared as an error ends its own statement only; the log tells where it came from."""

    def faulty(cursor: Cursor, batch: Prepared, *rest: object, **named: object) -> None:
        if "bad" in batch.rows["v"].to_pylist():
            raise ZeroDivisionError
        write(cursor, batch, *rest, **named)  # type: ignore[arg-type]

    for module in (together, transaction):
        monkeypatch.setattr(module, "write", faulty)
    table = make_table(database, "t")
    calls = [partial(_put, database, table, [(key, text)]) for key, text in enumerate(("a", "bad", "c"))]
    first, refused, last = commit_together(database, table.id, calls)
    assert isinstance(first, Commit) and isinstance(last, Commit)
    assert isinstance(refused, ZeroDivisionError)
    assert sorted(select(database, f"SELECT k FROM t_{table.id}")) == [(0,), (2,)]
    assert "3 writes are committed one by one" in caplog.text and "ZeroDivisionError" in caplog.text
    assert audit(database) == []


def test_what_was_altered_meanwhile_fails(tmp_path: Path, config: Config) -> None:
    """A writer that stands in line while its table loses the partition is told so when it comes to lead."""
    pause = Pause()
    database = Database(tmp_path, config, step=pause)
    table = make_table(database, "t", parts=2)
    kept = replace(table, partitions=table.partitions[:1])
    with ThreadPoolExecutor(3) as pool:
        pause.at = "published"
        first = pool.submit(_put, database, table, [(1, "a")])
        assert pause.reached.wait(20)
        late = pool.submit(_put, database, table, [(2, "b")], part=1)
        wait(lambda: database.together.waiting(table.id) == 1)
        altered = pool.submit(change, database, lambda catalog: catalog.with_table(kept))
        wait(lambda: database.locks.catalog._waiting > 0)
        pause.over.set()
        assert isinstance(first.result(), Commit)
        altered.result()
        error = late.exception()
    assert isinstance(error, DorisError)
    assert error.kind is UNKNOWN_PARTITION_ID
    database.close()


def test_two_consumers_of_one_partition_in_a_group(database: Database) -> None:
    """The first of the line consumes, the second gets the documented error, a third that moves nothing commits."""
    base, sink = make_table(database, "base"), make_table(database, "sink")
    stream = make_stream(database, base)
    tso = _put(database, base, [(1, "x")]).tso
    move = Move(stream.id, base.partitions[0].id, 0, tso, ("shop", stream.name))
    calls = [
        partial(_put, database, sink, [(1, "one")], moves=(move,)),
        partial(_put, database, sink, [(2, "two")], moves=(move,)),
        partial(_put, database, sink, [(3, "three")]),
    ]
    one, two, three = commit_together(database, sink.id, calls)
    assert isinstance(one, Commit) and isinstance(three, Commit)
    assert isinstance(two, DorisError) and two.kind is OFFSET_CONSUMED
    assert sorted(select(database, f"SELECT k FROM t_{sink.id}")) == [(1,), (3,)]
    assert select(database, "SELECT tso FROM sys_stream_offset") == [(tso,)]


def test_a_large_write_and_a_change_stay_out(database: Database) -> None:
    """Beside a group others go their own way."""
    table = make_table(database, "t")
    _put(database, table, [(key, "x") for key in range(500)])
    assert database.together.waiting(table.id) == 0
