"""Dynamic partitions: the checks, which partitions belong to a moment, and the scheduler with a clock of its own."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest

from sql import partition_scheduler
from sql.ddl.dynamic_partition import rule_of
from sql.ddl.dynamic_schedule import border, created, outlived, partition_name
from sql.ddl.partition import Stamp
from sql.partition_scheduler import maintained
from storage import errors
from storage.catalog.model import Table
from storage.config import Config
from storage.database import Database
from storage.errors import Kind
from tests.unit.sql.client import Client, client_of
from tests.unit.sql.draft import alter_table, refuses, stamp, table


def dynamic(kind: str = "DATE", parts: str = "()", **given: str) -> Table:
    family = {"time_unit": "DAY", "end": "2", "prefix": "p", "time_zone": "UTC", **given}
    pairs = ", ".join(f"'dynamic_partition.{key}' = '{value}'" for key, value in family.items() if value)
    return table(f"CREATE TABLE t (d {kind}, v INT) PARTITION BY RANGE(d) {parts} PROPERTIES ({pairs})")


def at(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text)


REFUSED: list[tuple[dict[str, str], Kind]] = [
    ({"time_unit": ""}, errors.DYNAMIC_MISSING),
    ({"end": ""}, errors.DYNAMIC_MISSING),
    ({"prefix": ""}, errors.DYNAMIC_MISSING),
    ({"time_unit": "MINUTE"}, errors.DYNAMIC_UNIT),
    ({"time_unit": "HOUR"}, errors.DYNAMIC_UNIT_TYPE),
    ({"start": "0"}, errors.DYNAMIC_START),
    ({"start": "x"}, errors.DYNAMIC_NUMBER),
    ({"end": "-1"}, errors.DYNAMIC_END),
    ({"end": "501"}, errors.DYNAMIC_COUNT),
    ({"buckets": "0"}, errors.DYNAMIC_BUCKETS),
    ({"enable": "yes"}, errors.DYNAMIC_SWITCH),
    ({"start_day_of_week": "8"}, errors.DYNAMIC_DAY),
    ({"start_day_of_month": "29"}, errors.DYNAMIC_DAY),
    ({"time_zone": "Nowhere/At_All"}, errors.UNKNOWN_TIME_ZONE),
    ({"create_history_partition": "true"}, errors.DYNAMIC_HISTORY),
    ({"reserved_history_periods": "2020-01-01"}, errors.DYNAMIC_PERIODS),
    ({"reserved_history_periods": "[2020-01-01,]"}, errors.DYNAMIC_PERIODS),
    ({"reserved_history_periods": "[2020-02-01,2020-01-01]"}, errors.DYNAMIC_PERIODS),
    ({"colour": "red"}, errors.DYNAMIC_NAMES),
    ({"prefix": "1p"}, errors.INCORRECT_PARTITION_NAME),
]


@pytest.mark.parametrize(("given", "kind"), REFUSED)
def test_each_mistake_has_its_own_words(given: dict[str, str], kind: Kind) -> None:
    refuses(kind, lambda: dynamic(**given))


def test_only_one_date_column_by_range() -> None:
    given = {"time_unit": "DAY", "end": "1", "prefix": "p"}
    pairs = ", ".join(f"'dynamic_partition.{key}' = '{value}'" for key, value in given.items())
    properties = f"PROPERTIES ({pairs})"
    refuses(errors.DYNAMIC_COLUMNS, table, f"CREATE TABLE t (d DATE) {properties}")
    refuses(errors.DYNAMIC_COLUMNS, table, f"CREATE TABLE t (d DATE, k INT) PARTITION BY RANGE(d, k) () {properties}")
    refuses(errors.DYNAMIC_COLUMNS, table, f"CREATE TABLE t (d DATE) PARTITION BY LIST(d) () {properties}")
    refuses(errors.DYNAMIC_COLUMN, table, f"CREATE TABLE t (d INT) PARTITION BY RANGE(d) () {properties}")
    auto = "CREATE TABLE t (d DATE NOT NULL) AUTO PARTITION BY RANGE(date_trunc(d, 'month')) ()"
    refuses(errors.DYNAMIC_AUTO_UNIT, table, f"{auto} {properties}")


# time_unit, start days, now, offset -> the border
BORDERS = [
    ("DAY", {}, "2020-05-24 00:12:34", -1, "2020-05-23"),
    ("WEEK", {"start_day_of_week": "3"}, "2020-05-24 00:00:00", -1, "2020-05-13"),
    ("WEEK", {}, "2020-05-24 00:00:00", 0, "2020-05-18"),
    ("MONTH", {"start_day_of_month": "3"}, "2020-05-24 00:00:00", 1, "2020-06-03"),
    ("MONTH", {"start_day_of_month": "25"}, "2020-05-20 00:00:00", 0, "2020-04-25"),
    ("YEAR", {}, "2020-05-20 00:00:00", 1, "2021-01-01"),
]


@pytest.mark.parametrize(("unit", "days", "now", "offset", "wanted"), BORDERS)
def test_a_border_is_the_beginning(unit: str, days: dict[str, str], now: str, offset: int, wanted: str) -> None:
    rule = rule_of(dynamic(time_unit=unit, **days))
    assert rule is not None and border(rule, at(now), offset) == at(wanted)


# Doris documentation: 2019-12-30 belongs to the 53rd week of 2019
NAMES = [
    ("DAY", "2024-01-31", "p20240131"), ("MONTH", "2024-01-01", "p202401"), ("YEAR", "2024-01-01", "p2024"),
    ("WEEK", "2024-01-01", "p2024_01"), ("WEEK", "2019-12-30", "p2019_53"), ("WEEK", "2020-05-18", "p2020_21"),
]  # fmt: skip


@pytest.mark.parametrize(("unit", "begin", "wanted"), NAMES)
def test_a_name_is_the_prefix_and_the_beginning(unit: str, begin: str, wanted: str) -> None:
    rule = rule_of(dynamic(time_unit=unit))
    assert rule is not None and partition_name(rule, at(begin)) == wanted


def test_a_new_table_has_today_and_what_is_ahead() -> None:
    names = [part.name for part in dynamic().visible_partitions]  # the draft's clock says 2023-11-14 22:13:20
    assert names == ["p20231114", "p20231115", "p20231116"]
    names = [part.name for part in dynamic(start="-2", create_history_partition="true").visible_partitions]
    assert names == ["p20231112", "p20231113", "p20231114", "p20231115", "p20231116"]
    assert dynamic(enable="false").partitions == ()


def test_the_zone_decides_which_day_it_is() -> None:
    names = [part.name for part in dynamic(time_zone="Asia/Shanghai", end="1").visible_partitions]
    assert names == ["p20231115", "p20231116"]


def test_hours_part_a_datetime() -> None:
    made = dynamic("DATETIME", time_unit="HOUR", end="1")
    assert [(part.name, part.lo and part.lo.values[0]) for part in made.visible_partitions] == [
        ("p2023111422", "2023-11-14 22:00:00"),
        ("p2023111423", "2023-11-14 23:00:00"),
    ]


def test_a_range_that_is_taken_by_half_is_left_out() -> None:
    made = dynamic(parts="(PARTITION x VALUES [('2023-11-15'), ('2023-11-20')))")
    assert [part.name for part in made.visible_partitions] == ["x", "p20231114"]


def test_what_lies_before_the_start_is_outlived_but_for_reserved_periods() -> None:
    parts = "(FROM ('2023-11-01') TO ('2023-11-14') INTERVAL 1 DAY)"
    made = dynamic(parts=parts, start="-2", reserved_history_periods="[2023-11-03,2023-11-04]")
    rule = rule_of(made)
    assert rule is not None
    gone = [part.name for part in outlived(made, rule, at("2023-11-14 10:00:00"))]
    assert gone == ["p_20231101", "p_20231102", *(f"p_202311{day:02}" for day in range(5, 12))]
    assert list(created(made, rule, at("2023-11-14 10:00:00"), stamp())) == []


def test_maintenance_is_idle_when_nothing_is_to_do() -> None:
    made = dynamic(start="-1")
    now_ms = made.created_ms
    assert maintained(made, now_ms, stamp()) is made
    later = maintained(made, now_ms + 2 * 86_400_000, stamp())
    assert [part.name for part in later.visible_partitions] == ["p20231115", "p20231116", "p20231117", "p20231118"]
    assert [part.name for part in later.partitions if part.dropped_at] == ["p20231114"]


def test_partitions_of_a_dynamic_table_are_not_made_by_hand() -> None:
    made = dynamic()
    refuses(errors.DYNAMIC_ALTER, alter_table, made, "ALTER TABLE t DROP PARTITION p20231114")
    off = alter_table(made, "ALTER TABLE t SET ('dynamic_partition.enable' = 'false')")
    assert len(alter_table(off, "ALTER TABLE t DROP PARTITION p20231114").visible_partitions) == 2
    refuses(errors.DYNAMIC_END, alter_table, made, "ALTER TABLE t SET ('dynamic_partition.end' = '0')")
    plain = table("CREATE TABLE t (d DATE) PARTITION BY RANGE(d) ()")
    refuses(errors.DYNAMIC_MISSING, alter_table, plain, "ALTER TABLE t SET ('dynamic_partition.enable' = 'true')")


# -- the scheduler ---------------------------------------------------------------------------------
class Clock:
    """A clock that stands where it is told to."""

    def __init__(self) -> None:
        self.ms = 1_700_000_000_000

    def __call__(self) -> int:
        return self.ms

    def days_later(self, count: int) -> None:
        self.ms += count * 86_400_000


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def shop(tmp_path: Path, clock: Clock) -> Iterator[Client]:
    config = Config()
    for name, value in (("enable_feature_changelog", "true"), ("changelog_cleanup_interval_second", "0")):
        config.override(name, value)
    database = Database(tmp_path, config, clock)
    client = client_of(database)
    client.run("CREATE DATABASE shop; USE shop")
    yield client
    database.close()


DAILY = (
    "CREATE TABLE t (d DATE, v INT) DUPLICATE KEY(d) PARTITION BY RANGE(d) () PROPERTIES ("
    "'dynamic_partition.time_unit' = 'DAY', 'dynamic_partition.start' = '-1', 'dynamic_partition.end' = '1',"
    " 'dynamic_partition.prefix' = 'p', 'dynamic_partition.time_zone' = 'UTC', 'changelog.enable' = 'true')"
)


def test_the_scheduler_follows_the_clock(shop: Client, clock: Clock) -> None:
    shop.run(DAILY)
    shop.run("INSERT INTO t VALUES ('2023-11-14', 1), ('2023-11-15', 2)")
    shop.engine.partitions.run()
    before = shop.engine.database.catalog.version
    assert shop.column("SHOW PARTITIONS FROM t WHERE PartitionName LIKE 'p%'") != []
    clock.days_later(2)
    shop.engine.partitions.run()
    assert [row[1] for row in shop.run("SHOW PARTITIONS FROM t")] == ["p20231115", "p20231116", "p20231117"]
    assert shop.run("SELECT * FROM t") == [(dt.date(2023, 11, 15), 2)]
    assert shop.engine.database.catalog.version == before + 1
    shop.engine.partitions.run()
    assert shop.engine.database.catalog.version == before + 1
    shop.run("ALTER TABLE t SET ('dynamic_partition.enable' = 'false'); RECOVER PARTITION p20231114 FROM t")
    assert shop.run("SELECT COUNT(*) FROM t") == [(2,)]


def test_a_table_that_fails_stops_no_other(shop: Client, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.run(f"{DAILY.replace('TABLE t', 'TABLE bad')}; {DAILY}")
    whole = partition_scheduler.maintained

    def failing(table: Table, now_ms: int, stamp: Stamp) -> Table:
        if table.name == "bad":
            raise ValueError("broken")
        return whole(table, now_ms, stamp)

    monkeypatch.setattr(partition_scheduler, "maintained", failing)
    clock.days_later(1)
    shop.engine.partitions.run()
    assert {run.error for run in shop.engine.partitions.runs.values()} == {None, "internal error, see fe.log"}
    assert "p20231116" in [row[1] for row in shop.run("SHOW PARTITIONS FROM t")]


def test_a_stream_reads_a_dynamic_partition_from_its_start(shop: Client, clock: Clock) -> None:
    shop.engine.config.override("enable_table_stream", "true")
    shop.run(f"{DAILY}; CREATE STREAM s ON TABLE t PROPERTIES ('type' = 'append_only')")
    clock.days_later(1)
    shop.engine.partitions.run()
    shop.run("INSERT INTO t VALUES ('2023-11-16', 7)")
    assert shop.run("SELECT v FROM s") == [(7,)]


def test_the_schedule_is_shown(shop: Client) -> None:
    shop.run(f"SET time_zone = 'UTC'; {DAILY}")
    shop.engine.partitions.run()
    rows = shop.run("SHOW DYNAMIC PARTITION TABLES")
    assert [(row[0], row[2], row[3], row[4], row[11], row[12]) for row in rows] == [
        ("t", "DAY", "-1", "1", "2023-11-14 22:13:20", "NORMAL")
    ]


def test_retention_keeps_the_newest_of_the_past(shop: Client) -> None:
    shop.run(
        "CREATE TABLE r (d DATETIME NOT NULL) AUTO PARTITION BY RANGE(date_trunc(d, 'day')) ()"
        " PROPERTIES ('partition.retention_count' = '2')"
    )
    days = ", ".join(f"('2023-11-{day:02} 12:00:00')" for day in (1, 5, 9, 13, 20))
    shop.run(f"INSERT INTO r VALUES {days}")
    shop.engine.partitions.run()
    names = [row[1] for row in shop.run("SHOW PARTITIONS FROM r")]
    assert names == ["p20231109000000", "p20231113000000", "p20231120000000"]


def test_retention_looks_at_the_clock_of_the_system_zone(shop: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """In Shanghai 2023-11-14 is past when it is 22:13 of that day in UTC."""
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    shop.run(
        "CREATE TABLE r (d DATETIME NOT NULL) AUTO PARTITION BY RANGE(date_trunc(d, 'day')) ()"
        " PROPERTIES ('partition.retention_count' = '1');"
        " INSERT INTO r VALUES ('2023-11-13 12:00:00'), ('2023-11-14 12:00:00')"
    )
    shop.engine.partitions.run()
    assert [row[1] for row in shop.run("SHOW PARTITIONS FROM r")] == ["p20231114000000"]


def test_retention_needs_automatic_ranges() -> None:
    text = "CREATE TABLE t (d DATE NOT NULL) {} PROPERTIES ('partition.retention_count' = '{}')"
    refuses(errors.RETENTION_TABLE, table, text.format("PARTITION BY RANGE(d) ()", "1"))
    refuses(errors.RETENTION_COUNT, table, text.format("AUTO PARTITION BY RANGE(date_trunc(d, 'day')) ()", "0"))
