"""Which batch row has the key of a stored row, against the plainest definition; what goes with the rows of a batch."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from contextlib import closing
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from storage.catalog.model import Column, Model, Partition, Table
from storage.cursor import Cursor
from storage.database import Database
from storage.errors import STORAGE_FAILURE, DorisError
from storage.naming import PART
from storage.table.batch import Prepared, prepare
from storage.table.match import matched
from storage.table.opening import Opening
from storage.types import BIGINT, BOOLEAN, DATE, DATETIME, LARGEINT, STRING, DorisType
from storage.work import Batch, Work
from tests.unit.storage.shop import batch, column, make_table, write

KEYS = st.lists(
    st.tuples(st.one_of(st.none(), st.integers(-2, 2)), st.sampled_from(["", "a", "b", None])),
    min_size=1,
    max_size=10,
    unique=True,
)


@pytest.fixture
def cursor(database: Database) -> Iterator[Cursor]:
    with closing(database._duck.cursor()) as cursor:
        yield cursor


def _batch(columns: Sequence[Column], rows: pa.Table) -> Prepared:
    table = Table(
        id=1, database_id=1, name="t", model=Model.UNIQUE, columns=tuple(columns), partitions=(Partition(7, "p"),)
    )
    return prepare(table, rows.append_column(PART, pa.array([7] * rows.num_rows, pa.int32())))


def _stored(cursor: Cursor, columns: Sequence[Column], rows: pa.Table) -> pa.Table:
    """Rows as DuckDB returns those of a table."""
    items = ", ".join(f"CAST({column.name} AS {column.type.duckdb}) AS {column.name}" for column in columns)
    return cursor.table(f"SELECT {items} FROM {cursor.source(rows)}")


@given(KEYS, st.data(), st.booleans())
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_keys_of_two_columns(
    cursor: Cursor, keys: list[tuple[int | None, str | None]], data: st.DataObject, cut: bool
) -> None:
    columns = (column(0, "k", key=True), column(1, "j", STRING, key=True))
    stored = data.draw(st.lists(st.sampled_from(keys), min_size=1, unique=True))
    rows, old = (_two(found) for found in (keys, stored))
    if cut:
        rows = pa.concat_tables([rows.slice(0, 1), rows.slice(1)])
    found = matched(cursor, _batch(columns, rows), _stored(cursor, columns, old))
    assert found.tolist() == [keys.index(key) for key in stored]


def _two(keys: Sequence[tuple[int | None, str | None]]) -> pa.Table:
    k, j = zip(*keys, strict=True)
    return pa.table({"k": pa.array(k, pa.int64()), "j": pa.array(j, pa.string())})


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (BIGINT, [3, None, -1]),
        (LARGEINT, ["170141183460469231731687303715884105727", None, "-2"]),
        (BOOLEAN, [True, None, False]),
        (DorisType("decimal", precision=27, scale=9), [Decimal("1.5"), None, Decimal(-2)]),
        (DATE, [datetime.date(2024, 2, 29), None, datetime.date(1, 1, 1)]),
        (DATETIME, [datetime.datetime(2024, 2, 29, 1, 2, 3), None, datetime.datetime(1, 1, 1)]),
        (STRING, ["a", None, ""]),
    ],
)
@pytest.mark.parametrize("as_texts", [False, True])
def test_a_key_of_one_column_in_any_form(cursor: Cursor, kind: DorisType, values: list[object], as_texts: bool) -> None:
    columns = (column(0, "k", kind, key=True),)
    given = pa.chunked_array([pa.array(values[:1]), pa.array(values[1:], pa.array(values).type)])
    if as_texts:
        given = pa.chunked_array([[None if value is None else str(value) for value in values]])
    old = _stored(cursor, columns, pa.table({"k": pa.array(values[::-1])}))
    assert matched(cursor, _batch(columns, pa.table({"k": given})), old).tolist() == [2, 1, 0]


@pytest.mark.parametrize("names", ["k", "kj"])
def test_a_row_without_its_key_in_the_batch_is_an_error(cursor: Cursor, names: str) -> None:
    columns = [column(place, name, key=True) for place, name in enumerate(names)]
    rows, old = (pa.table({name: [1, value] for name in names}) for value in (2, 3))
    with pytest.raises(DorisError, match="has none of the keys it was found by") as raised:
        matched(cursor, _batch(columns, rows), old)
    assert raised.value.kind is STORAGE_FAILURE


def test_an_opening_is_run_once_by_whoever_comes_first(cursor: Cursor) -> None:
    cursor.execute("CREATE TEMP TABLE opened (n BIGINT)")
    two = [f"INSERT INTO opened VALUES ({number})" for number in (1, 2)]
    run, taken = Opening(two), Opening(two)
    for _ in range(2):
        run.run(cursor)
    assert run.take() == []
    assert cursor.rows("SELECT n FROM opened ORDER BY n") == [(1,), (2,)]
    assert taken.take() == two
    taken.run(cursor)
    assert cursor.rows("SELECT count(*) FROM opened") == [(2,)]


def test_rows_that_lack_a_column_are_not_stored(database: Database) -> None:
    """BY NAME would make NULLs of it."""
    table = make_table(database, "t")
    rows = batch(table, [(1, "a")]).rows.drop_columns(["v"])
    with pytest.raises(DorisError, match=r"the rows lack column \[v\]"):
        database.apply(Work((write(table, Batch(rows)),)))
