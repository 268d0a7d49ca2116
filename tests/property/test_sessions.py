"""Writers, consumers and DDL in several sessions, in any order, through the wire: the server does as the model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pymysql
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from dorisette.process import ServerProcess
from tests.property.model import Emitted, Model, Upsert
from tests.property.play import create_table, same_changes, sql_of
from tests.property.sessions import World
from tests.property.strategies import THREE_PARTITIONS, upserts
from tests.property.test_pipeline import NUMBERS

STREAMS = ("min_delta", "detail")
SESSIONS = 3
CT = "__DORIS_STREAM_CHANGE_TYPE_COL__"
ORDER = "__DORIS_STREAM_SEQUENCE_COL__, __DORIS_STREAM_LSN_COL__"


@dataclass(frozen=True)
class Insert:
    """Upsert rows."""

    upsert: Upsert


@dataclass(frozen=True)
class Consume:
    """Consume a stream, all of it or one partition, into its sink."""

    stream: str
    part: str | None


@dataclass(frozen=True)
class Word:
    """BEGIN, COMMIT or ROLLBACK."""

    text: str


@dataclass(frozen=True)
class Ddl:
    """Done by a session of its own: truncate a partition, add or drop a column, rename the table."""

    kind: str
    part: str


Action = Insert | Consume | Word | Ddl
PARTS = [name for name, _ in THREE_PARTITIONS]
ACTIONS = st.one_of(
    upserts(True).map(Insert),
    st.builds(Consume, st.sampled_from(STREAMS), st.sampled_from([None, *PARTS])),
    st.sampled_from(["BEGIN", "COMMIT", "COMMIT", "ROLLBACK"]).map(Word),
    st.builds(Ddl, st.sampled_from(["truncate", "column", "rename"]), st.sampled_from(PARTS)),
)


class Wire:
    """One connection, with the two methods of the engine's own sessions (tests/local.py)."""

    def __init__(self, server: ServerProcess, database: str = "") -> None:
        self._connection = server.connect(database=database or None)

    def execute(self, text: str) -> int:
        with self._connection.cursor() as cursor:
            affected: int = cursor.execute(text)
            return affected

    def query(self, text: str) -> list[tuple[object, ...]]:
        with self._connection.cursor() as cursor:
            cursor.execute(text)
            return list(cursor.fetchall())

    def close(self) -> None:
        self._connection.close()


