"""What no statement can make: tables of early builds, and the streams of incremental views; both are refused in use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from storage.catalog.catalog import Catalog
from storage.catalog.model import Stream, StreamType
from storage.errors import BINLOG_TABLE, INTERNAL_STREAM, DorisError
from storage.work import Work
from tests.local import Local, Session

NAME = "__doris_ivm_stream_7"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A changelog table `t` in database `d`, and a target."""
    local = Local(tmp_path)
    session = local.connect()
    session.execute("CREATE DATABASE d; USE d")
    session.execute(
        "CREATE TABLE t (k INT, v INT) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1 PROPERTIES"
        ' ("changelog.enable" = "true", "changelog.need_historical_value" = "true")'
    )
    session.execute("CREATE TABLE sink (k INT, v INT) DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1")
    yield session
    local.close()


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * FROM t",
        "SELECT * FROM t@incr()",
        "SELECT * FROM t FOR VERSION AS OF 1",
        "INSERT INTO t VALUES (1, 1)",
        "UPDATE t SET v = 1 WHERE k = 1",
        "DELETE FROM t WHERE k = 1",
        "ALTER TABLE t ADD COLUMN c INT",
        "TRUNCATE TABLE t",
    ],
)
def test_a_table_of_an_early_build_is_only_dropped(session: Session, text: str) -> None:
    """Its records have a form that nobody reads any more."""

    def age(catalog: Catalog) -> Catalog:
        table = next(table for table in catalog.tables.values() if table.name == "t")
        return catalog.with_table(replace(table, properties=(*table.properties, ("binlog.format", "ROW"))))

    session.engine.database.apply(Work(change=age))
    with pytest.raises(DorisError) as refused:
        session.execute(text)
    assert refused.value.kind is BINLOG_TABLE
    assert refused.value.message == (
        'Table d.t was created with "binlog.format" = "ROW", which is no longer supported; '
        'drop the table and create it again with "changelog.enable" = "true"'
    )
    session.execute("DROP TABLE t FORCE")


def test_an_internal_stream_is_read_and_not_consumed(session: Session) -> None:
    """Its offset belongs to the refresh of its view."""
    database = session.engine.database
    identity = database.reserve_ids(1)[0]

    def make(catalog: Catalog) -> Catalog:
        table = next(table for table in catalog.tables.values() if table.name == "t")
        return catalog.with_stream(Stream(identity, table.database_id, NAME, table.id, StreamType.MIN_DELTA, False))

    database.apply(Work(change=make))
    session.execute("INSERT INTO t VALUES (1, 1)")
    assert session.query(f"SELECT k FROM {NAME}") == [(1,)]
    for text in (f"INSERT INTO sink SELECT k, v FROM {NAME}", f"INSERT INTO sink SELECT k, v FROM {NAME}@reset()"):
        with pytest.raises(DorisError) as refused:
            session.execute(text)
        assert refused.value.kind is INTERNAL_STREAM
    assert session.query(f"SELECT k FROM {NAME}") == [(1,)]
    assert session.query("SELECT STREAM_NAME FROM information_schema.table_streams") == [(NAME,)]
