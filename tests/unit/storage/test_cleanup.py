"""The background cleanup: expired changes go with a mark, dropped objects and old labels go, base rows stay."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from storage.audit import audit
from storage.catalog.catalog import Catalog
from storage.catalog.model import Changelog, Model, Table
from storage.changelog import records
from storage.cleanup import Cleaner
from storage.config import Config
from storage.cursor import Cursor
from storage.database import Database
from storage.errors import LABEL_USED, STORAGE_FAILURE, DorisError
from storage.relation import current
from storage.table import history, key_order
from storage.tso import to_ms
from storage.work import Label, Purge, Sort, Work
from tests.unit.storage.shop import ManualClock, alter, batch, change, make_table, put, select, write


@pytest.fixture
def cleaner(database: Database, config: Config) -> Cleaner:
    config.override("enable_feature_changelog", "true")
    return Cleaner(database)


def purged(database: Database, table_id: int) -> int:
    reader = database.reader()
    try:
        return reader.purged_tso(table_id)
    finally:
        reader.close()


def test_expired_changes_go_and_base_rows_stay(database: Database, clock: ManualClock, cleaner: Cleaner) -> None:
    table = make_table(database, "t")
    put(database, table, [(1, "a"), (2, "b")])
    put(database, table, [(1, "x"), (2, "b")], deletes=[1])
    clock.now += 60_000
    last = put(database, table, [(1, "y")])
    clock.now += 86_400_000 - 60_000
    cleaner.run()
    assert select(database, f"SELECT k, v FROM ({current(table, None)})") == [(1, "y")]
    kept = select(database, records(table, None, purged(database, table.id)))
    assert [(row[0], row[1], row[4], row[5]) for row in kept] == [(1, last.tso, "y", "x")]
    assert to_ms(purged(database, table.id)) == clock.now - 86_400_000
    assert audit(database) == []


def test_slices_end_at_the_horizon(
    database: Database, clock: ManualClock, cleaner: Cleaner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "SLICE_ROWS", 3)
    table = make_table(database, "t")
    for round_ in range(10):
        put(database, table, [(1, str(round_)), (2, str(round_))])
        clock.now += 1
    clock.now += 86_400_000
    cleaner.run()
    assert select(database, f"SELECT * FROM h_{table.id}") == []
    before = database.catalog.version
    cleaner.run()
    assert database.catalog.version == before


def test_an_idle_table_is_marked_once(database: Database, clock: ManualClock, cleaner: Cleaner) -> None:
    table = make_table(database, "d", Model.DUPLICATE, history=False)
    put(database, table, [(1, "a")])
    clock.now += 86_400_000
    cleaner.run()
    mark = purged(database, table.id)
    clock.now += 5_000
    cleaner.run()
    assert purged(database, table.id) == mark > 0
    assert select(database, records(table, None, mark)) == []
    assert len(select(database, current(table, None))) == 1


def test_a_mark_never_goes_back(database: Database) -> None:
    table = make_table(database, "t")
    put(database, table, [(1, "a")])
    for tso in (9, 5):
        database.apply(Work(purges=(Purge(table.id, tso),)))
    assert purged(database, table.id) == 9


def test_a_table_can_keep_its_changes(database: Database, clock: ManualClock, cleaner: Cleaner) -> None:
    held = make_table(database, "held", parts=2, properties=(("disable_auto_compaction", "true"),))
    endless = make_table(database, "endless")
    alter(database, endless.id, changelog=Changelog(2**63 - 1, True))
    for table in (held, endless):
        put(database, table, [(1, "a")])
        put(database, table, [(1, "b")])
    clock.now += 10**10
    cleaner.run()
    for table in (held, endless):
        assert len(select(database, records(table, None, purged(database, table.id)))) == 2


def test_the_recycle_bin_is_emptied_by_age(database: Database, clock: ManualClock, cleaner: Cleaner) -> None:
    old, young, cut = (make_table(database, name, parts=2) for name in ("old", "young", "cut"))
    put(database, cut, [(1, "a")])
    now = clock.now
    alter(database, old.id, dropped_at=now)
    alter(database, cut.id, partitions=(replace(cut.partitions[0], dropped_at=now), cut.partitions[1]))
    clock.now += 86_400_000 + 1
    alter(database, young.id, dropped_at=clock.now)
    cleaner.run()
    assert set(database.catalog.tables) == {young.id, cut.id}
    assert database.catalog.tables[cut.id].partitions == cut.partitions[1:]
    assert select(database, f"SELECT * FROM t_{cut.id}") == []


def test_tables_at_rest_are_sorted_by_key(
    database: Database, clock: ManualClock, cleaner: Cleaner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(key_order, "LEAST_ROWS", 4)
    table = make_table(database, "t", parts=2)
    held = make_table(database, "held", parts=2, properties=(("disable_auto_compaction", "true"),))
    for one in (table, held):
        put(database, one, [(4, "d"), (2, "b")], part=1)
        put(database, one, [(3, "c"), (1, "a")])
    cleaner.run()
    assert in_place(database, table) == [4, 2, 3, 1]
    clock.now += key_order.IDLE_MS + 1
    cleaner.run()
    assert in_place(database, table) == [1, 3, 2, 4]
    assert in_place(database, held) == [4, 2, 3, 1]
    assert audit(database) == []


def test_a_short_tail_is_left_unsorted(
    database: Database, clock: ManualClock, cleaner: Cleaner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(key_order, "LEAST_ROWS", 4)
    table = make_table(database, "t")
    put(database, table, [(key, "a") for key in (8, 6, 4, 2)])
    for written, order in (([1], [2, 4, 6, 8, 1]), ([5], [1, 2, 4, 5, 6, 8])):
        clock.now += key_order.IDLE_MS + 1
        cleaner.run()
        put(database, table, [(key, "b") for key in written])
        clock.now += key_order.IDLE_MS + 1
        cleaner.run()
        assert in_place(database, table) == order


@pytest.mark.parametrize("change", ["write", "alter", "drop"])
def test_a_copy_that_was_overtaken_is_thrown_away(
    database: Database, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """Sorting keeps nobody waiting: what is written while the copy is made stays, unsorted."""
    table = make_table(database, "t")
    put(database, table, [(3, "c"), (1, "a")])
    copied = key_order.copied

    def overtaken(cursor: Cursor, catalog: Catalog, table_id: int) -> Sort:
        copy = copied(cursor, catalog, table_id)
        if change == "write":
            put(database, table, [(2, "b")])
        else:
            alter(database, table.id, **({"comment": "new"} if change == "alter" else {"dropped_at": 1}))
        return copy

    monkeypatch.setattr(key_order, "copied", overtaken)
    database.sort(table.id)
    assert in_place(database, table) == ([3, 1, 2] if change == "write" else [3, 1])
    assert select(database, "SELECT table_name FROM duckdb_tables() WHERE contains(table_name, 'copy')") == []
    monkeypatch.undo()
    database.sort(table.id)
    assert in_place(database, table) == {"write": [1, 2, 3], "alter": [1, 3], "drop": [3, 1]}[change]


def test_a_copy_left_by_a_killed_process_is_dropped_at_the_next_start(tmp_path: Path, config: Config) -> None:
    database = Database(tmp_path, config)
    table = make_table(database, "t")
    put(database, table, [(3, "c"), (1, "a")])
    with database._duck.transaction() as cursor:  # killed between the copy and its taking place
        key_order.copied(cursor, database.catalog, table.id)
    database.close()
    database = Database(tmp_path, config)
    assert select(database, "SELECT table_name FROM duckdb_tables() WHERE contains(table_name, 'copy')") == []
    assert in_place(database, table) == [3, 1]
    database.close()


def in_place(database: Database, table: Table) -> list[object]:
    """The keys in the order in which the rows lie."""
    reader = database.reader()
    try:
        return list(reader.table(f"SELECT k FROM t_{table.id} ORDER BY rowid")["k"].to_pylist())
    finally:
        reader.close()


def test_old_labels_can_be_used_again(database: Database, clock: ManualClock, cleaner: Cleaner) -> None:
    table = make_table(database, "t")
    first, work = (Work((write(table, batch(table, [(1, v)])),), label=Label(1, "load")) for v in ("a", "b"))
    database.apply(first)
    for age in (0, 43_200_000):
        clock.now += age
        cleaner.run()
        with pytest.raises(DorisError) as used:
            database.apply(work)
        assert used.value.kind is LABEL_USED
    clock.now += 1
    cleaner.run()
    database.apply(work)
    assert select(database, f"SELECT k, v FROM t_{table.id}") == [(1, "b")]


def test_a_failing_pass_is_tried_again(
    database: Database, cleaner: Cleaner, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = make_table(database, "t")
    change(database, lambda catalog: catalog)

    def refuse(before_ms: int) -> None:
        raise STORAGE_FAILURE(reason=f"disk full at {before_ms}")

    monkeypatch.setattr(database, "forget_labels", refuse)
    cleaner.run()
    assert "disk full" in caplog.text
    assert table.id in database.catalog.tables
