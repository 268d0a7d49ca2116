"""Tables look like those of the mysql command line."""

from __future__ import annotations

from dorisette import box


def test_numbers_stand_right_and_text_left() -> None:
    """Widths follow the longest cell, NULL is spelled out."""
    rows = [("1", "created", "100.00"), ("22", None, "7.00")]
    assert box.render(("id", "status", "amount"), (True, False, True), rows).split("\n") == [
        "+----+---------+--------+",
        "| id | status  | amount |",
        "+----+---------+--------+",
        "|  1 | created | 100.00 |",
        "| 22 | NULL    |   7.00 |",
        "+----+---------+--------+",
    ]


def test_the_line_below() -> None:
    """A single row is spelled so."""
    assert [box.summary(count) for count in (0, 1, 2)] == ["Empty set", "1 row in set", "2 rows in set"]
    assert [box.done(count) for count in (0, 1)] == ["Query OK, 0 rows affected", "Query OK, 1 row affected"]
