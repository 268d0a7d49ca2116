"""LIKE, WHERE, ORDER BY and LIMIT of SHOW statements."""

from __future__ import annotations

import pytest
from sqlglot import exp

from sql.listing import like_matcher, listed
from storage.errors import SHOW_WHERE
from tests.unit.sql.draft import node_of, refuses

COLUMNS = ("Name", "Size")
ROWS = [("orders", 9), ("Orders_old", 10), ("tickets", None)]


def found(text: str) -> list[object]:
    node = node_of(text)
    assert isinstance(node, exp.Show)
    result = listed(node, COLUMNS, ROWS)
    return [name for batch in result.source for name in batch.column(0).to_pylist()]


def test_like_knows_its_wild_cards_and_escapes() -> None:
    assert like_matcher("a%")("abc") and not like_matcher("a%")("ba")
    assert like_matcher("a_c")("abc") and not like_matcher("a_c")("ac")
    assert like_matcher(r"a\_c")("a_c") and not like_matcher(r"a\_c")("abc")
    assert like_matcher("A%", sensitive=False)("abc") and not like_matcher("A%")("abc")
    assert like_matcher("a.c")("a.c") and not like_matcher("a.c")("abc")


@pytest.mark.parametrize(
    ("tail", "names"),
    [
        ("", ["orders", "Orders_old", "tickets"]),
        ("LIKE 'orders%'", ["orders"]),
        ("WHERE name = 'orders'", ["orders"]),
        ("WHERE `Name` LIKE 'ORD%' AND Size > 9", ["Orders_old"]),
        ("WHERE NOT (Name = 'orders') AND Size IS NOT NULL", ["Orders_old"]),
        ("WHERE Size IS NULL OR Name IN ('orders')", ["orders", "tickets"]),
        ("WHERE Size <> 9", ["Orders_old"]),
    ],
)
def test_rows_are_narrowed(tail: str, names: list[str]) -> None:
    assert found(f"SHOW TABLES {tail}") == names


def test_rows_are_ordered_and_cut() -> None:
    assert found("SHOW PARTITIONS FROM t ORDER BY Size DESC LIMIT 2") == ["Orders_old", "orders"]
    assert found("SHOW PARTITIONS FROM t ORDER BY Size LIMIT 1, 1") == ["orders"]


def test_what_where_cannot_say_is_refused() -> None:
    refuses(SHOW_WHERE, found, "SHOW TABLES WHERE length(Name) = 3")
    refuses(SHOW_WHERE, found, "SHOW TABLES WHERE colour = 'red'")
