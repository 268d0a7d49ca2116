"""Random windows of storage/change: min_delta is the difference of two images, detail replays one to the other."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.catalog.model import Table
from storage.change.append import append_only
from storage.change.delta import min_delta
from storage.change.detail import detail
from storage.change.window import SEQUENCE, STREAM_LSN, Window
from storage.database import Database
from storage.snapshot import image
from tests.local import Local, Session
from tests.property.model import Emitted, Key, Model, Row
from tests.property.play import create_table, same_changes, write
from tests.property.strategies import THREE_PARTITIONS, transactions
from tests.property.test_pipeline import NUMBERS

WINDOWS = 12

pytestmark = pytest.mark.timeout(600)  # hypothesis shrinks what it finds


@given(st.data())
@settings(max_examples=15)
def test_windows_of_every_type_agree_with_images(local: Local, data: st.DataObject) -> None:
    """A dozen windows in each history, with bounds per partition."""
    model = Model(True, THREE_PARTITIONS)
    session, tsos = _history(local, model, data)
    table = local.table(session.context.database or "", "base")
    chance = random.Random(data.draw(st.integers(0, 1 << 32)))
    for _ in range(WINDOWS):
        _compare(local.database, table, model, tsos, *_bounds(model, chance))
    session.execute(f"DROP DATABASE {session.context.database} FORCE")


def _compare(
    database: Database, table: Table, model: Model, tsos: list[int], lows: dict[str, int], highs: dict[str, int]
) -> None:
    """Every builder as the model; min_delta less its equal pairs is the images' difference; detail replays it."""
    windows = [Window(part.id, tsos[lows[part.name]], tsos[highs[part.name]]) for part in table.partitions]
    windows = [window for window in windows if window.lo < window.hi]
    for kind, build in (("append_only", append_only), ("detail", detail), ("min_delta", min_delta)):
        wanted = [change for part in lows for change in model.emit(kind, part, lows[part], highs[part])]
        same_changes(_changes(database, build(table, windows)), wanted)
    start = _image(database, table, {part.id: tsos[lows[part.name]] for part in table.partitions})
    end = _image(database, table, {part.id: tsos[highs[part.name]] for part in table.partitions})
    delta = _changes(database, min_delta(table, windows))
    assert Counter(_without_equal_pairs(delta)) == Counter(_difference(start, end))
    assert _replay(start, _changes(database, detail(table, windows))) == end


def _history(local: Local, model: Model, data: st.DataObject) -> tuple[Session, list[int]]:
    """Play random commits; returns the TSO of each commit, 0 for the beginning."""
    session = local.connect()
    name = f"example_{next(NUMBERS)}"
    session.execute(f"CREATE DATABASE {name}")
    session.execute(f"USE {name}")
    create_table(session, model)
    tsos = [0]
    for step in data.draw(st.lists(transactions(True), min_size=6, max_size=12)):
        model.commit(step.statements)
        write(session, step.statements)
        tsos.append(_latest(local.database, local.table(session.context.database or "", "base"), tsos[-1]))
    return session, tsos


def _bounds(model: Model, chance: random.Random) -> tuple[dict[str, int], dict[str, int]]:
    """A range of commits for each partition; in half of the windows the same one for all."""
    pairs = [sorted(chance.choices(range(model.commits + 1), k=2)) for _ in model.bounds]
    if chance.random() < 0.5:
        pairs = [pairs[0]] * len(pairs)
    lows = {part: low for (part, _), (low, _) in zip(model.bounds, pairs, strict=True)}
    return lows, {part: high for (part, _), (_, high) in zip(model.bounds, pairs, strict=True)}


def _latest(database: Database, table: Table, before: int) -> int:
    """The TSO of the last commit of any partition; a commit that changed nothing has that of the one before."""
    reader = database.reader()
    try:
        return max((version.tso for version in reader.versions(table.id).values()), default=before)
    finally:
        reader.close()


def _rows(database: Database, sql: str) -> list[tuple[object, ...]]:
    reader = database.reader()
    try:
        found = reader.table(sql)
    finally:
        reader.close()
    return list(zip(*(column.to_pylist() for column in found.columns), strict=True)) if found.num_rows else []


def _changes(database: Database, sql: str) -> list[Emitted]:
    rows = _rows(database, f"SELECT * FROM ({sql}) ORDER BY {SEQUENCE}, {STREAM_LSN}")
    return [(str(kind), (k, v, w)) for k, v, w, kind, *_ in rows]  # type: ignore[misc]


def _image(database: Database, table: Table, tsos: dict[int, int]) -> dict[Key, Row]:
    return {k: (k, v, w) for k, v, w, *_ in _rows(database, image(table, tsos))}  # type: ignore[misc]


def _without_equal_pairs(delta: list[Emitted]) -> list[Emitted]:
    """Drop UPDATE_BEFORE and UPDATE_AFTER rows that are equal: a key written, but back at its value."""
    before = {row for kind, row in delta if kind == "UPDATE_BEFORE"}
    after = {row for kind, row in delta if kind == "UPDATE_AFTER"}
    same = before & after
    return [(kind, row) for kind, row in delta if not (kind.startswith("UPDATE") and row in same)]


def _difference(start: dict[Key, Row], end: dict[Key, Row]) -> list[Emitted]:
    changes: list[Emitted] = [("DELETE", row) for key, row in start.items() if key not in end]
    for key, row in end.items():
        if key not in start:
            changes.append(("APPEND", row))
        elif start[key] != row:
            changes += [("UPDATE_BEFORE", start[key]), ("UPDATE_AFTER", row)]
    return changes


def _replay(start: dict[Key, Row], changes: list[Emitted]) -> dict[Key, Row]:
    """Apply detail rows in order to the image before them."""
    rows = dict(start)
    for kind, row in changes:
        if kind in ("APPEND", "UPDATE_AFTER"):
            rows[row[0]] = row
        else:
            assert rows.pop(row[0]) == row
    return rows
