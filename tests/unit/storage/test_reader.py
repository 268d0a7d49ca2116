"""Readers: one snapshot, streaming results, interruption, Arrow sources, restart after a fatal error."""

from __future__ import annotations

import gc
import threading
import weakref
from contextlib import closing

import pyarrow as pa
import pytest

from storage.database import Database
from storage.errors import DATABASE_REOPENED, EXECUTION_FAILED, INTERRUPTED, DorisError
from tests.unit.storage.shop import make_table, put, select

MANY = "SELECT range AS n FROM range(100000000)"


def test_a_reader_sees_one_moment(database: Database) -> None:
    table = make_table(database, "t")
    put(database, table, [(1, "a")])
    reader = database.reader()
    put(database, table, [(2, "b")])
    database.checkpoint()
    assert reader.table(f"SELECT k FROM t_{table.id}").num_rows == 1
    reader.close()
    assert len(select(database, f"SELECT k FROM t_{table.id}")) == 2


def test_a_stream_read_out_closes_its_reader(database: Database) -> None:
    reader = database.reader()
    source = reader.stream("SELECT range AS n FROM range(?)", [100_000])
    assert source.schema.names == ["n"]
    assert sum(batch.num_rows for batch in source) == 100_000
    assert reader._closed
    source.close()
    reader.close()


def test_a_stream_can_be_dropped_half_read(database: Database) -> None:
    reader = database.reader()
    source = reader.stream(MANY)
    next(iter(source))
    source.close()
    source.close()
    assert select(database, "SELECT 1") == [(1,)]


def test_the_first_batch_comes_before_the_query_ends(database: Database) -> None:
    reader = database.reader()
    batch = next(iter(reader.stream(MANY)))
    assert 0 < batch.num_rows < 100_000
    reader.close()


@pytest.mark.parametrize("streaming", [True, False])
def test_interrupt_stops_a_running_read(database: Database, streaming: bool) -> None:
    reader = database.reader()
    text = f"SELECT count(*) AS n FROM ({MANY}) a, range(1000) b WHERE (a.n * b.range) % 7 = 1"
    timer = threading.Timer(0.1, reader.interrupt)
    timer.start()
    with pytest.raises(DorisError) as raised:
        reader.table(text) if not streaming else list(reader.stream(MANY))
    timer.join()
    assert raised.value.kind is INTERRUPTED
    reader.close()
    reader.interrupt()


def test_interrupt_between_two_statements_stops_the_next(database: Database) -> None:
    reader = database.reader()
    reader.interrupt()
    with pytest.raises(DorisError) as raised:
        reader.table("SELECT 1")
    assert raised.value.kind is INTERRUPTED
    reader.close()


def test_sources_live_as_long_as_their_reader(database: Database) -> None:
    one, two = database.reader(), database.reader()
    rows = pa.table({"a": [1]})
    first, second = one.source(rows), one.source(pa.table({"a": [2]}))
    held = weakref.ref(rows)
    del rows
    assert one.table(f"SELECT x.a, y.a AS b FROM {first} x, {second} y").to_pydict() == {"a": [1], "b": [2]}
    assert held() is not None
    one.close()
    gc.collect()
    assert held() is None
    with pytest.raises(DorisError) as raised:
        two.table(f"SELECT a FROM {first}")
    assert raised.value.kind is EXECUTION_FAILED
    two.close()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("SELECT from_base64('!!!')", "Could not decode string"),
        ("SELECT error('own words')", "own words"),
        ("SELECT nothing", "nothing"),
    ],
)
def test_errors_are_declared_ones_in_one_line(database: Database, text: str, words: str) -> None:
    reader = database.reader()
    with pytest.raises(DorisError) as raised:
        reader.table(text)
    assert raised.value.kind is EXECUTION_FAILED
    assert words in raised.value.message
    assert "\n" not in raised.value.message
    reader.close()


def test_neither_files_nor_python_variables_are_visible(database: Database) -> None:
    secret = pa.table({"a": [1]})
    for text, words in (
        ("SELECT * FROM secret", "Table with name secret does not exist"),
        ("SELECT * FROM read_csv('/etc/passwd')", "file system operations are disabled by configuration"),
        ("SET lock_configuration = false", "configuration has been locked"),
    ):
        with closing(database.reader()) as reader, pytest.raises(DorisError, match=words):
            reader.table(text)
    assert secret.num_rows == 1


def test_after_a_fatal_error_the_file_is_opened_again(database: Database) -> None:
    table = make_table(database, "t")
    put(database, table, [(1, "a")])
    streaming = database.reader()
    source = iter(streaming.stream(MANY))
    next(source)
    broken = database.reader()
    lowest = pa.py_buffer(bytes(15) + b"\x80")  # -2**127 as DECIMAL(38, 0): DuckDB 2.0.1 invalidates the database
    rows = broken.source(pa.table({"a": pa.Array.from_buffers(pa.decimal128(38, 0), 1, [None, lowest])}))
    with pytest.raises(DorisError) as raised:
        broken.table(f"SELECT a::VARCHAR FROM {rows}")
    assert raised.value.kind is DATABASE_REOPENED
    assert select(database, f"SELECT k, v FROM t_{table.id}") == [(1, "a")]
    put(database, table, [(1, "b")])
    assert select(database, f"SELECT k, v FROM t_{table.id}") == [(1, "b")]
    with pytest.raises(DorisError) as raised:
        next(source)
    assert raised.value.kind is DATABASE_REOPENED
    streaming.close()
    broken.close()
