"""Duplicate Key tables: every row is an insert record, DELETE removes rows without one."""

from __future__ import annotations

import pytest

from storage import naming
from storage.catalog.model import Model
from storage.change.append import append_only
from storage.change.delta import min_delta
from storage.change.detail import detail
from storage.change.window import Window
from storage.changelog import records
from storage.database import Database
from storage.relation import current, hidden_columns
from storage.snapshot import image, initial
from storage.types import BIGINT
from storage.work import Predicate, Work
from tests.unit.storage.shop import make_table, put, select, write


def test_equal_keys_stay_and_all_forms_agree(database: Database) -> None:
    table = make_table(database, "d", Model.DUPLICATE, history=False)
    first = put(database, table, [(1, "a"), (1, "a"), (None, None)])
    second = put(database, table, [(1, "b")])
    part = table.partitions[0].id
    rows = [
        (1, "a", "APPEND", first.tso, 2),
        (1, "a", "APPEND", first.tso, 4),
        (1, "b", "APPEND", second.tso, 2),
        (None, None, "APPEND", first.tso, 6),
    ]
    for form in (append_only, detail, min_delta):
        assert select(database, form(table, [Window(part, 0, second.tso)])) == rows
        assert select(database, form(table, [Window(part, first.tso, second.tso)])) == [rows[2]]
    assert select(database, image(table, {part: first.tso})) == [
        (*row[:2], first.tso) for row in rows if row[4] and row[1] != "b"
    ]
    assert {row[2:] for row in select(database, initial(table, {part: 5}))} == {("APPEND", 5, 0)}


@pytest.mark.parametrize("changelog", [True, False])
def test_delete_removes_rows_and_keeps_their_insert_records(database: Database, changelog: bool) -> None:
    table = make_table(database, "d", Model.DUPLICATE, changelog=changelog, history=False, parts=2)
    put(database, table, [(1, "a"), (2, "b"), (3, None)])
    put(database, table, [(4, "a")], part=1)
    commit = database.apply(Work((write(table, Predicate("v = 'a'")),)))
    assert commit.affected == (2,)
    assert [row[:2] for row in select(database, current(table, None))] == [(2, "b"), (3, None)]
    reader = database.reader()
    assert {version.version for version in reader.versions(table.id).values()} == {3}
    reader.close()
    if changelog:
        assert [row[3] for row in select(database, records(table, None, 0))] == [1, 2, 3, 4]
        assert select(database, f"SELECT DISTINCT {naming.END_OP} FROM h_{table.id}") == [(3,)]
    nothing = database.apply(Work((write(table, Predicate("k > 100")),)))
    assert nothing.affected == (0,)


def test_hidden_columns(database: Database) -> None:
    assert hidden_columns(make_table(database, "a", Model.DUPLICATE)) == (("__DORIS_COMMIT_TSO_COL__", BIGINT),)
    assert hidden_columns(make_table(database, "b", Model.DUPLICATE, changelog=False)) == ()
    names = [name for name, _ in hidden_columns(make_table(database, "c"))]
    assert names == ["__DORIS_DELETE_SIGN__", "__DORIS_VERSION_COL__", "__DORIS_COMMIT_TSO_COL__"]


def test_no_windows_give_a_typed_empty_result(database: Database) -> None:
    for model in Model.UNIQUE, Model.DUPLICATE:
        table = make_table(database, model.value, model)
        part = table.partitions[0].id
        reader = database.reader()
        for form in (append_only, detail, min_delta):
            assert reader.table(form(table, [])).schema == reader.table(form(table, [Window(part, 0, 9)])).schema
        assert reader.table(image(table, {})).schema == reader.table(image(table, {part: 9})).schema
        assert reader.table(initial(table, {})).schema == reader.table(initial(table, {part: 9})).schema
        reader.close()
