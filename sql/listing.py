"""The answer of a SHOW: rows of text, narrowed by LIKE, WHERE, ORDER BY and LIMIT.

Knows nothing of what is listed. WHERE takes comparisons of a column with a literal, joined by AND, OR
and NOT: the simple form that tools send.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import pyarrow as pa
from sqlglot import exp

from sql.result import Field, Held, Rows
from storage.errors import SHOW_WHERE
from storage.types import STRING

Row = Sequence[object]
Cell = str | None


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
        places = {name.lower(): index for index, name in enumerate(columns)}
        cells = [row for row in cells if _holds(where.this, row, places)]
    return rows(columns, _sliced(node, _ordered(node, columns, cells)))


def like_matcher(pattern: str, sensitive: bool = True) -> Callable[[str], bool]:
    r"""A test for a LIKE pattern: % any text, _ one character, \ takes the next one as it is."""
    tokens = re.findall(r"\\.|.", pattern, re.DOTALL)
    wild = {"%": ".*", "_": "."}
    expression = "".join(wild.get(token) or re.escape(token[-1]) for token in tokens)
    compiled = re.compile(expression, re.DOTALL | (0 if sensitive else re.IGNORECASE))
    return lambda text: compiled.fullmatch(text) is not None


# -- WHERE -----------------------------------------------------------------------------------------
def _holds(condition: exp.Expr, row: Sequence[Cell], places: Mapping[str, int]) -> bool:
    if isinstance(condition, exp.Paren):
        return _holds(condition.this, row, places)
    if isinstance(condition, exp.Not):
        return not _holds(condition.this, row, places)
    if isinstance(condition, exp.And):
        return _holds(condition.this, row, places) and _holds(condition.expression, row, places)
    if isinstance(condition, exp.Or):
        return _holds(condition.this, row, places) or _holds(condition.expression, row, places)
    return _compares(condition, row, places)


def _compares(condition: exp.Expr, row: Sequence[Cell], places: Mapping[str, int]) -> bool:
    cell = _value(condition.this, row, places) if condition.this is not None else None
    if isinstance(condition, exp.Is):
        return cell is None
    if isinstance(condition, exp.In):
        return cell is not None and cell in [_value(item, row, places) for item in condition.expressions]
    other = _value(condition.expression, row, places)
    test = _TESTS.get(type(condition))
    if test is None:
        raise SHOW_WHERE(reason=condition.key)
    return cell is not None and other is not None and test(cell, other)


def _like(text: str, pattern: str) -> bool:
    return like_matcher(pattern, sensitive=False)(text)


def _number_or_text(compare: Callable[[float | str, float | str], bool]) -> Callable[[str, str], bool]:
    def test(left: str, right: str) -> bool:
        try:
            return compare(float(left), float(right))
        except ValueError:
            return compare(left, right)

    return test


_TESTS: dict[type[exp.Expr], Callable[[str, str], bool]] = {
    exp.EQ: operator.eq,
    exp.NEQ: operator.ne,
    exp.Like: _like,
    exp.ILike: _like,
    exp.GT: _number_or_text(operator.gt),
    exp.GTE: _number_or_text(operator.ge),
    exp.LT: _number_or_text(operator.lt),
    exp.LTE: _number_or_text(operator.le),
}


def _value(item: exp.Expr, row: Sequence[Cell], places: Mapping[str, int]) -> Cell:
    if isinstance(item, exp.Literal):
        return item.name
    if isinstance(item, exp.Boolean):
        return str(item.this).lower()
    if isinstance(item, (exp.Column, exp.Identifier)) and item.name.lower() in places:
        return row[places[item.name.lower()]]
    raise SHOW_WHERE(reason=item.name or item.key)


# -- ORDER BY, LIMIT -------------------------------------------------------------------------------
def _ordered(node: exp.Show, columns: Sequence[str], cells: list[list[Cell]]) -> list[list[Cell]]:
    order = node.args.get("order")
    places = {name.lower(): index for index, name in enumerate(columns)}
    for item in reversed(order.expressions if order is not None else ()):
        place = places.get(item.this.name.lower())
        if place is None:
            raise SHOW_WHERE(reason=item.this.name)
        cells = sorted(cells, key=lambda row: _sortable(row[place]), reverse=bool(item.args.get("desc")))
    return cells


def _sortable(cell: Cell) -> tuple[int, float, str]:
    if cell is None:
        return (0, 0.0, "")
    return (1, float(cell), "") if re.fullmatch(r"-?\d+(\.\d+)?", cell) else (2, 0.0, cell)


def _sliced(node: exp.Show, cells: list[list[Cell]]) -> list[list[Cell]]:
    start, count = _number(node.args.get("offset")), node.args.get("limit")
    return cells[start:] if count is None else cells[start : start + _number(count)]


def _number(part: exp.Expr | None) -> int:
    """The number of a LIMIT or OFFSET clause."""
    if part is None:
        return 0
    value = part.args.get("expression") or part
    return int(value.name)
