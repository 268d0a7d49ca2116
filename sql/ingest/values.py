"""The rows of INSERT … VALUES as a relation of text columns.

Rows of literals become an Arrow table of strings without DuckDB parsing them again; a row list with
any expression becomes a DuckDB VALUES list. Either way conversion starts from text, cell by cell, so
that one bad value is one rejected row.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.query import bind_query
from sql.dialect.node import LiteralRows
from sql.ingest.batch import Targets
from storage.catalog.model import Column
from storage.errors import COLUMN_COUNT
from storage.naming import quote

Cell = str | None


def values_source(values: exp.Values, chosen: Targets, binding: Binding) -> str:
    """DuckDB text of the rows, every cell as text; a wrong number of cells raises COLUMN_COUNT."""
    rows = [_cells(row) for row in values.expressions]
    if any(len(row) != chosen.width for row in rows):
        raise COLUMN_COUNT()
    if all(is_literal(cell) for row in rows for cell in row):
        columns = zip(*([literal_text(cell) for cell in row] for row in rows), strict=True)
        return f"SELECT * FROM {quote(binding.register(_strings(list(columns))))}"
    return " UNION ALL ".join(bind_query(_evaluated(row, chosen), binding).sql for row in rows)


def literal_rows_source(rows: LiteralRows, chosen: Targets, binding: Binding) -> str:
    """The same for rows that were never parsed (sql/dialect/literal_rows.py)."""
    columns = rows.args["columns"]
    if len(columns) != chosen.width:
        raise COLUMN_COUNT()
    return f"SELECT * FROM {quote(binding.register(_strings(columns)))}"


def _cells(row: exp.Expr) -> Sequence[exp.Expr]:
    return row.expressions if isinstance(row, exp.Tuple) else [row]


def is_literal(cell: exp.Expr) -> bool:
    """A constant whose text is its value: string, number with sign, TRUE, FALSE, NULL."""
    if isinstance(cell, exp.Neg):
        return isinstance(cell.this, exp.Literal) and not cell.this.is_string
    return isinstance(cell, (exp.Literal, exp.Boolean, exp.Null))


def literal_text(cell: exp.Expr) -> Cell:
    if isinstance(cell, exp.Null):
        return None
    if isinstance(cell, exp.Boolean):
        return "1" if cell.this else "0"
    return f"-{cell.this.name}" if isinstance(cell, exp.Neg) else cell.name


def _strings(columns: Sequence[Sequence[object]]) -> pa.Table:
    names = [f"c{position}" for position in range(len(columns))]
    return pa.table([pa.array(column, pa.string()) for column in columns], names=names)


def _evaluated(row: Sequence[exp.Expr], chosen: Targets) -> exp.Select:
    """A row with expressions: one SELECT whose cells are cast to text."""
    cells = (_default(chosen.columns[i]) if _is_default(cell) else cell.copy() for i, cell in enumerate(row))
    return exp.select(*(exp.cast(cell, "STRING") for cell in cells))


def _is_default(cell: exp.Expr) -> bool:
    return isinstance(cell, (exp.Var, exp.Column)) and cell.name.upper() == "DEFAULT"


def _default(column: Column) -> exp.Expr:
    """What the word DEFAULT stands for in this column."""
    if column.default_is_function:
        return exp.CurrentTimestamp()
    return exp.Null() if column.default is None else exp.Literal.string(column.default)
