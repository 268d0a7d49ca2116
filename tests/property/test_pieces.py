"""Consuming in any pieces, with failures, restarts and kills between, is consuming once; a snapshot and what is pending
are the current rows; a client's condition gives what the same condition gives on the whole result.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.audit import audit
from storage.errors import FILTERED_IN_STRICT_MODE, DorisError
from tests.local import Local, Session
from tests.property.model import Key, Model, Row
from tests.property.play import create_table, write
from tests.property.strategies import KEYS, THREE_PARTITIONS, VALUES, Write, transactions
from tests.property.test_pipeline import NUMBERS

CT = "__DORIS_STREAM_CHANGE_TYPE_COL__"
SYNC = (
    "INSERT INTO {target} (k, v, w, __DORIS_DELETE_SIGN__) SELECT k, v, w, CASE WHEN "
    + CT
    + " = 'DELETE' THEN 1 ELSE 0 END FROM {source} WHERE "
    + CT
    + " <> 'UPDATE_BEFORE'"
)
PARTS = [name for name, _ in THREE_PARTITIONS]


@dataclass(frozen=True)
class Piece:
    """Consume some partitions; `how`: at once, inside a transaction, rolled back, or so that the statement fails."""

    parts: tuple[str, ...]
    how: str


@dataclass(frozen=True)
class End:
    """The server goes down, in order or killed, and comes back on its data."""

    killed: bool


Step = Write | Piece | End
PIECES = st.builds(
    Piece,
    st.lists(st.sampled_from(PARTS), unique=True, max_size=3).map(tuple),
    st.sampled_from(["at once", "at once", "transaction", "rolled back", "failing"]),
)


class Box:
    """An engine that can be killed: the killed one's files, as they lie on the disk, are opened by the next."""

    def __init__(self, directory: Path) -> None:
        self._directory, self._number = directory, 0
        self.local = Local(directory / "0")

    def session(self, database: str) -> Session:
        return self.local.connect(database)

    def end(self, killed: bool) -> None:
        """Nothing runs, so a copy of the open files is what SIGKILL would leave."""
        here = self._directory / str(self._number)
        if not killed:
            self.local.close()
            self.local = Local(here)
            return
        self._number += 1
        there = self._directory / str(self._number)
        shutil.copytree(here, there)
        self.local.close()
        shutil.rmtree(here)
        self.local = Local(there)


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    """One for all examples."""
    box = Box(tmp_path_factory.mktemp("box"))
    yield box
    box.local.close()


@given(st.data())
@settings(max_examples=15)
def test_pieces_add_up_to_the_whole(box: Box, data: st.DataObject) -> None:
    """Two min_delta streams made at one moment: one consumed in pieces, one in a single statement at the end."""
    model, name = Model(True, THREE_PARTITIONS), f"pieces_{next(NUMBERS)}"
    _prepare(box, model, name, data.draw(st.booleans()))
    ends = data.draw(st.lists(st.builds(End, st.booleans()), max_size=2))
    steps: list[Step] = data.draw(st.lists(st.one_of(transactions(True), PIECES), min_size=4, max_size=10))
    for place, end in enumerate(ends):
        steps.insert(data.draw(st.integers(0, len(steps))) if steps else place, end)
    for step in steps:
        _play(box, model, name, step)
        session = box.session(name)
        assert _image(session, "s@snapshot()", session.query(f"SELECT {CT}, k, v, w FROM s")) == _rows(session, "base")
    session = box.session(name)
    session.execute(SYNC.format(target="target", source="s"))
    session.execute(SYNC.format(target="single", source="once"))
    assert _rows(session, "target") == _rows(session, "single") == {row[0]: row for row in model.rows}
    assert session.query("SELECT DISTINCT LAG FROM information_schema.table_stream_consumption") == [("0",)]
    assert audit(box.local.database) == []
    session.execute(f"DROP DATABASE {name} FORCE")


