"""INSERTs of plain literals that skip DuckDB store what the common way stores, or leave the statement to it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sql.dialect.literal_column import LiteralColumn
from sql.ingest.direct import direct
from sql.statement import insert
from storage.errors import DorisError
from tests.local import Local, Session
from tests.property.test_pipeline import NUMBERS

INTEGERS = st.one_of(
    st.integers(-(1 << 64), 1 << 64).map(str),
    st.sampled_from(["0", "-0", "007", "127", "128", "-128", "-129", "1.5", "1e3"]),
)
DECIMALS = st.one_of(
    st.decimals(-10_000, 10_000, places=3, allow_nan=False).map(str),
    st.sampled_from(["0", "-0.00", ".5", "5.", "1e2", "00.10"]),
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="'\\\x00"), max_size=8)
DATES = st.one_of(st.dates().map(str), st.sampled_from(["2024-02-30", "20240102", "2024-1-2", "2024-01-02 03:04:05"]))
TIMES = st.one_of(
    st.datetimes().map(lambda moment: str(moment)[:19]), st.sampled_from(["2024-01-02", "2024-01-02 25:00:00"])
)
COLUMNS: dict[str, st.SearchStrategy[str]] = {
    "TINYINT": INTEGERS, "SMALLINT": INTEGERS, "INT": INTEGERS, "BIGINT": INTEGERS, "LARGEINT": INTEGERS,
    "DECIMAL(6, 2)": DECIMALS, "DOUBLE": DECIMALS, "FLOAT": DECIMALS, "BOOLEAN": st.sampled_from(["0", "1", "2"]),
    "VARCHAR(6)": TEXTS, "CHAR(6)": TEXTS, "STRING": TEXTS, "DATE": DATES, "DATETIME": TIMES, "DATETIME(3)": TIMES,
}  # fmt: skip
QUOTED = ("VARCHAR(6)", "CHAR(6)", "STRING", "DATE", "DATETIME", "DATETIME(3)")
PARTITIONED = {
    "INT": 'PARTITION BY RANGE(k) (PARTITION a VALUES LESS THAN (5), PARTITION b VALUES [("5"), ("100")))',
    "DATE": "PARTITION BY RANGE(k) (PARTITION a VALUES LESS THAN ('2000-01-01'),"
    " PARTITION b VALUES LESS THAN MAXVALUE)",
}


@given(st.data())
@settings(max_examples=100)
def test_both_ways_store_the_same(local: Local, data: st.DataObject) -> None:
    """Random columns, nullable or not, values in doubt among them; partitioned by number or date."""
    session = local.connect()
    name = f"direct_{next(NUMBERS)}"
    session.execute(f"CREATE DATABASE {name}; USE {name}")
    key = data.draw(st.sampled_from(["INT", "DATE", "VARCHAR(6)"]))
    kinds = [key, *data.draw(st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=3))]
    declared = [f"c{place} {kind}{data.draw(st.sampled_from(['', ' NOT NULL']))}" for place, kind in enumerate(kinds)]
    declared[0] = declared[0].replace("c0", "k", 1)
    partitions = PARTITIONED.get(key, "") if data.draw(st.booleans()) else ""
    for table in ("quick", "common"):
        session.execute(
            f"CREATE TABLE {table} ({', '.join(declared)}) DUPLICATE KEY(k) {partitions}"
            " DISTRIBUTED BY HASH(k) BUCKETS 1"
        )
    rows = data.draw(st.lists(st.tuples(*map(_cells, kinds)), min_size=1, max_size=3))
    values = ", ".join(f"({', '.join(row)})" for row in rows)
    outcome = _execute(session, f"INSERT INTO quick VALUES {values}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(insert, "direct", lambda *_: None)
        assert _execute(session, f"INSERT INTO common VALUES {values}") == outcome.replace("quick", "common")
    assert _rows(session, "quick") == _rows(session, "common")
    for part in ("a", "b") if partitions else ():
        assert _rows(session, f"quick PARTITION ({part})") == _rows(session, f"common PARTITION ({part})")
    session.execute(f"DROP DATABASE {name} FORCE")


def _cells(kind: str) -> st.SearchStrategy[str]:
    written = COLUMNS[kind].map(lambda text: f"'{text}'") if kind in QUOTED else COLUMNS[kind]
    return st.one_of(written, written, written, st.just("NULL"))


def _execute(session: Session, text: str) -> str:
    try:
        return str(session.execute(text))
    except DorisError as error:
        return error.message


def _rows(session: Session, source: str) -> list[str]:
    return sorted(map(repr, session.query(f"SELECT * FROM {source}")))


def test_plain_rows_take_the_quick_way(local: Local) -> None:
    """The rows that it is there for: numbers, texts, money, dates, NULL, in a column list of any order."""
    session = local.connect()
    name = f"direct_{next(NUMBERS)}"
    session.execute(f"CREATE DATABASE {name}; USE {name}")
    session.execute(
        "CREATE TABLE t (id BIGINT, s VARCHAR(9), m DECIMAL(10, 2), d DATE, t DATETIME) UNIQUE KEY(id)"
        " DISTRIBUTED BY HASH(id) BUCKETS 1"
    )
    entry = local.database.catalog.database(name)
    table = local.database.catalog.table(entry.id, "t") if entry else None
    assert table is not None
    written = [
        ["7", "NULL"],
        ["'x'", "'y'"],
        ["1.50", "-2"],
        ["'2024-02-29'", "NULL"],
        ["'2024-02-29 10:00:00'", "NULL"],
    ]
    cells = list(map(LiteralColumn.of, written))
    found = direct(table, [], cells)
    assert found is not None and found.num_rows == 2
    assert direct(table, ["T", "D", "M", "S", "ID"], cells[::-1]) is not None
    assert direct(table, ["id", "s"], cells[:2]) is None
    assert direct(table, [], [*cells[:4], LiteralColumn.of(["'2024-02-30 10:00:00'", "NULL"])]) is None
