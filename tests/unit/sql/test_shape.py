"""Rows of VALUES by shape: which rows are evaluated together, and that nothing but their literals differs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sqlglot import exp

from sql.dialect.doris import parse
from sql.ingest.shape import FEWEST_ROWS, MOST_SHAPES, shapes


def _rows(*texts: str) -> list[Sequence[exp.Expr]]:
    values = parse(f"INSERT INTO t VALUES {', '.join(texts)}")[0].node.expression
    return [row.expressions for row in values.expressions]


def test_rows_that_differ_in_literals_are_one_shape() -> None:
    found = shapes(_rows(*(f"({number}, to_bitmap({number}), 'x{number}')" for number in range(5))))
    assert found is not None and len(found) == 1
    assert found[0].table().to_pydict() == {
        "place": [0, 1, 2, 3, 4], "c0": [0, 1, 2, 3, 4], "c1": [0, 1, 2, 3, 4], "c2": [f"x{n}" for n in range(5)],
    }  # fmt: skip


def test_null_text_number_and_width_make_shapes_of_their_own() -> None:
    found = shapes(
        _rows("(to_bitmap(1))", "(to_bitmap('1'))", "(to_bitmap(NULL))", "(to_bitmap(5000000000))", "(to_bitmap(2))")
    )
    assert found is not None
    assert [shape.places for shape in found] == [[0, 4], [1], [2], [3]]


@pytest.mark.parametrize(
    "cell",
    ["to_bitmap(k)", "k", "to_bitmap(18446744073709551615)", "sum_state(1.5)", "v['a']", "(SELECT 1)", "sum(1)"],
)
def test_what_may_look_at_its_literals_is_left_alone(cell: str) -> None:
    assert shapes(_rows(*[f"({cell})"] * 5)) is None


def test_what_has_no_literals_of_its_own_belongs_to_the_shape() -> None:
    cells = ("now()", "now(3)", "curdate()", "1.5 + 1", "1.5 + 2", "DEFAULT")
    found = shapes(_rows(*[f"({number}, {cell})" for cell in cells for number in range(2)]))
    assert found is not None
    assert [shape.places for shape in found] == [[2 * place, 2 * place + 1] for place in range(len(cells))]
    assert all(shape.literals == [["0"], ["1"]] for shape in found)


def test_few_rows_and_many_shapes_are_left_alone() -> None:
    assert shapes(_rows(*["(to_bitmap(1))"] * (FEWEST_ROWS - 1))) is None
    deep = [f"({'[' * depth}1{']' * depth}, to_bitmap(1))" for depth in range(1, MOST_SHAPES + 2)]
    assert shapes(_rows(*deep)) is None
