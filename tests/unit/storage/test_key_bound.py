"""Batches of new keys are told from others, whatever happened to the table before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from storage.audit import audit
from storage.catalog.catalog import Catalog
from storage.config import Config
from storage.database import Database
from storage.errors import INTERRUPTED, DorisError
from storage.relation import current
from storage.table import unique
from storage.types import DorisType
from storage.work import Batch, Work
from tests.unit.storage.shop import ManualClock, alter, batch, column, make_table, put, select, write


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """How each batch was written: by appending, or by looking for its keys."""
    taken: list[str] = []
    for name in ("append", "returned", "plain"):
        monkeypatch.setattr(unique.Upsert, name, _noting(taken, name))
    yield taken


def _noting(taken: list[str], name: str) -> Callable[[unique.Upsert], None]:
    original = getattr(unique.Upsert, name)

    def noting(upsert: unique.Upsert) -> None:
        taken.append(name)
        original(upsert)

    return noting


def test_only_keys_above_all_others_are_appended(database: Database, looks: list[str]) -> None:
    table = make_table(database, "t")
    put(database, table, [(5, "a"), (3, "b")])  # an empty table has no keys
    put(database, table, [(6, "c"), (7, "d")])
    put(database, table, [(7, "e"), (8, "f")])
    put(database, table, [(4, "g")])
    put(database, table, [(9, "h")], deletes=[0])
    put(database, table, [(9, "i")])  # the bound does not fall
    put(database, table, [(10, "j")])
    assert looks == ["append", "append", "returned", "returned", "append", "returned", "append"]
    expected = [(10, "j"), (3, "b"), (4, "g"), (5, "a"), (6, "c"), (7, "e"), (8, "f"), (9, "i")]
    assert select(database, f"SELECT k, v FROM ({current(table, None)})") == expected
    assert audit(database) == []


def test_null_keys_are_looked_for(database: Database, looks: list[str]) -> None:
    columns = (column(0, "k", key=True), column(1, "v", DorisType("string")))
    table = make_table(database, "t", columns=columns)
    put(database, table, [(None, "a"), (1, "b")])
    put(database, table, [(None, "c"), (2, "d")])
    put(database, table, [(None, "e")])
    assert looks == ["returned"] * 3
    assert select(database, f"SELECT k, v FROM ({current(table, None)})") == [(1, "b"), (2, "d"), (None, "e")]


def test_a_table_is_learned_anew_after_a_restart_and_a_change(tmp_path: Path, looks: list[str]) -> None:
    config = Config()
    with closing(Database(tmp_path, config, ManualClock())) as database:
        table = make_table(database, "t")
        put(database, table, [(1, "a"), (9, "b")])
    with closing(Database(tmp_path, config, ManualClock())) as database:
        put(database, table, [(9, "c")])
        put(database, table, [(10, "d")])
        alter(database, table.id, schema_version=table.schema_version + 1)
        put(database, table, [(10, "e")])
        put(database, table, [(11, "f")])
        assert looks == ["append", "returned", "append", "returned", "append"]
        found = select(database, f"SELECT k, v FROM ({current(table, None)})")
        assert found == [(1, "a"), (10, "e"), (11, "f"), (9, "c")]
        assert audit(database) == []


def test_values_that_duckdb_casts_are_seen_in_the_table(database: Database, looks: list[str]) -> None:
    table = make_table(database, "t")
    put(database, table, [(1, "a")])
    texts = batch(table, [(7, "b")]).rows
    texts = texts.set_column(0, "k", pa.array(["7"]))
    database.apply(Work((write(table, Batch(texts)),)))
    put(database, table, [(7, "c")])
    assert looks == ["append", "returned", "returned"]
    assert select(database, f"SELECT k, v FROM ({current(table, None)})") == [(1, "a"), (7, "c")]


def test_a_bound_learned_beside_removed_rows_goes_when_they_come_back(tmp_path: Path) -> None:
    """An overwrite that fails at the last step, as the first write after a start: its partition was empty for it."""
    with closing(Database(tmp_path, Config(), ManualClock())) as database:
        table = make_table(database, "t")
        put(database, table, [(1, "a"), (500, "b")])

    def fail(step: str) -> None:
        if step == "before_commit" and failing:
            raise INTERRUPTED()

    failing = False
    with closing(Database(tmp_path, Config(), ManualClock(), fail)) as database:
        fresh = replace(table.partitions[0], id=database.reserve_ids(1)[0])

        def overwritten(catalog: Catalog) -> Catalog:
            return catalog.with_table(replace(catalog.tables[table.id], partitions=(fresh,)))

        failing = True
        rows = batch(replace(table, partitions=(fresh,)), [(2, "c")])
        with pytest.raises(DorisError, match="interrupted"):
            database.apply(Work((write(table, rows),), change=overwritten))
        failing = False
        put(database, table, [(500, "d")])
        assert select(database, f"SELECT k, v FROM ({current(table, None)})") == [(1, "a"), (500, "d")]
        assert audit(database) == []


def test_after_a_failed_write_the_table_is_learned_anew(database: Database, looks: list[str]) -> None:
    table = make_table(database, "t")
    put(database, table, [(1, "a")])
    lacking = batch(table, [(50, "b")]).rows.drop_columns(["v"])
    with pytest.raises(DorisError, match="v"):
        database.apply(Work((write(table, Batch(lacking)),)))
    put(database, table, [(50, "c")])
    put(database, table, [(51, "d")])
    assert looks[-1] == "append"
    assert select(database, f"SELECT k, v FROM ({current(table, None)})") == [(1, "a"), (50, "c"), (51, "d")]
