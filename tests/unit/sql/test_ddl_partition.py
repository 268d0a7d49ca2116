"""RANGE partitions: bounds, order, overlap, and what ALTER and TRUNCATE do to them."""

from __future__ import annotations

import pytest

from sql.ddl.alter_partition import truncated
from storage import errors
from storage.catalog.model import Bound, Table
from storage.errors import Kind
from tests.unit.sql.draft import NOW, alter_table, printed, refuses, stamp, table

THREE = (
    "CREATE TABLE t (k INT, v INT) PARTITION BY RANGE(k) (PARTITION p1 VALUES LESS THAN (10),"
    ' PARTITION p2 VALUES [("20"), ("30")), PARTITION p3 VALUES LESS THAN MAXVALUE)'
)


def edges(made: Table) -> dict[str, tuple[Bound | None, Bound | None]]:
    return {part.name: (part.lo, part.hi) for part in made.visible_partitions}


def test_less_than_begins_at_the_previous_edge_or_the_minimum() -> None:
    assert edges(table(THREE)) == {
        "p1": (Bound((None,)), Bound(("10",))),
        "p2": (Bound(("20",)), Bound(("30",))),
        "p3": (Bound(("30",)), Bound((None,))),
    }


def test_the_lowest_value_as_a_bound_is_the_minimum() -> None:
    text = 'CREATE TABLE t (k TINYINT) PARTITION BY RANGE(k) (PARTITION p VALUES [("-128"), ("0")))'
    assert edges(table(text)) == {"p": (Bound((None,)), Bound(("0",)))}


def test_dates_are_bounds_in_one_spelling() -> None:
    text = "CREATE TABLE t (k {}) PARTITION BY RANGE(k) (PARTITION p VALUES [('20240101'), ('2024-02-01')))"
    assert edges(table(text.format("DATE")))["p"] == (Bound(("2024-01-01",)), Bound(("2024-02-01",)))
    assert edges(table(text.format("DATETIME(1)")))["p"][0] == Bound(("2024-01-01 00:00:00.0",))


def test_several_columns_compare_from_left_to_right() -> None:
    made = table(
        "CREATE TABLE t (k DATE, j INT) PARTITION BY RANGE(k, j)"
        " (PARTITION p1 VALUES LESS THAN ('2024-01-01', MAXVALUE),"
        " PARTITION p2 VALUES LESS THAN ('2024-02-01'), PARTITION p3 VALUES LESS THAN (MAXVALUE, MAXVALUE))"
    )
    assert edges(made) == {
        "p1": (Bound((None, None)), Bound(("2024-01-01", None))),
        "p2": (Bound(("2024-01-02", "-2147483648")), Bound(("2024-02-01", "-2147483648"))),
        "p3": (Bound(("2024-02-01", "-2147483648")), Bound((None, None))),
    }


def test_show_create_table_spells_minimum_and_maxvalue() -> None:
    assert '(PARTITION p1 VALUES [("-2147483648"), ("10")),\nPARTITION p2 VALUES' in printed(table(THREE))
    assert 'PARTITION p3 VALUES [("30"), (MAXVALUE)))' in printed(table(THREE))


REFUSED: list[tuple[str, Kind]] = [
    ("RANGE(zz) ()", errors.PARTITION_COLUMN),
    ("RANGE(s) ()", errors.PARTITION_COLUMN_TYPE),
    ("RANGE(v) ()", errors.PARTITION_NOT_KEY),
    ("RANGE(k) (PARTITION p VALUES IN (1))", errors.PARTITION_CLAUSE),
    ("RANGE(k, k) ()", errors.PARTITION_COLUMN_TWICE),
    ("RANGE(k) (PARTITION p VALUES LESS THAN ('x'))", errors.PARTITION_VALUE),
    ("RANGE(k) (PARTITION p VALUES LESS THAN (3000000000))", errors.PARTITION_VALUE),
    ("RANGE(k) (PARTITION p VALUES LESS THAN (1, 2))", errors.PARTITION_VALUES),
    ("RANGE(k) (PARTITION p VALUES [(5), (5)))", errors.PARTITION_EMPTY),
    ("RANGE(k) (PARTITION p VALUES LESS THAN (9), PARTITION q VALUES LESS THAN (5))", errors.PARTITION_INTERSECTED),
    ("RANGE(k) (PARTITION p VALUES [(1), (5)), PARTITION q VALUES [(4), (9)))", errors.PARTITION_INTERSECTED),
    ("RANGE(k) (PARTITION p VALUES LESS THAN (1), PARTITION p VALUES LESS THAN (5))", errors.PARTITION_EXISTS),
]


