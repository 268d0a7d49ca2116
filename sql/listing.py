"""The answer of a SHOW: rows of text, narrowed by LIKE, WHERE, ORDER BY and LIMIT.

Knows nothing of what is listed; what WHERE may say is told in sql/condition.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pyarrow as pa
from sqlglot import exp

from sql.condition import NUMBER, Cell, Condition, like_matcher
from sql.result import Field, Held, Rows
from storage.errors import SHOW_ORDER
from storage.types import STRING

Row = Sequence[object]


def words(text: str) -> tuple[str, ...]:
    """Column names that are written as one text."""
    return tuple(text.split())


def rows(columns: Sequence[str], content: Iterable[Row]) -> Rows:
    """A result of text columns; None is NULL, booleans are true and false."""
    cells = [[_cell(value) for value in row] for row in content]
    return Rows(tuple(Field(name, STRING) for name in columns), Held(_table(columns, cells)))


def _cell(value: object) -> Cell:
    if value is None or isinstance(value, str):
        return value
    return str(value).lower() if isinstance(value, bool) else str(value)


def _table(columns: Sequence[str], cells: Sequence[Sequence[Cell]]) -> pa.Table:
    arrays = [pa.array([row[index] for row in cells], pa.string()) for index in range(len(columns))]
    return pa.Table.from_arrays(arrays, names=list(columns))


def listed(
    node: exp.Show, columns: Sequence[str], content: Iterable[Row], like: int = 0, sensitive: bool = True
) -> Rows:
    """Filter and order `content` as the statement says; `like` is the column that LIKE looks at."""
    cells: list[list[Cell]] = [[_cell(value) for value in row] for row in content]
    pattern = node.args.get("like")
    if pattern is not None:
        matches = like_matcher(pattern.name, sensitive)
        cells = [row for row in cells if row[like] is not None and matches(row[like] or "")]
    where = node.args.get("where")
    if where is not None:
        condition = Condition(where.this, columns)
        cells = [row for row in cells if condition.holds(row)]
    return rows(columns, _sliced(node, _ordered(node, columns, cells)))


# -- ORDER BY, LIMIT -------------------------------------------------------------------------------
def _ordered(node: exp.Show, columns: Sequence[str], cells: list[list[Cell]]) -> list[list[Cell]]:
    order = node.args.get("order")
    places = {name.lower(): index for index, name in enumerate(columns)}
    for item in reversed(order.expressions if order is not None else ()):
        column = item.this
        place = places.get(column.name.lower()) if isinstance(column, exp.Column) and not column.table else None
        if place is None:
            raise SHOW_ORDER(reason=column.sql())
        cells = _sorted(cells, place, bool(item.args.get("desc")), bool(item.args.get("nulls_first")))
    return cells


def _sorted(cells: list[list[Cell]], place: int, descending: bool, nulls_first: bool) -> list[list[Cell]]:
    by_value = sorted(cells, key=lambda row: _sortable(row[place]), reverse=descending)
    return sorted(by_value, key=lambda row: (row[place] is None) is not nulls_first)


def _sortable(cell: Cell) -> tuple[int, float, str]:
    text = cell or ""
    return (1, float(text), "") if NUMBER.fullmatch(text) else (2, 0.0, text)


def _sliced(node: exp.Show, cells: list[list[Cell]]) -> list[list[Cell]]:
    start, count = _number(node.args.get("offset")), node.args.get("limit")
    return cells[start:] if count is None else cells[start : start + _number(count)]


def _number(part: exp.Expr | None) -> int:
    """The number of a LIMIT or OFFSET clause, 0 without one."""
    return 0 if part is None else int(part.name)
