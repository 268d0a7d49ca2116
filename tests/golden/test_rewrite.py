"""Golden file of the rewrites of change data: Doris SQL in, the DuckDB text that runs out.

The tables are those of `_fill`; commits, partitions and the horizon of retention stand under their names. What the
text must show above all: a condition of the client stands outside of the fold, never inside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from sql.bind.query import bind_query
from sql.dialect.doris import parse
from sql.read import open_binding
from sql.statement import Call
from tests.golden.test_golden import HERE, rewritten
from tests.local import Local, Session

FILE = HERE / "rewrite" / "change_data.txt"
UNIQUE = 'UNIQUE KEY(k) {} DISTRIBUTED BY HASH(k) BUCKETS 1 PROPERTIES ("changelog.enable" = "true"{})'
PARTS = "PARTITION BY RANGE(k) (PARTITION p1 VALUES LESS THAN (10), PARTITION p2 VALUES LESS THAN (20))"
HISTORY = ', "changelog.need_historical_value" = "true"'
WRITES = (
    "INSERT INTO u VALUES (1, 10), (11, 110)",
    "INSERT INTO d VALUES (1, 10)",
    "UPDATE u SET v = 11 WHERE k = 1",
    "INSERT INTO d VALUES (2, 20)",
    "INSERT INTO n VALUES (1, 10)",
)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """The tables u (partitions, before images), n (none), d (Duplicate Key), and streams on them."""
    local = Local(tmp_path_factory.mktemp("golden"))
    session = local.connect()
    session.execute("CREATE DATABASE g; USE g")
    session.execute(f"CREATE TABLE u (k INT, v INT) {UNIQUE.format(PARTS, HISTORY)}")
    session.execute(f"CREATE TABLE n (k INT, v INT) {UNIQUE.format('', '')}")
    session.execute(f"CREATE TABLE d (k INT, v INT) {UNIQUE.format('', '').replace('UNIQUE', 'DUPLICATE')}")
    session.execute(WRITES[0])
    session.execute("CREATE STREAM s ON TABLE u")
    session.execute('CREATE STREAM sd ON TABLE u PROPERTIES ("type" = "detail")')
    session.execute('CREATE STREAM sa ON TABLE u PROPERTIES ("type" = "append_only")')
    session.execute('CREATE STREAM si ON TABLE u PROPERTIES ("show_initial_rows" = "true")')
    session.execute("CREATE STREAM ds ON TABLE d")
    for text in WRITES[1:]:
        session.execute(text)
    yield session
    local.close()


def test_rewrites_are_what_the_file_says(session: Session, request: pytest.FixtureRequest) -> None:
    """The text of every kind of reference."""
    found = FILE.read_text(encoding="utf-8")
    wanted = rewritten(found, lambda text: _named(session, _bound(session, text)))
    if request.config.getoption("--update"):
        FILE.write_text(wanted, encoding="utf-8")
    else:
        assert found == wanted


def _bound(session: Session, text: str) -> str:
    session.context.begin_statement("golden")
    statement = parse(text)[0]
    binding = open_binding(Call(statement.node, statement.text, session.context, session.engine))
    try:
        return bind_query(statement.node, binding).sql
    finally:
        binding.reader.close()


def _named(session: Session, text: str) -> str:
    """Names for table ids, partition ids and TSOs: c1 is the first commit to one of the tables."""
    catalog = session.engine.database.catalog
    for table in catalog.tables.values():
        text = re.sub(rf"\b([th])_{table.id}\b", rf"\1_{table.name}", text)
        for part in table.partitions:
            text = re.sub(rf"\b{part.id}\b", part.name, text)
    for number, tso in enumerate(_commits(session), 1):
        text = text.replace(str(tso), f"c{number}")
    return re.sub(r"\b\d{17,}\b", "horizon", text)


def _commits(session: Session) -> list[int]:
    tsos: set[int] = set()
    for table in ("u", "n", "d"):
        rows = session.query(f'SELECT DISTINCT __DORIS_CHANGELOG_TSO__ FROM changelog("table" = "{table}")')
        tsos |= {int(str(tso)) for (tso,) in rows}
    return sorted(tsos)
