"""LIKE, WHERE, ORDER BY and LIMIT of SHOW statements."""

from __future__ import annotations

import pytest
from sqlglot import exp

from sql.condition import like_matcher
from sql.listing import listed
from storage.errors import SHOW_ORDER, SHOW_WHERE, SYNTAX_ERROR
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
        ("WHERE Name NOT LIKE 'ORD%'", ["tickets"]),
        ("WHERE Size BETWEEN 9 AND 10 AND Size NOT BETWEEN 10 AND 11", ["orders"]),
        ("WHERE Size >= -1 AND '9' < (Size)", ["Orders_old"]),
        ("WHERE BINARY Name = 'orders'", ["orders"]),
        ("WHERE TRUE", ["orders", "Orders_old", "tickets"]),
        ("WHERE 1 = 1 AND NOT FALSE", ["orders", "Orders_old", "tickets"]),
        # unknown is neither true nor false
        ("WHERE NOT Size = 9", ["Orders_old"]),
        ("WHERE NOT (Size = 9 AND Name = 'nobody')", ["orders", "Orders_old", "tickets"]),
        ("WHERE Size = 9 OR Name = 'tickets'", ["orders", "tickets"]),
        ("WHERE NOT (Size = 9 OR Name = 'nobody')", ["Orders_old"]),
        ("WHERE Size = NULL OR Size <> NULL OR NOT Size LIKE NULL", []),
        ("WHERE Size IN (9, NULL)", ["orders"]),
        ("WHERE Size NOT IN (9, NULL)", []),
        ("WHERE Size NOT IN (9)", ["Orders_old"]),
        ("WHERE Size <=> NULL", ["tickets"]),
    ],
)
def test_rows_are_narrowed(tail: str, names: list[str]) -> None:
    assert found(f"SHOW TABLES {tail}") == names


def test_rows_are_ordered_and_cut() -> None:
    assert found("SHOW PARTITIONS FROM t ORDER BY Size DESC LIMIT 2") == ["Orders_old", "orders"]
    assert found("SHOW PARTITIONS FROM t ORDER BY Size LIMIT 1, 1") == ["orders"]
    assert found("SHOW PARTITIONS FROM t ORDER BY Size DESC NULLS FIRST") == ["tickets", "Orders_old", "orders"]
    assert found("SHOW PARTITIONS FROM t ORDER BY Size NULLS LAST LIMIT 1") == ["orders"]
    for order in ("length(Name)", "1", "colour", "t.Name", "Size + 1"):
        refuses(SHOW_ORDER, found, f"SHOW PARTITIONS FROM t ORDER BY {order}")
    for count in ("1.5", "1e2", "1, 1.5", "1 OFFSET 0.5"):
        refuses(SYNTAX_ERROR, found, f"SHOW PARTITIONS FROM t LIMIT {count}")


@pytest.mark.parametrize("content", [ROWS, []])
@pytest.mark.parametrize(
    ("condition", "reason"),
    [
        ("length(Name) = 3", "length"),
        ("colour = 'red'", "colour"),
        ("s.Name = 'red'", "s.Name"),
        ("Name = 'x' OR colour = 'red'", "colour"),
        ("Name", "column"),
        ("1", "literal"),
        ("'x'", "literal"),
        ("NULL", "null"),
        ("f()", "anonymous"),
        ("*", "star"),
        ("Name = *", "star"),
        ("Name RLIKE 'o'", "regexplike"),
        ("Name LIKE 'o' ESCAPE '|'", "escape"),
        ("Name IN (SELECT 1)", "in"),
        ("Name IN ()", "in"),
        ("Name = ANY(SELECT 1)", "any"),
        ("EXISTS (SELECT 1)", "exists"),
        ("Name IS TRUE", "is"),
        ("Name XOR Size", "xor"),
        ("Size = 1 + 1", "add"),
        ("Size = @@autocommit", "sessionparameter"),
        ("Size = -Size", "neg"),
        ("(Name, Size) = (1, 2)", "tuple"),
        ("CASE WHEN Size THEN Name END", "case"),
    ],
)
def test_what_where_cannot_say_is_refused(condition: str, reason: str, content: list[tuple[object, ...]]) -> None:
    """Also of an empty list, and whatever the rest of the condition says."""
    node = node_of(f"SHOW TABLES WHERE {condition}")
    assert isinstance(node, exp.Show)
    assert refuses(SHOW_WHERE, listed, node, COLUMNS, content).endswith(f": {reason}")
