"""Print a result as the mysql command line does: a box of +----+ lines, numbers to the right, text to the left."""

from __future__ import annotations

from collections.abc import Sequence

from pymysql.constants import FIELD_TYPE

_NUMERIC = frozenset(
    {
        FIELD_TYPE.DECIMAL,
        FIELD_TYPE.NEWDECIMAL,
        FIELD_TYPE.TINY,
        FIELD_TYPE.SHORT,
        FIELD_TYPE.INT24,
        FIELD_TYPE.LONG,
        FIELD_TYPE.LONGLONG,
        FIELD_TYPE.FLOAT,
        FIELD_TYPE.DOUBLE,
        FIELD_TYPE.YEAR,
    }
)


def is_numeric(type_code: int) -> bool:
    """Tell whether the mysql client aligns a column of this wire type to the right."""
    return type_code in _NUMERIC


def render(names: Sequence[str], numeric: Sequence[bool], rows: Sequence[Sequence[str | None]]) -> str:
    """Lay out a result of at least one row; NULL stands for None. Ends without a newline."""
    cells = [["NULL" if value is None else value for value in row] for row in rows]
    widths = [max(len(text) for text in column) for column in zip(names, *cells, strict=True)]
    rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    head = _line([name.ljust(width) for name, width in zip(names, widths, strict=True)])
    body = [
        _line(
            [
                text.rjust(width) if right else text.ljust(width)
                for text, width, right in zip(row, widths, numeric, strict=True)
            ]
        )
        for row in cells
    ]
    return "\n".join([rule, head, rule, *body, rule])


def summary(rows: int) -> str:
    """The line under a result: `1 row in set`, `4 rows in set`, `Empty set`."""
    if rows == 0:
        return "Empty set"
    return "1 row in set" if rows == 1 else f"{rows} rows in set"


def done(affected: int) -> str:
    """The line under a statement without a result."""
    return f"Query OK, {affected} {'row' if affected == 1 else 'rows'} affected"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
