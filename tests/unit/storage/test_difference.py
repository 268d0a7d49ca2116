"""Random works against a naive reference: base, records, the three change forms and images must agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from storage import naming
from storage.audit import audit
from storage.catalog.catalog import Catalog
from storage.catalog.model import Table
from storage.change.append import append_only
from storage.change.delta import min_delta
from storage.change.detail import detail
from storage.change.window import Window
from storage.changelog import records
from storage.config import Config
from storage.database import Database
from storage.relation import current
from storage.snapshot import image
from storage.table import unique
from storage.types import STRING
from storage.work import Batch, Query, Sort, Work, Write
from tests.unit.storage.reference import Key, Reference, Value
from tests.unit.storage.shop import ManualClock, alter, batch, column, make_table, select, write

KEYS = st.sampled_from([None, 0, 1, 4])  # few, so that they meet again
VALUES = st.one_of(st.none(), st.sampled_from(["a", "b", "c"]))
ROWS = st.lists(st.tuples(KEYS, VALUES, st.booleans()), min_size=1, max_size=6)
WORK = st.lists(ROWS, min_size=1, max_size=3)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("work"), WORK),
        st.tuples(st.just("work"), WORK),
        st.tuples(st.just("work"), WORK),
        st.tuples(st.just("statement"), st.lists(KEYS, min_size=1, max_size=3, unique=True)),
        st.tuples(st.just("truncate"), st.integers(0, 1)),
        st.tuples(st.just("checkpoint"), st.none()),
        st.tuples(st.just("sort"), st.none()),
    ),
    min_size=2,
    max_size=9,
)
LIGHT = (("enable_mow_light_delete", "true"),)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    config = Config()
    config.override("changelog_cleanup_interval_second", "0")
    database = Database(Path(tmp_path_factory.mktemp("difference")), config, ManualClock())
    yield database
    assert database.locks.held() == []
    database.close()


class Pair:
    """One table and its reference, driven in step."""

    def __init__(self, database: Database, *, history: bool, light: bool) -> None:
        self.database = database
        columns = (column(0, "k", key=True), column(1, "v", STRING))
        self.table = make_table(
            database, "pair", history=history, parts=2, columns=columns, properties=LIGHT if light else ()
        )
        self.light = light
        self.reference = Reference(history=history)
        self.tsos = [0]

    def part(self, key: Key) -> int:
        """Keys below 4 and NULL live in the first partition."""
        return 0 if key is None or key < 4 else 1

    def work(self, writes: list[list[tuple[Key, Value, bool]]]) -> None:
        """One transaction of several statements."""
        commit = self.database.apply(Work(tuple(write(self.table, self._batch(rows)) for rows in writes)))
        lsn = 1
        for rows in writes:
            parts = [self.table.partitions[self.part(key)].id for key, _, _ in rows]
            deletes = {place for place, row in enumerate(rows) if row[2]}
            self.reference.put(commit.tso, lsn, [(key, value) for key, value, _ in rows], parts, deletes)
            lsn += len(rows)
        self.tsos.append(commit.tso)

    def _batch(self, rows: list[tuple[Key, Value, bool]]) -> Batch:
        deletes = [place for place, row in enumerate(rows) if row[2]]
        made = batch(self.table, [row[:2] for row in rows], deletes=deletes or [len(rows)]).rows
        parts = [self.table.partitions[self.part(key)].id for key, _, _ in rows]
        place = made.schema.get_field_index(naming.PART)
        return Batch(made.set_column(place, naming.PART, [parts]).cast(made.schema))

    def statement(self, keys: list[Key]) -> None:
        """A DELETE statement, evaluated under the lock."""
        wanted = " OR ".join("k IS NULL" if key is None else f"k = {key}" for key in keys)
        source = f"SELECT *, true AS {naming.DELETE} FROM t_{self.table.id} WHERE {wanted} ORDER BY k"
        present = [key for key in sorted(keys, key=lambda key: (key is None, key)) if key in self.reference.rows]
        commit = self.database.apply(Work((Write(self.table.id, self.table.schema_version, Query(source)),)))
        assert commit.affected == (len(present),)
        if self.light:
            self.reference.light_delete(commit.tso, 1, present)
        else:
            self.reference.put(
                commit.tso, 1, [(key, None) for key in present], [0] * len(present), set(range(len(present)))
            )
        self.tsos.append(commit.tso)

    def truncate(self, place: int) -> None:
        """A new identity for one partition."""
        old = self.table.partitions[place]
        fresh = replace(old, id=self.database.reserve_ids(1)[0])
        parts = tuple(fresh if part is old else part for part in self.table.partitions)
        self.table = alter(self.database, self.table.id, partitions=parts)
        self.reference.forget(old.id)

    def checkpoint(self, _: None) -> None:
        self.database.checkpoint()

    def sort(self, _: None) -> None:
        self.database.apply(Work(sorts=(Sort(self.table.id),)))

    def compare(self, windows: dict[int, tuple[int, int]]) -> None:
        """Every form over these windows, as both sides see it."""
        database, table, reference = self.database, self.table, self.reference
        scopes = [Window(part, lo, hi) for part, (lo, hi) in windows.items()]
        assert select(database, append_only(table, scopes)) == reference.append_only(windows)
        assert select(database, detail(table, scopes)) == reference.detail(windows)
        if reference.history:
            assert select(database, min_delta(table, scopes)) == reference.min_delta(windows)
        tsos = {part: hi for part, (_, hi) in windows.items()}
        assert select(database, image(table, tsos)) == reference.image(tsos)
        assert select(database, records(table, None, 0)) == reference.records()
        assert select(database, f"SELECT k, v FROM ({current(table, None)})") == reference.current()


def _windows(pair: Pair, data: st.DataObject) -> dict[int, tuple[int, int]]:
    moments = st.sampled_from(pair.tsos)
    parts = [part.id for part in pair.table.partitions]
    chosen = data.draw(st.lists(st.sampled_from(parts), unique=True, max_size=2))
    if data.draw(st.booleans()):
        lo, hi = sorted((data.draw(moments), data.draw(moments)))
        return dict.fromkeys(chosen, (lo, hi))
    return {part: tuple(sorted((data.draw(moments), data.draw(moments)))) for part in chosen}  # type: ignore[misc]


@pytest.mark.parametrize("limit", [0, 1000], ids=["fetched", "returned"])
@settings(max_examples=20, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(data=st.data(), history=st.booleans(), light=st.booleans(), steps=STEPS)
def test_unique_key_forms_agree_with_the_reference(
    database: Database,
    limit: int,
    data: st.DataObject,
    history: bool,
    light: bool,
    steps: list[tuple[str, object]],
) -> None:
    pair = Pair(database, history=history, light=light)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(unique, "RETURNED_ROWS", limit)
            for name, argument in steps:
                getattr(pair, name)(argument)
                pair.compare(_windows(pair, data))
        assert audit(database) == []
    finally:
        _drop(database, pair.table)


def _drop(database: Database, table: Table) -> None:
    def without(catalog: Catalog) -> Catalog:
        return catalog.without_table(table.id)

    database.apply(Work(change=without))
