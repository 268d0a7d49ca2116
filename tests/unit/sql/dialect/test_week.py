"""WEEK and YEARWEEK in every mode, over the days of many years, against Python's own calendars."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest

from sql.dialect.doris import parse
from sql.dialect.duckdb import to_duckdb
from storage.cursor import Cursor
from storage.duck import Duck

DAYS = [dt.date(1995, 1, 1) + dt.timedelta(days=number) for number in range(12_000)]


@pytest.fixture(scope="module")
def cursor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cursor]:
    duck = Duck(tmp_path_factory.mktemp("weeks"))
    cursor = duck.cursor()
    cursor.execute(f"CREATE TABLE t AS SELECT DATE '{DAYS[0]}' + CAST(n AS INTEGER) AS d FROM range({len(DAYS)}) r(n)")
    yield cursor
    cursor.close()
    duck.close()


def _first(year: int, mode: int) -> dt.date:
    """The first day of week 1 of a year: the week with January 4th, or the first that begins in the year."""
    monday = mode % 2 == 1
    day = dt.date(year, 1, 4 if mode in (1, 3, 4, 6) else 7)
    return day - dt.timedelta(days=day.weekday() if monday else day.isoweekday() % 7)


def _week(day: dt.date, mode: int) -> int:
    if mode in (2, 3, 6, 7):
        return _year_week(day, mode) % 100
    return (day - _first(day.year, mode)).days // 7 + 1


def _year_week(day: dt.date, mode: int) -> int:
    year = max(year for year in range(day.year - 1, day.year + 2) if _first(year, mode) <= day)
    return year * 100 + (day - _first(year, mode)).days // 7 + 1


@pytest.mark.parametrize("mode", range(8))
def test_every_mode(cursor: Cursor, mode: int) -> None:
    (statement,) = parse(f"SELECT week(CAST(d AS DATE), {mode}), yearweek(CAST(d AS DATE), {mode}) FROM t ORDER BY d")
    assert cursor.rows(to_duckdb(statement.node)) == [(_week(day, mode), _year_week(day, mode)) for day in DAYS]
