"""LIST partitions, FROM … TO … INTERVAL, and AUTO PARTITION as definitions."""

from __future__ import annotations

from itertools import pairwise

import pytest

from sql.ddl.auto_partition import list_name
from storage import errors
from storage.catalog.model import Bound, Table
from storage.errors import Kind
from tests.unit.sql.draft import alter_table, printed, refuses, table

COLUMNS = (
    "CREATE TABLE t (k INT, d DATE, s VARCHAR(5), m DATETIME NOT NULL, n DATE NOT NULL, v INT) DUPLICATE KEY(k, d, s)"
)


def parted(clause: str) -> Table:
    return table(f"{COLUMNS} PARTITION BY {clause}")


def ranges(made: Table) -> list[tuple[str, str | None, str | None]]:
    return [(part.name, first(part.lo), first(part.hi)) for part in made.visible_partitions]


def first(edge: Bound | None) -> str | None:
    return edge.values[0] if edge else None


def test_a_list_partition_holds_its_values_in_one_spelling() -> None:
    made = parted("LIST(d, s) (PARTITION p VALUES IN (('20240101', 'a'), ('2024-01-02', NULL)))")
    assert made.partitions[0].values == (("2024-01-01", "a"), ("2024-01-02", None))
    assert 'PARTITION p VALUES IN (("2024-01-01", "a"),("2024-01-02", NULL))' in printed(made)


def test_a_single_column_needs_no_inner_brackets() -> None:
    made = parted("LIST(k) (PARTITION p VALUES IN (1, -2), PARTITION q VALUES IN ((3), (NULL)))")
    assert [part.values for part in made.partitions] == [(("1",), ("-2",)), (("3",), (None,))]


def test_intervals_of_numbers_end_at_the_end() -> None:
    made = parted("RANGE(k) (FROM (1) TO (10) INTERVAL 4, PARTITION q VALUES LESS THAN MAXVALUE)")
    assert ranges(made) == [("p_1", "1", "5"), ("p_5", "5", "9"), ("p_9", "9", "10"), ("q", "10", None)]


STEPS = [
    ("'2024-01-30'", "'2024-02-02'", "1 DAY", ["p_20240130", "p_20240131", "p_20240201"]),
    ("'2024-01-15'", "'2024-03-10'", "1 MONTH", ["p_202401", "p_202402", "p_202403"]),
    ("'2024-01-31'", "'2024-02-14'", "1 WEEK", ["p_20240131", "p_20240205", "p_20240212"]),
    ("'2020-11-14'", "'2023-01-01'", "1 YEAR", ["p_2020", "p_2021", "p_2022"]),
    ("'2024-01-01'", "'2024-05-01'", "2 MONTH", ["p_202401", "p_202403"]),
]


@pytest.mark.parametrize(("low", "high", "every", "names"), STEPS)
def test_intervals_of_the_calendar_are_consecutive(low: str, high: str, every: str, names: list[str]) -> None:
    found = ranges(parted(f"RANGE(d) (FROM ({low}) TO ({high}) INTERVAL {every})"))
    assert [name for name, _, _ in found] == names
    assert [found[0][1], found[-1][2]] == [low.strip("'"), high.strip("'")]
    assert all(left[2] == right[1] for left, right in pairwise(found))


def test_intervals_may_be_hours_of_a_datetime() -> None:
    found = ranges(parted("RANGE(m) (FROM ('2024-01-01 22:00:00') TO ('2024-01-02 01:00:00') INTERVAL 2 HOUR)"))
    assert found == [
        ("p_2024010122", "2024-01-01 22:00:00", "2024-01-02 00:00:00"),
        ("p_2024010200", "2024-01-02 00:00:00", "2024-01-02 01:00:00"),
    ]


def test_several_intervals_and_fixed_ranges_mix() -> None:
    made = parted(
        "RANGE(d) (PARTITION old VALUES LESS THAN ('2022-01-01'),"
        " FROM ('2022-01-01') TO ('2023-01-01') INTERVAL 1 YEAR,"
        " FROM ('2023-01-01') TO ('2023-03-01') INTERVAL 1 MONTH)"
    )
    assert [name for name, _, _ in ranges(made)] == ["old", "p_2022", "p_202301", "p_202302"]


def test_alter_table_adds_partitions_from_to() -> None:
    made = alter_table(parted("RANGE(k) ()"), "ALTER TABLE t ADD PARTITIONS FROM (1) TO (4) INTERVAL 2")
    assert ranges(made) == [("p_1", "1", "3"), ("p_3", "3", "4")]