def _prepare(box: Box, model: Model, name: str, initial: bool) -> None:
    session = box.local.connect()
    session.execute(f"CREATE DATABASE {name}; USE {name}")
    create_table(session, model)
    for target in ("target", "single"):
        session.execute(
            f"CREATE TABLE {target} (k INT, v INT, w VARCHAR(8)) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1"
        )
    session.execute("CREATE TABLE strict (k INT NOT NULL) DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1")
    for stream in ("s", "once"):
        session.execute(f'CREATE STREAM {stream} ON TABLE base PROPERTIES ("show_initial_rows" = "{initial}")')


def _play(box: Box, model: Model, name: str, step: Step) -> None:
    if isinstance(step, End):
        box.end(step.killed)
    elif isinstance(step, Piece):
        _consume(box.session(name), step)
    else:
        model.commit(step.statements)
        write(box.session(name), step.statements)


def _consume(session: Session, piece: Piece) -> None:
    source = f"s PARTITION ({', '.join(piece.parts)})" if piece.parts else "s"
    if piece.how == "failing":
        with pytest.raises(DorisError) as refused:
            session.execute(
                f"INSERT INTO strict SELECT NULL FROM base UNION ALL SELECT NULL UNION ALL SELECT k FROM {source}"
            )
        assert refused.value.kind is FILTERED_IN_STRICT_MODE
        return
    wrap = {"at once": ("", ""), "transaction": ("BEGIN", "COMMIT"), "rolled back": ("BEGIN", "ROLLBACK")}[piece.how]
    for text in (wrap[0], SYNC.format(target="target", source=source), wrap[1]):
        if text:
            session.execute(text)


def _rows(session: Session, table: str) -> dict[Key, Row]:
    return {k: (k, v, w) for k, v, w in session.query(f"SELECT k, v, w FROM {table}")}  # type: ignore[misc]


def _image(session: Session, source: str, pending: list[tuple[object, ...]]) -> dict[Key, Row]:
    """The rows of a relation with changes applied to them."""
    rows = _rows(session, source)
    for kind, *row in pending:
        key: Key = row[0]  # type: ignore[assignment]
        if kind == "DELETE":
            del rows[key]
        elif kind != "UPDATE_BEFORE":
            rows[key] = (key, row[1], row[2])  # type: ignore[assignment]
    return rows


# -- conditions stay above the fold --------------------------------------------------------------------
CHANGES = ("APPEND", "UPDATE_BEFORE", "UPDATE_AFTER", "DELETE")


@given(st.data())
@settings(max_examples=15)
def test_a_condition_filters_the_result(box: Box, data: st.DataObject) -> None:
    """Whatever a condition speaks of - values, change types, keys, several of them - it does not change the fold."""
    model, name = Model(True, THREE_PARTITIONS), f"filters_{next(NUMBERS)}"
    _prepare(box, model, name, False)
    session = box.session(name)
    for step in data.draw(st.lists(transactions(True), min_size=2, max_size=5)):
        write(session, step.statements)
    consumed = data.draw(st.booleans())
    if consumed:
        session.execute(SYNC.format(target="target", source="s"))
        for step in data.draw(st.lists(transactions(True), min_size=1, max_size=4)):
            write(session, step.statements)
    for stream in ("s", "once"):
        everything = session.query(f"SELECT {CT}, k, v, w FROM {stream}")
        for _ in range(3):
            column = data.draw(st.sampled_from(["v", "k", CT]))
            place = {"v": 2, "k": 1, CT: 0}[column]
            wanted = data.draw({"v": VALUES, "k": KEYS, CT: st.sampled_from(CHANGES)}[column])
            literal = "NULL" if wanted is None else f"'{wanted}'" if column == CT else str(wanted)
            negated = data.draw(st.booleans())
            condition = f"{'NOT ' if negated else ''}({column} <=> {literal})"
            found = session.query(f"SELECT {CT}, k, v, w FROM {stream} WHERE {condition}")
            assert Counter(found) == Counter(row for row in everything if (row[place] == wanted) is not negated)
    session.execute(f"DROP DATABASE {name} FORCE")