@pytest.mark.parametrize(("clause", "kind"), REFUSED)
def test_each_mistake_has_its_own_words(clause: str, kind: Kind) -> None:
    refuses(kind, table, f"CREATE TABLE t (k INT, s VARCHAR(5), v INT) UNIQUE KEY(k, s) PARTITION BY {clause}")


def test_add_partition_takes_a_free_range() -> None:
    made = alter_table(table(THREE), "ALTER TABLE t ADD PARTITION q VALUES LESS THAN (15)")
    assert edges(made)["q"] == (Bound(("10",)), Bound(("15",)))
    assert made.partitions[-1].created_tso == NOW
    refuses(errors.PARTITION_INTERSECTED, alter_table, made, "ALTER TABLE t ADD PARTITION r VALUES LESS THAN (25)")
    refuses(errors.PARTITION_EXISTS, alter_table, made, "ALTER TABLE t ADD PARTITION q VALUES LESS THAN (16)")
    assert alter_table(made, "ALTER TABLE t ADD PARTITION IF NOT EXISTS q VALUES LESS THAN (16)") == made


def test_drop_partition_waits_in_the_recycle_bin_unless_forced() -> None:
    made = alter_table(table(THREE), "ALTER TABLE t DROP PARTITION p1")
    assert made.partition("p1") is None and len(made.partitions) == 3
    assert len(alter_table(table(THREE), "ALTER TABLE t DROP PARTITION p1 FORCE").partitions) == 2
    refuses(errors.PARTITION_MISSING, alter_table, made, "ALTER TABLE t DROP PARTITION p1")
    assert alter_table(made, "ALTER TABLE t DROP PARTITION IF EXISTS p1") == made


def test_a_dropped_name_and_range_are_free_again() -> None:
    made = alter_table(table(THREE), "ALTER TABLE t DROP PARTITION p1")
    again = alter_table(made, "ALTER TABLE t ADD PARTITION p1 VALUES LESS THAN (12)")
    assert edges(again)["p1"] == (Bound((None,)), Bound(("12",)))


def test_rename_partition_keeps_its_identity() -> None:
    made = table(THREE)
    renamed = alter_table(made, "ALTER TABLE t RENAME PARTITION p1 q1")
    assert renamed.partitions[0].id == made.partitions[0].id and renamed.partitions[0].name == "q1"
    refuses(errors.PARTITION_EXISTS, alter_table, made, "ALTER TABLE t RENAME PARTITION p1 p2")


def test_truncate_gives_partitions_a_new_identity() -> None:
    made = table(THREE)
    after = truncated(made, ["p2"], stamp())
    assert edges(after) == edges(made)
    assert [old.id == new.id for old, new in zip(made.partitions, after.partitions, strict=True)] == [True, False, True]
    assert not {part.id for part in truncated(made, (), stamp()).partitions} & {part.id for part in made.partitions}
    refuses(errors.UNKNOWN_PARTITION, truncated, made, ["zz"], stamp())


def test_an_unpartitioned_table_takes_no_partition_action() -> None:
    plain = table("CREATE TABLE t (k INT)")
    refuses(errors.NOT_PARTITIONED, alter_table, plain, "ALTER TABLE t ADD PARTITION p VALUES LESS THAN (1)")
