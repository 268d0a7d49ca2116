"""apply: all of a work or nothing, with the declared errors, and no lock or TSO left behind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from storage import naming
from storage.catalog.catalog import Catalog
from storage.catalog.model import Model
from storage.change.detail import detail
from storage.change.window import Window
from storage.database import Database
from storage.errors import (
    EXECUTION_FAILED,
    INTERRUPTED,
    LABEL_USED,
    OFFSET_CONSUMED,
    ROW_CHANGED,
    TABLE_CHANGED,
    UNKNOWN_PARTITION_ID,
    UNKNOWN_TABLE_ID,
    DorisError,
    Kind,
)
from storage.relation import current
from storage.work import ABSENT, PENDING, Batch, Label, Move, Predicate, Query, Stoppable, Work, Write
from tests.unit.storage.shop import ManualClock, alter, batch, change, make_stream, make_table, put, select, write


def fails(database: Database, work: Work, kind: Kind) -> DorisError:
    """The work is refused with this kind of error and leaves nothing behind."""
    before = (database.catalog, [select(database, current(t, None)) for t in database.catalog.tables.values()])
    with pytest.raises(DorisError) as raised:
        database.apply(work)
    assert raised.value.kind is kind
    after = (database.catalog, [select(database, current(t, None)) for t in database.catalog.tables.values()])
    assert after == before
    assert database.locks.held() == []
    assert not database.timestamps.inflight
    return raised.value


def test_versions_count_from_two_and_follow_each_write(database: Database) -> None:
    table = make_table(database, "t", parts=2)
    first = put(database, table, [(1, "a")])
    second = put(database, table, [(1, "b")])
    reader = database.reader()
    part = table.partitions[0].id
    assert {part: (found.tso, found.version) for part, found in reader.versions(table.id).items()} == {
        part: (second.tso, 3)
    }
    reader.close()
    assert first.tso < second.tso
    assert second.transaction_id == first.transaction_id + 1


def test_one_work_over_two_tables_has_one_tso_and_running_lsn(database: Database) -> None:
    one, two = make_table(database, "one"), make_table(database, "two", Model.DUPLICATE)
    commit = database.apply(Work((write(one, batch(one, [(1, "a"), (2, "b")])), write(two, batch(two, [(1, "x")])))))
    assert commit.affected == (2, 1)
    lsn = f"SELECT {naming.TSO}, {naming.LSN} FROM"
    assert select(database, f"{lsn} t_{one.id}") == [(commit.tso, 1), (commit.tso, 2)]
    assert select(database, f"{lsn} t_{two.id}") == [(commit.tso, 3)]


def test_an_error_in_the_second_write_undoes_the_first(database: Database) -> None:
    one, two = make_table(database, "one"), make_table(database, "two", Model.DUPLICATE)
    works = (write(one, batch(one, [(1, "a")])), write(two, Predicate("error('stop') = k OR k > 0")))
    put(database, two, [(5, "x")])
    error = fails(database, Work(works), EXECUTION_FAILED)
    assert "stop" in error.message


def test_writes_are_checked_against_the_newest_catalog(database: Database) -> None:
    table = make_table(database, "t", parts=2)
    rows = batch(table, [(1, "a")], part=1)
    stale = Work((write(table, rows),))
    alter(database, table.id, partitions=table.partitions[:1])
    fails(database, stale, UNKNOWN_PARTITION_ID)
    alter(database, table.id, schema_version=1)
    fails(database, Work((write(table, batch(table, [(1, "a")])),)), TABLE_CHANGED)
    alter(database, table.id, dropped_at=1)
    fails(database, stale, UNKNOWN_TABLE_ID)


def test_a_refused_change_publishes_nothing(database: Database) -> None:
    def refuse(catalog: Catalog) -> Catalog:
        raise UNKNOWN_TABLE_ID(id=0)

    fails(database, Work(change=refuse), UNKNOWN_TABLE_ID)
    version = database.catalog.version
    change(database, lambda catalog: catalog)
    assert database.catalog.version == version


def test_a_change_may_create_the_table_that_the_same_work_fills(database: Database) -> None:
    table = make_table(database, "t")
    database_id, ids = table.database_id, database.reserve_ids(2)

    def create(catalog: Catalog) -> Catalog:
        part = replace(table.partitions[0], id=ids[1])
        return catalog.with_table(replace(table, id=ids[0], database_id=database_id, name="u", partitions=(part,)))

    rows = batch(table, [(1, "a"), (1, "b")]).rows.drop_columns([naming.PART])
    rows = rows.append_column(naming.PART, [[ids[1]] * 2])
    database.apply(Work((Write(ids[0], 0, Batch(rows)),), change=create))
    assert select(database, f"SELECT k, v FROM t_{ids[0]}") == [(1, "b")]


def test_a_label_is_stored_once(database: Database) -> None:
    table = make_table(database, "t")
    work = Work((write(table, batch(table, [(1, "a")])),), label=Label(1, "load"))
    number = database.apply(work).transaction_id
    error = fails(database, work, LABEL_USED)
    assert error.message == f"Label [load] has already been used, relate to txn [{number}]"
    database.apply(Work(work.writes, label=Label(2, "load")))


class Killed:
    """A watch whose statement was stopped while its rows were being written."""

    def running(self, call: Stoppable) -> None:
        """Nothing is stopped yet."""

    def waiting(self) -> None:
        """Nor while it waits."""

    def committing(self) -> None:
        raise INTERRUPTED()


class KilledByCursor(Killed):
    """A watch that interrupts the call it is told of."""

    def running(self, call: Stoppable) -> None:
        call.interrupt()

    def committing(self) -> None:
        raise AssertionError("an interrupted call came to its COMMIT")


@pytest.mark.parametrize("watch", [Killed(), KilledByCursor()])
def test_a_work_may_be_stopped_until_its_commit_and_leaves_nothing(database: Database, watch: Killed) -> None:
    table = make_table(database, "t")
    columns = "SELECT 1 AS k, 'a' AS v, " + f"{table.partitions[0].id} AS __doris_part"
    for source in (batch(table, [(1, "a")]), Query(columns)):
        with pytest.raises(DorisError) as stopped:
            database.apply(Work((Write(table.id, table.schema_version, source),), label=Label(1, "x")), watch)
        assert stopped.value.kind is INTERRUPTED
    assert select(database, f"SELECT * FROM t_{table.id}") == []
    assert database.locks.held() == []


class TestOffsets:
    """Compare-and-set of stream offsets."""

    def move(self, database: Database, stream_id: int, part: int, expected: int, to: int) -> Work:
        return Work(moves=(Move(stream_id, part, expected, to, ("shop", "s")),))

    def test_the_first_offset_is_behind_everything(self, database: Database) -> None:
        table = make_table(database, "t", parts=2)
        commit = put(database, table, [(1, "a")])
        stream = make_stream(database, table)
        parts = [part.id for part in table.partitions]
        reader = database.reader()
        assert {p: o.tso for p, o in reader.offsets(stream.id).items()} == {parts[0]: commit.tso, parts[1]: 0}
        assert {o.consumed_ms for o in reader.offsets(stream.id).values()} == {-1}
        reader.close()

    def test_with_initial_rows_only_partitions_with_data_are_pending(self, database: Database) -> None:
        table = make_table(database, "t", parts=2)
        put(database, table, [(1, "a")])
        stream = make_stream(database, table, initial=True)
        reader = database.reader()
        offsets = reader.offsets(stream.id)
        reader.close()
        assert {part: offset.tso for part, offset in offsets.items()} == {table.partitions[0].id: PENDING}

    def test_each_state_moves_once(self, database: Database, clock: ManualClock) -> None:
        table = make_table(database, "t", parts=2)
        put(database, table, [(1, "a")])
        stream = make_stream(database, table, initial=True)
        full, empty = (part.id for part in table.partitions)
        for part, expected in ((full, PENDING), (empty, ABSENT)):
            work = self.move(database, stream.id, part, expected, 7)
            database.apply(work)
            error = fails(database, work, OFFSET_CONSUMED)
            assert error.message == f"target offset already consumed: shop-s-{part}-N/A vs 7"
            database.apply(self.move(database, stream.id, part, 7, 9))
            error = fails(database, self.move(database, stream.id, part, 7, 9), OFFSET_CONSUMED)
            assert error.message.endswith(f"{part}-7 vs 9")
        reader = database.reader()
        assert {(o.tso, o.consumed_ms) for o in reader.offsets(stream.id).values()} == {(9, clock.now)}
        reader.close()

    def test_a_lost_race_writes_nothing_to_the_target(self, database: Database) -> None:
        table, target = make_table(database, "t"), make_table(database, "target", Model.DUPLICATE)
        stream = make_stream(database, table)
        move = Move(stream.id, table.partitions[0].id, 0, 5, ("shop", "s"))
        work = Work((write(target, batch(target, [(1, "a")])),), (move,))
        database.apply(work)
        fails(database, work, OFFSET_CONSUMED)

    def test_offsets_of_a_truncated_partition_are_gone(self, database: Database) -> None:
        table = make_table(database, "t")
        stream = make_stream(database, table)
        old = table.partitions[0]
        alter(database, table.id, partitions=(replace(old, id=database.reserve_ids(1)[0]),))
        fails(database, self.move(database, stream.id, old.id, 0, 5), OFFSET_CONSUMED)
        change(database, lambda catalog: catalog.without_stream(stream.id))
        assert select(database, "SELECT * FROM sys_stream_offset") == []


class TestMetVersions:
    """UPDATE and DELETE inside BEGIN … COMMIT name the versions they met."""

    def met(self, database: Database, table_id: int) -> Batch:
        names = f"k, 'mine' AS v, {naming.PART}, {naming.TSO} AS {naming.MET_TSO}, {naming.LSN} AS {naming.MET_LSN}"
        reader = database.reader()
        rows = reader.table(f"SELECT {names} FROM t_{table_id}")
        reader.close()
        return Batch(rows)

    def test_an_unchanged_row_is_written(self, database: Database) -> None:
        table = make_table(database, "t")
        put(database, table, [(1, "a"), (2, "b")])
        database.apply(Work((write(table, self.met(database, table.id)),)))
        assert select(database, f"SELECT k, v FROM t_{table.id}") == [(1, "mine"), (2, "mine")]

    @pytest.mark.parametrize("deletes", [[], [0]], ids=["updated", "deleted"])
    def test_a_row_another_transaction_touched_fails_all(self, database: Database, deletes: list[int]) -> None:
        table = make_table(database, "t")
        put(database, table, [(1, "a"), (2, "b")])
        staged = self.met(database, table.id)
        put(database, table, [(1, "other")], deletes=deletes)
        fails(database, Work((write(table, staged),)), ROW_CHANGED)

    def test_a_row_the_same_transaction_wrote_before_is_fine(self, database: Database) -> None:
        table = make_table(database, "t")
        commit = put(database, table, [(1, "a")])
        staged = self.met(database, table.id)
        second = database.apply(Work((write(table, batch(table, [(1, "first")])), write(table, staged))))
        rows = select(database, detail(table, [Window(table.partitions[0].id, commit.tso, second.tso)]))
        assert [row[:3] for row in sorted(rows, key=lambda row: row[4])] == [  # type: ignore[arg-type, return-value]
            (1, "a", "UPDATE_BEFORE"),
            (1, "first", "UPDATE_AFTER"),
            (1, "first", "UPDATE_BEFORE"),
            (1, "mine", "UPDATE_AFTER"),
        ]


def test_a_query_is_evaluated_under_the_lock_and_sees_earlier_writes_of_its_work(database: Database) -> None:
    table = make_table(database, "t")
    put(database, table, [(1, "a")])
    query = Query(f"SELECT k, v || '!' AS v, {naming.PART} FROM t_{table.id}")
    commit = database.apply(Work((write(table, batch(table, [(2, "b")])), write(table, query))))
    assert commit.affected == (1, 2)
    assert select(database, f"SELECT k, v FROM t_{table.id}") == [(1, "a!"), (2, "b!")]
