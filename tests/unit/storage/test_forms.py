"""The change forms on the cases the documents name (Doris: Table Stream, consume types; Changelog, records)."""

from __future__ import annotations

from storage.change.append import append_only
from storage.change.delta import min_delta
from storage.change.detail import detail
from storage.change.window import Window, branches, scope
from storage.changelog import records
from storage.database import Database
from storage.naming import DELETE
from storage.types import STRING
from storage.work import Query, Work
from tests.unit.storage.shop import column, make_table, put, select, write

LIGHT = (("enable_mow_light_delete", "true"),)


def test_the_worked_example(database: Database) -> None:
    table = make_table(database, "tickets")
    start = put(database, table, [(1, "new"), (2, "new"), (3, "new")])
    put(database, table, [(1, "sold")])
    put(database, table, [(2, None)], deletes=[0])
    put(database, table, [(4, "new")])
    put(database, table, [(5, "new")])
    end = put(database, table, [(5, None)], deletes=[0])
    windows = [Window(table.partitions[0].id, start.tso, end.tso)]
    common = [(1, "new", "UPDATE_BEFORE"), (1, "sold", "UPDATE_AFTER"), (2, "new", "DELETE"), (4, "new", "APPEND")]
    assert [row[:3] for row in select(database, min_delta(table, windows))] == common
    five = [(5, "new", "APPEND"), (5, "new", "DELETE")]
    assert [row[:3] for row in select(database, detail(table, windows))] == [*common, *five]
    appended = [(4, "new", "APPEND"), (5, "new", "APPEND")]
    assert [row[:3] for row in select(database, append_only(table, windows))] == appended


def test_a_key_that_came_back_and_went_again_carries_the_number_of_its_last_delete(database: Database) -> None:
    table = make_table(database, "t")
    start = put(database, table, [(1, "before")])
    put(database, table, [(1, None)], deletes=[0])
    put(database, table, [(1, "between")])
    end = put(database, table, [(9, "x"), (1, None)], deletes=[1])
    windows = [Window(table.partitions[0].id, start.tso, end.tso)]
    assert select(database, min_delta(table, windows)) == [
        (1, "before", "DELETE", end.tso, 4),
        (9, "x", "APPEND", end.tso, 2),
    ]


def test_a_row_removed_without_a_record_is_still_the_last_record_of_its_key(database: Database) -> None:
    table = make_table(database, "t", properties=LIGHT)
    first = put(database, table, [(1, "a"), (2, "b")])
    second = put(database, table, [(1, "x")])
    remove = Query(f"SELECT *, true AS {DELETE} FROM t_{table.id} WHERE k = 1")
    end = database.apply(Work((write(table, remove),)))
    part = table.partitions[0].id
    assert select(database, f"SELECT k FROM t_{table.id}") == [(2,)]
    assert select(database, min_delta(table, [Window(part, first.tso, end.tso)])) == [
        (1, "a", "UPDATE_BEFORE", second.tso, 2),
        (1, "x", "UPDATE_AFTER", second.tso, 3),
    ]
    assert select(database, min_delta(table, [Window(part, 0, end.tso)])) == [
        (1, "x", "APPEND", second.tso, 2),
        (2, "b", "APPEND", first.tso, 4),
    ]
    assert [row[0] for row in select(database, records(table, None, 0))] == [0, 0, 1]


def test_without_history_nothing_of_the_old_row_shows(database: Database) -> None:
    table = make_table(database, "t", history=False)
    put(database, table, [(1, "a"), (2, "b")])
    end = put(database, table, [(1, "x"), (2, None)], deletes=[1])
    rows = select(database, detail(table, [Window(table.partitions[0].id, 0, end.tso)]))
    assert {row[:3] for row in rows} >= {(1, None, "UPDATE_BEFORE"), (2, None, "DELETE"), (1, "x", "UPDATE_AFTER")}
    found = select(database, records(table, None, 0))
    assert [(row[0], row[3:]) for row in found] == [(0, (1, "a")), (0, (2, "b")), (1, (1, "x")), (2, (2, None))]


def test_one_pair_of_bounds_is_literal_and_fresh_partitions_stand_apart(database: Database) -> None:
    table = make_table(database, "t", parts=3)
    one, two, three = (part.id for part in table.partitions)
    whole = scope(table, [Window(part, 5, 9) for part in (one, two, three)])
    assert (whole.join, whole.parts, whole.starts("x")) == ("", "", "x > 5 AND x <= 9")
    assert "IN" in scope(table, [Window(one, 5, 9)]).parts
    mixed = scope(table, [Window(one, 5, 9), Window(two, 6, 9)])
    assert "VALUES" in mixed.join
    assert mixed.starts("x").endswith("x > 5 AND x <= 9")
    groups = branches([Window(one, 0, 9), Window(two, 6, 9), Window(three, 0, 7)])
    assert [[window.part_id for window in group] for group in groups] == [[two], [one, three]]


def test_keys_are_compared_null_safe_only_where_one_may_be_null(database: Database) -> None:
    loose = make_table(database, "loose", columns=(column(0, "k", key=True), column(1, "v", STRING)))
    strict = make_table(database, "strict")
    texts = [min_delta(table, [Window(table.partitions[0].id, 1, 2)]) for table in (loose, strict)]
    assert ["IS NOT DISTINCT FROM" in text for text in texts] == [True, False]
    first = put(database, loose, [(None, "a"), (1, "a")])
    second = put(database, loose, [(None, "b")])
    found = select(database, min_delta(loose, [Window(loose.partitions[0].id, first.tso, second.tso)]))
    assert sorted(row[:3] for row in found) == [(None, "a", "UPDATE_BEFORE"), (None, "b", "UPDATE_AFTER")]
