"""docs/change-data.md: every section names scenario files that exist, and its SQL does what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.errors import OFFSET_EXPIRED, DorisError
from tests.docs.block import ROOT
from tests.local import Local, Session
from tests.unit.storage.shop import ManualClock

PAGE = ROOT / "docs" / "change-data.md"
CASES = ROOT / "tests" / "cases"
_FOLDERS = "|".join(sorted(folder.name for folder in CASES.iterdir() if folder.is_dir() and folder.name.isalpha()))
_NAMED = re.compile(rf"\b({_FOLDERS})/(\d+)((?:(?:, | and | to )\d+)*)")


TWO_DAYS = 2 * 86_400_000


def _sections() -> dict[str, str]:
    """The text below each heading."""
    parts = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
    return dict(part.split("\n", 1) for part in parts)


def _cases(text: str) -> Iterator[tuple[str, str]]:
    """Folder and number of every case of a text: `stream/87, 88`, `changelog/05 to 08`."""
    for folder, first, others in _NAMED.findall(" ".join(text.split())):
        for number in (first, *re.findall(r"\d+", others)):
            yield folder, number


def test_every_section_names_cases() -> None:
    """As the page says at its top."""
    sections = _sections()
    assert "Windows and images" in sections
    assert not [heading for heading, text in sections.items() if not list(_cases(text))]


def test_all_named_files_exist() -> None:
    """A number stands for one scenario file, a path for a test file."""
    text = PAGE.read_text(encoding="utf-8")
    assert not [(folder, number) for folder, number in _cases(text) if not list(CASES.glob(f"{folder}/{number}-*.slt"))]
    assert not [path for path in re.findall(r"tests/[\w/]+\.py", text) if not (ROOT / path).is_file()]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def session(tmp_path: Path, clock: ManualClock) -> Iterator[Session]:
    """A session in an empty database."""
    local = Local(tmp_path, clock)
    session = local.connect()
    session.execute("CREATE DATABASE d; USE d")
    yield session
    local.close()


def _statements() -> list[list[str]]:
    """The statements of each block of SQL, without their remarks."""
    blocks = re.findall(r"```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return [[part for part in re.sub(r" *-- .*", "", block).split(";") if part.strip()] for block in blocks]


def test_the_sql_of_the_page_runs(session: Session) -> None:
    """Table, stream, consumption, windows and images, and the lag in milliseconds."""
    table, stream, windows, _ = _statements()
    for statement in table:
        session.execute(statement)
    session.execute(stream[0])
    session.execute("INSERT INTO orders VALUES (1, 'created', 100)")
    session.execute(stream[1])
    for statement in windows:
        assert session.query(statement) == []
    assert session.query("SELECT order_id FROM copy") == [(1,)]
    assert "`CAST(LAG AS BIGINT) >> 18`" in PAGE.read_text(encoding="utf-8")
    assert session.query("SELECT CAST(LAG AS BIGINT) >> 18 FROM information_schema.table_stream_consumption") == [(0,)]


def test_the_idle_partition_of_the_page_expires(session: Session, clock: ManualClock) -> None:
    """The four statements of the example, and the way out behind it."""
    session.execute(
        "CREATE TABLE t (k INT, v INT) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1 PROPERTIES"
        ' ("changelog.enable" = "true", "changelog.need_historical_value" = "true", "changelog.ttl_seconds" = "86400")'
    )
    session.execute("INSERT INTO t VALUES (2, 2); CREATE TABLE target LIKE t")
    clock.now += TWO_DAYS
    create, before, insert, after = _statements()[3]
    session.execute(create)
    assert session.query(before) == []
    session.execute(insert)
    with pytest.raises(DorisError) as expired:
        session.query(after)
    assert expired.value.kind is OFFSET_EXPIRED
    assert session.execute("INSERT INTO target SELECT * FROM s@reset()") == 2
    assert session.query(after) == []
