"""AUTO PARTITION: a write makes the partitions it needs, with its rows or not at all."""

from __future__ import annotations

import datetime as dt
import threading

import pytest

from storage import errors
from storage.audit import audit
from tests.unit.sql.client import Client

MONTHLY = (
    "CREATE TABLE t (d DATE NOT NULL, k INT, v INT) UNIQUE KEY(d, k)"
    " AUTO PARTITION BY RANGE (date_trunc(d, 'month')) () DISTRIBUTED BY HASH(k) BUCKETS 1"
    " PROPERTIES ('changelog.enable' = 'true', 'changelog.need_historical_value' = 'true')"
)
LISTED = "CREATE TABLE l (c VARCHAR(9), n INT, v INT) AUTO PARTITION BY LIST (c, n) () DISTRIBUTED BY RANDOM"


def parts(client: Client, table: str = "t") -> list[object]:
    return [row[1] for row in client.run(f"SHOW PARTITIONS FROM {table}")]


UNITS = [
    ("year", "p20240101000000", "2024-01-01 00:00:00", "2025-01-01 00:00:00"),
    ("quarter", "p20240701000000", "2024-07-01 00:00:00", "2024-10-01 00:00:00"),
    ("month", "p20240801000000", "2024-08-01 00:00:00", "2024-09-01 00:00:00"),
    ("week", "p20240812000000", "2024-08-12 00:00:00", "2024-08-19 00:00:00"),
    ("day", "p20240815000000", "2024-08-15 00:00:00", "2024-08-16 00:00:00"),
    ("hour", "p20240815130000", "2024-08-15 13:00:00", "2024-08-15 14:00:00"),
]


@pytest.mark.parametrize(("unit", "name", "low", "high"), UNITS)
def test_each_unit_has_its_range_and_name(client: Client, unit: str, name: str, low: str, high: str) -> None:
    client.run(f"CREATE TABLE u (m DATETIME NOT NULL) AUTO PARTITION BY RANGE (date_trunc(m, '{unit}')) ()")
    client.run("INSERT INTO u VALUES ('2024-08-15 13:14:15')")
    assert [(row[1], row[6]) for row in client.run("SHOW PARTITIONS FROM u")] == [(name, f'[("{low}"), ("{high}"))')]


def test_rows_of_one_statement_share_their_partitions(client: Client) -> None:
    client.run(MONTHLY)
    client.run("INSERT INTO t VALUES ('2012-12-13', 1, 1), ('2008-02-03', 2, 2), ('2012-12-30', 3, 3)")
    assert parts(client) == ["p20080201000000", "p20121201000000"]
    assert client.run("SELECT v FROM t PARTITION (p20121201000000) ORDER BY v") == [(1,), (3,)]
    client.run("INSERT INTO t SELECT d, k, v + 10 FROM t; INSERT INTO t (d, k) VALUES ('2008-02-29', 9)")
    assert len(parts(client)) == 2 and client.run("SELECT COUNT(*) FROM t") == [(4,)]
    assert audit(client.engine.database) == []


def test_a_failed_statement_leaves_no_partition_behind(client: Client) -> None:
    client.run(MONTHLY)
    client.refused(errors.FILTERED_IN_STRICT_MODE, "INSERT INTO t VALUES ('2012-12-13', 1, 1), ('2008-02-03', 2, 'x')")
    client.refused(errors.FILTERED_IN_STRICT_MODE, "INSERT INTO t VALUES (NULL, 1, 1), ('2008-02-03', 2, 2)")
    assert parts(client) == []
    client.run("SET enable_insert_strict = false; SET insert_max_filter_ratio = 1")
    client.run("INSERT INTO t VALUES ('2012-12-13', 1, 'x'), ('2008-02-03', 2, 2)")
    assert parts(client) == ["p20080201000000"]


def test_a_named_partition_takes_its_own_rows_only(client: Client) -> None:
    client.run(f"{MONTHLY}; INSERT INTO t VALUES ('2012-12-13', 1, 1)")
    client.refused(
        errors.FILTERED_IN_STRICT_MODE, "INSERT INTO t PARTITION (p20121201000000) VALUES ('2013-01-01', 1, 1)"
    )
    assert parts(client) == ["p20121201000000"]


def test_values_and_null_make_list_partitions(client: Client) -> None:
    client.run(f"{LISTED}; INSERT INTO l VALUES ('Oslo', 1, 1), (NULL, NULL, 2), ('a''\"b', -1, 3), ('Oslo', 1, 4)")
    assert parts(client, "l") == ["pOslo411", "pa2722b42d12", "pXX"]
    assert client.run("SELECT v FROM l PARTITION (pXX)") == [(2,)]
    assert client.run("SELECT v FROM l PARTITION (pOslo411) ORDER BY v") == [(1,), (4,)]
    client.run("INSERT INTO l VALUES (NULL, NULL, 5)")
    assert len(parts(client, "l")) == 3


def test_a_transaction_makes_its_partitions_at_commit(client: Client) -> None:
    client.run(f"{MONTHLY}; BEGIN; INSERT INTO t VALUES ('2020-01-01', 1, 1)")
    client.run("INSERT INTO t VALUES ('2020-01-02', 2, 2)")
    assert parts(client.other(), "shop.t") == []
    client.run("COMMIT")
    assert parts(client) == ["p20200101000000"] and client.run("SELECT COUNT(*) FROM t") == [(2,)]
    client.run("BEGIN; INSERT INTO t VALUES ('2021-01-01', 1, 1); ROLLBACK")
    assert parts(client) == ["p20200101000000"]


