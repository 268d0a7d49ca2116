"""Rows of literals, however they are written, are read as the values that were written."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from sql.dialect import literal_rows

PIECES = ["'", "''", ", ", ",", "), (", "),(", ")", "(", "\\", "\0", "a", "b", "\n", " ", ";", '"']
TEXTS = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
NUMBERS = st.sampled_from(["0", "7", "-12", "1.50"])
ROWS = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(st.one_of(TEXTS, NUMBERS), min_size=width, max_size=width), min_size=1, max_size=5)
)
SEPARATORS = st.sampled_from([(",", "),("), (", ", "), ("), (" ,", ") ,\n(")])


def _written(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "''").replace("\0", "\\0")
    return f"'{escaped}'"


@given(rows=ROWS, separators=SEPARATORS, end=st.sampled_from([")", " ) ", ");", ") ; \n"]))
def test_what_is_written_is_read(rows: list[list[str]], separators: tuple[str, str], end: str) -> None:
    """Texts with quotes, escapes and separators inside, with any space between."""
    comma, between = separators
    body = between.join(comma.join(map(_written, row)) for row in rows)
    found = literal_rows.read(f"INSERT INTO t VALUES ({body}{end}")
    assert found is not None
    columns = [column.texts() for column in found[1]]
    assert list(map(list, zip(*columns, strict=True))) == rows


@given(
    row=st.lists(st.one_of(TEXTS.map(_written), NUMBERS), min_size=4, max_size=4),
    commas=st.lists(st.sampled_from([",", ", ", " , "]), min_size=3, max_size=3),
    between=st.sampled_from(["),(", "), ("]),
)
@example(row=["'a'", "', , '", "3", "4"], commas=[", ", ",", ","], between="), (")
def test_separators_may_differ_within_a_row(row: list[str], commas: list[str], between: str) -> None:
    """Texts may hold what separates other cells."""
    whole = "".join(map("".join, zip(row, [*commas, ""], strict=True)))
    found = literal_rows.read(f"INSERT INTO t VALUES ({whole}{between}{whole})")
    assert found is not None and [column.cells for column in found[1]] == [(cell, cell) for cell in row]


@given(text=st.lists(st.sampled_from(PIECES), max_size=14).map("".join), first=st.booleans())
def test_both_ways_agree(text: str, first: bool) -> None:
    """Cutting at the separators takes nothing that reading row by row would not take, and takes it alike."""
    whole = f"INSERT INTO t VALUES ({chr(39)}x{chr(39)}, 1), ({text if first else text + ')'}"
    found = literal_rows.read(whole)
    assert (found and found[1]) == literal_rows._one_by_one(2, whole, whole.index("(") + 1)