REFUSED: list[tuple[str, Kind]] = [
    ("LIST(k) (PARTITION p VALUES IN ('x'))", errors.PARTITION_VALUE),
    ("LIST(k) (PARTITION p VALUES IN (MAXVALUE))", errors.PARTITION_VALUE),
    ("LIST(k) (PARTITION p VALUES IN (1, 1))", errors.PARTITION_TWICE),
    ("LIST(k) (PARTITION p VALUES IN (1), PARTITION q VALUES IN (2, 1))", errors.PARTITION_CONFLICT),
    ("LIST(k) (PARTITION p VALUES IN (1), PARTITION p VALUES IN (2))", errors.PARTITION_EXISTS),
    ("LIST(k, s) (PARTITION p VALUES IN ((1)))", errors.PARTITION_VALUES),
    ("LIST(n) (PARTITION p VALUES IN (NULL))", errors.PARTITION_NULL),
    ("LIST(k) (PARTITION p VALUES LESS THAN (1))", errors.PARTITION_CLAUSE),
    ("LIST(date_trunc(d, 'day')) ()", errors.AUTO_LIST_FUNCTION),
    ("RANGE(k) (FROM (5) TO (5) INTERVAL 1)", errors.STEP_ORDER),
    ("RANGE(k) (FROM (1) TO (5) INTERVAL 0)", errors.STEP_INTERVAL),
    ("RANGE(k) (FROM (1) TO (100000) INTERVAL 1)", errors.STEP_COUNT),
    ("RANGE(k) (FROM (1) TO (5) INTERVAL 1 DAY)", errors.STEP_UNIT),
    ("RANGE(d) (FROM ('2024-01-01') TO ('2024-01-02') INTERVAL 1 HOUR)", errors.STEP_UNIT),
    ("RANGE(d) (FROM ('2024-01-01') TO ('2024-01-02') INTERVAL 1)", errors.STEP_UNIT),
    ("RANGE(k, d) (FROM (1) TO (5) INTERVAL 1)", errors.STEP_COLUMNS),
    ("RANGE(date_trunc(d, 'day')) ()", errors.AUTO_RANGE_NULL),
    ("RANGE(date_trunc(k, 'day')) ()", errors.AUTO_RANGE_COLUMN),
    ("RANGE(date_trunc(n, 'hour')) ()", errors.AUTO_RANGE_UNIT),
    ("RANGE(date_trunc(m, 'second')) ()", errors.AUTO_RANGE_UNIT),
    ("RANGE(to_date(m)) ()", errors.AUTO_RANGE_FUNCTION),
]


@pytest.mark.parametrize(("clause", "kind"), REFUSED)
def test_each_mistake_has_its_own_words(clause: str, kind: Kind) -> None:
    refuses(kind, parted, clause)


def test_auto_may_be_left_out_before_date_trunc() -> None:
    for text in (
        "CREATE TABLE t (m DATETIME NOT NULL) AUTO PARTITION BY RANGE(date_trunc(m, 'month')) ()",
        "CREATE TABLE t (m DATETIME NOT NULL) PARTITION BY RANGE(date_trunc(m, 'month')) ()",
    ):
        made = table(text)
        assert made.partitioning is not None and made.partitioning.auto and made.partitioning.unit == "month"
        assert "AUTO PARTITION BY RANGE (date_trunc(`m`, 'month'))\n()" in printed(made)
    refuses(errors.AUTO_RANGE_FUNCTION, table, "CREATE TABLE t (m DATE NOT NULL) AUTO PARTITION BY RANGE(m) ()")


def test_names_of_automatic_list_partitions_spell_value_and_length() -> None:
    assert list_name(("Oslo",)) == "pOslo4"
    assert list_name((None,)) == "pX"
    assert list_name(("1", "a b")) == "p11a20b3"
    assert list_name(("-5",)) == "p_2d52"
    assert list_name(("-",)) == "p_2d1"
    assert list_name(("accenté",)) == "paccente97"
    assert list_name(("您好",)) == "p60a8597d2"
    assert list_name(("你好,世界", "😊,😂")) == "p4f60597d2c4e16754c51f60ade0a2c1f602de025"
    long = list_name(("x" * 80,))
    assert len(long) <= 60 and long != list_name(("x" * 81,))


def test_less_than_begins_behind_the_partition_before() -> None:
    made = parted(
        "RANGE(k, d) (PARTITION p VALUES LESS THAN (5, MAXVALUE), PARTITION q VALUES LESS THAN (MAXVALUE, MAXVALUE))"
    )
    assert made.partitions[1].lo == Bound(("6", "0000-01-01"))