def test_a_stream_reads_a_new_partition_from_its_start(client: Client) -> None:
    client.run(f"{MONTHLY}; INSERT INTO t VALUES ('2020-01-01', 1, 1); CREATE STREAM s ON TABLE t")
    client.run("INSERT INTO t VALUES ('2020-02-01', 2, 2)")
    assert client.run("SELECT k, v FROM s") == [(2, 2)]


def test_overwrite_creates_only_when_it_may(client: Client) -> None:
    client.run(f"{MONTHLY}; INSERT INTO t VALUES ('2020-01-01', 1, 1), ('2020-02-01', 1, 1)")
    client.refused(errors.FILTERED_IN_STRICT_MODE, "INSERT OVERWRITE TABLE t VALUES ('2020-03-01', 1, 1)")
    client.run("SET enable_auto_create_when_overwrite = true")
    client.run("INSERT OVERWRITE TABLE t PARTITION (*) VALUES ('2020-02-02', 5, 5), ('2020-03-01', 6, 6)")
    assert client.run("SELECT k FROM t ORDER BY d") == [(1,), (5,), (6,)]
    client.run("INSERT OVERWRITE TABLE t VALUES ('2020-04-01', 7, 7)")
    assert client.run("SELECT k FROM t") == [(7,)] and len(parts(client)) == 4
    assert audit(client.engine.database) == []


def test_create_table_as_select_begins_with_partitions(client: Client) -> None:
    client.run(f"{MONTHLY}; INSERT INTO t VALUES ('2020-01-01', 1, 1), ('2020-02-01', 1, 1)")
    client.run("CREATE TABLE c AUTO PARTITION BY LIST (k) () AS SELECT k, v FROM t")
    assert parts(client, "c") == ["p11"] and client.run("SELECT COUNT(*) FROM c") == [(2,)]


def test_the_number_of_partitions_is_limited(client: Client) -> None:
    client.run(f"{MONTHLY}; ADMIN SET FRONTEND CONFIG ('max_auto_partition_num' = '2')")
    rows = ", ".join(f"('2020-0{month}-01', 1, 1)" for month in (1, 2, 3))
    client.refused(errors.AUTO_COUNT, f"INSERT INTO t VALUES {rows}")
    assert parts(client) == []


def test_a_partition_made_by_hand_keeps_its_rows(client: Client) -> None:
    client.run(MONTHLY)
    client.run("ALTER TABLE t ADD PARTITION mine VALUES [('2020-01-10'), ('2020-02-01'))")
    client.run("INSERT INTO t VALUES ('2020-01-15', 1, 1)")
    assert parts(client) == ["mine"]
    client.refused(errors.PARTITION_INTERSECTED, "INSERT INTO t VALUES ('2020-01-05', 1, 1)")
    client.run("ALTER TABLE t ADD PARTITION p20200201000000 VALUES [('2019-01-01'), ('2019-02-01'))")
    client.run("INSERT INTO t VALUES ('2020-02-05', 1, 1)")
    assert parts(client) == ["p20200201000000", "mine", "p20200201000000_2"]


def test_the_end_of_the_calendar_is_maxvalue(client: Client) -> None:
    client.run(f"{MONTHLY}; INSERT INTO t VALUES ('9999-12-31', 1, 1)")
    assert [row[6] for row in client.run("SHOW PARTITIONS FROM t")] == ['[("9999-12-01"), (MAXVALUE))']
    client.run("INSERT INTO t VALUES ('9999-12-30', 2, 2)")
    assert client.run("SELECT COUNT(*) FROM t PARTITION (p99991201000000)") == [(2,)]


def test_writers_of_the_same_new_values_share_partitions(client: Client) -> None:
    client.run(MONTHLY)
    failures: list[BaseException] = []
    begin = threading.Barrier(4, timeout=60)

    def write(number: int) -> None:
        other = client.other()
        try:
            other.run("USE shop")
            begin.wait()
            for month in range(1, 9):
                other.run(f"INSERT INTO t VALUES ('2020-{month:02}-01', {number}, {month})")
        except BaseException as failure:  # noqa: BLE001 - told to the test
            failures.append(failure)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(parts(client)) == 8 and client.run("SELECT COUNT(*) FROM t") == [(32,)]
    assert audit(client.engine.database) == []


def test_boolean_and_large_values_part_a_list(client: Client) -> None:
    client.run("CREATE TABLE b (a BOOLEAN, n LARGEINT, d DATETIME(3)) AUTO PARTITION BY LIST (a, n, d) ()")
    client.run("INSERT INTO b VALUES (true, 170141183460469231731687303715884105727, '2024-01-01 00:00:00.5')")
    client.run("INSERT INTO b VALUES (true, 170141183460469231731687303715884105727, '2024-01-01 00:00:00.500')")
    assert len(parts(client, "b")) == 1
    assert client.run("SELECT COUNT(*), MIN(d) FROM b") == [(2, dt.datetime(2024, 1, 1, 0, 0, 0, 500_000))]