class Play:
    """One example: a database, its sessions, and the model of both."""

    def __init__(self, server: ServerProcess, initial: bool) -> None:
        self.world = World(Model(True, THREE_PARTITIONS))
        self.name = f"sessions_{next(NUMBERS)}"
        self.table, self._has_column = "base", False
        self.admin = Wire(server)
        self.admin.execute(f"CREATE DATABASE {self.name}")
        self.admin.execute(f"USE {self.name}")
        self.sessions = [Wire(server, self.name) for _ in range(SESSIONS)]
        create_table(self.admin, self.world.model)
        for kind in STREAMS:
            self.admin.execute(
                f"CREATE TABLE sink_{kind} (k INT, v INT, w VARCHAR(8), ct VARCHAR(16)) DUPLICATE KEY(k)"
                " DISTRIBUTED BY HASH(k) BUCKETS 1"
            )
            properties = f'"type" = "{kind}", "show_initial_rows" = "{str(initial).lower()}"'
            self.admin.execute(f"CREATE STREAM {kind} ON TABLE base PROPERTIES ({properties})")
            self.world.model.create_stream(kind, kind, initial)

    def close(self) -> None:
        for session in self.sessions:
            session.close()
        self.admin.execute(f"DROP DATABASE {self.name} FORCE")
        self.admin.close()

    def act(self, number: int, action: Action) -> None:
        """Do it here and in the model; an error must come where the model has one, in its words."""
        session, world = self.sessions[number], self.world
        if isinstance(action, Ddl):
            self._ddl(action)
        elif isinstance(action, Insert):
            self._expect(session, sql_of(action.upsert, self.table)[0], world.insert(number, action.upsert))
        elif isinstance(action, Consume):
            self._consume(session, number, action)
        elif action.text == "COMMIT":
            self._expect(session, "COMMIT", world.commit(number))
        elif action.text == "ROLLBACK":
            world.rollback(number)
            self._expect(session, "ROLLBACK", None)
        elif number not in world.open:
            world.begin(number)
            self._expect(session, "BEGIN", None)

    def _consume(self, session: Wire, number: int, action: Consume) -> None:
        parts = None if action.part is None else [action.part]
        only = f" PARTITION ({action.part})" if parts else ""
        text = f"INSERT INTO sink_{action.stream} SELECT k, v, w, {CT} FROM {action.stream}{only}"
        self._expect(session, text, self.world.consume(number, action.stream, parts))

    def _ddl(self, action: Ddl) -> None:
        if action.kind == "truncate":
            self.admin.execute(f"TRUNCATE TABLE {self.table} PARTITION ({action.part})")
            self.world.truncate(action.part)
        elif action.kind == "rename":
            name = "renamed" if self.table == "base" else "base"
            self.admin.execute(f"ALTER TABLE {self.table} RENAME {name}")
            self.table = name
        else:
            change = "DROP COLUMN x" if self._has_column else 'ADD COLUMN x INT DEFAULT "5"'
            self.admin.execute(f"ALTER TABLE {self.table} {change}")
            self._has_column = not self._has_column
            self.world.schema += 1

    def _expect(self, session: Wire, text: str, pattern: str | None) -> None:
        if pattern is None:
            session.execute(text)
            return
        with pytest.raises(pymysql.Error) as refused:
            session.execute(text)
        assert re.search(pattern, str(refused.value)), (text, str(refused.value))

    def compare(self) -> None:
        """Base rows, what each stream has pending, and whether the system table knows it."""
        rows = self.admin.query(f"SELECT k, v, w FROM {self.table}")
        assert Counter(rows) == Counter(self.world.model.rows)
        lags = dict(((row[0], row[1]), row[2] != "0") for row in self.admin.query(_LAGS.format(self.name)))
        for stream in STREAMS:
            found = self.admin.query(f"SELECT {CT}, k, v, w FROM {stream} ORDER BY {ORDER}")
            same_changes(_changes(found), self.world.model.read(stream))
            assert {unit: lag for (name, unit), lag in lags.items() if name == stream} == self.world.pending(stream)

    def compare_sinks(self) -> None:
        """Every change that was consumed arrived once."""
        for stream in STREAMS:
            found = self.admin.query(f"SELECT ct, k, v, w FROM sink_{stream}")
            assert Counter(_changes(found)) == Counter(self.world.sinks.get(stream, []))


_LAGS = "SELECT STREAM_NAME, UNIT, LAG FROM information_schema.table_stream_consumption WHERE DB_NAME = '{}'"


def _changes(rows: Sequence[tuple[object, ...]]) -> Iterator[Emitted]:
    return ((str(kind), (k, v, w)) for kind, k, v, w in rows)  # type: ignore[misc]


@given(st.data())
@settings(max_examples=12, phases=(Phase.explicit, Phase.reuse, Phase.generate))  # shrinking would take minutes
def test_any_order_of_writers_consumers_and_ddl(server: ServerProcess, data: st.DataObject) -> None:
    """Sessions with open transactions, a partition that is truncated under them, columns and names that change."""
    play = Play(server, data.draw(st.booleans()))
    try:
        for number, action in data.draw(
            st.lists(st.tuples(st.integers(0, SESSIONS - 1), ACTIONS), min_size=6, max_size=14)
        ):
            play.act(number, action)
            play.compare()
        for number in range(SESSIONS):
            play.act(number, Word("COMMIT"))
        play.compare()
        play.compare_sinks()
    finally:
        play.close()
