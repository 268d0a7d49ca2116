"""INSERTs of literal rows are read without a tree, whatever their width; all else is left to the parser, and soon."""

from __future__ import annotations

import pytest

from sql.dialect import literal_rows
from sql.dialect.clause import LiteralRows
from sql.dialect.doris import parse
from sql.dialect.literal_column import LiteralColumn
from storage.errors import DorisError

LONG = 100_000


@pytest.mark.parametrize("width", [1, 2, literal_rows.WIDEST, literal_rows.WIDEST + 1, 5_000])
def test_every_width(width: int) -> None:
    """Wide rows are read like narrow ones; a row of another width is not."""
    row = ", ".join([*["'it''s'"] * (width - 1), "-1.5e3"])
    found = literal_rows.read(f"INSERT INTO t VALUES ({row}), ( {row} ) ; ")
    assert found is not None and found[0] == "INSERT INTO t VALUES ("
    assert [column.cells for column in found[1]] == [("'it''s'", "'it''s'")] * (width - 1) + [("-1.5e3", "-1.5e3")]
    for other in (f"{row}, 1", row[: row.rindex(",")] if width > 1 else ""):
        assert literal_rows.read(f"INSERT INTO t VALUES ({row}), ({other})") is None


@pytest.mark.parametrize(
    ("written", "text", "truth"),
    [
        ("-1.5e3", "-1500", "1"),
        ("00.0", "0.0", "0"),
        ("'it''s'", "it's", "it's"),
        ("'2'", "2", "2"),
        ("2", "2", "1"),
        ("true", "1", "1"),
        ("NULL", None, None),
    ],
)
def test_what_a_cell_says(written: str, text: str | None, truth: str | None) -> None:
    """The text that it is converted from, and that in a BOOLEAN column."""
    column = LiteralColumn.of([written])
    assert (column.texts(), column.truths()) == ([text], [truth])


@pytest.mark.parametrize(
    "text",
    [
        f"INSERT INTO {'a.' * LONG}",
        f"INSERT INTO {'`a`.' * LONG}!",
        f"INSERT INTO {'a . ' * LONG}",
        f"INSERT INTO t{' ' * LONG}x",
        f"INSERT INTO t ({'a , ' * LONG}",
        f"INSERT INTO t VALUES (1){' ' * LONG}x",
        f"INSERT INTO t VALUES (1){' ' * LONG};{' ' * LONG}x",
        f"INSERT INTO t VALUES (1{' ' * LONG}x)",
        f"INSERT INTO t VALUES ('{chr(39) * 2 * LONG}x",
    ],
    ids=range(9),
)
def test_a_long_text_is_given_up_at_once(text: str) -> None:
    """Trying every way to read it would take minutes, in which no other statement runs."""
    assert literal_rows.read(text) is None


@pytest.mark.parametrize("number", ["٣", "１", "1٣", "٣.5"])
def test_digits_are_those_of_sql(number: str) -> None:
    """Digits of other scripts are names, as everywhere in SQL."""
    assert literal_rows.read(f"INSERT INTO t VALUES ({number})") is None


def test_an_error_quotes_what_the_client_wrote() -> None:
    """The rows that were put aside are still there when the head does not fit."""
    with pytest.raises(DorisError, match="line 1, column 22: mismatched input '17'"):
        parse("INSERT INTO TVALUES (17)")


def test_the_statement_keeps_its_own_words() -> None:
    """Without the semicolon and what stands around it, as with other statements."""
    (statement,) = parse(" \n INSERT INTO t VALUES (1, ';') ; \n")
    assert isinstance(statement.node.args["expression"], LiteralRows)
    assert statement.text == "INSERT INTO t VALUES (1, ';')"
