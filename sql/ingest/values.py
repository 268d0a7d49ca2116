"""The rows of INSERT … VALUES as a relation of text columns.

Rows of literals become an Arrow table of strings without DuckDB parsing them again; a row list with
any expression becomes a DuckDB VALUES list. Either way conversion starts from text, cell by cell, so
that one bad value is one rejected row. Only arrays, maps, structs and states have no text to start
from, and a BOOLEAN is otherwise from a number than from a text: their cells are converted where they
are evaluated, and one that does not fit ends the statement.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Sequence

import pyarrow as pa
from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.query import Bound, bind_query, bind_rows
from sql.dialect.clause import LiteralRows
from sql.dialect.literal_column import Cell, number_text, truth_text
from sql.ingest.complex import NESTED
from sql.ingest.convert import converted
from sql.ingest.default import default_value
from sql.ingest.shape import Shape, shapes
from sql.ingest.target import Targets
from storage.catalog.model import Column
from storage.errors import COLUMN_COUNT, FILTERED_IN_STRICT_MODE
from storage.naming import PREFIX, literal, quote
from storage.types import STATES, STRING, DorisType

_TYPED = NESTED | STATES | {"boolean"}

Source = tuple[str, list[DorisType]]  # DuckDB text of the rows, and the type of each column


def values_source(values: exp.Values, chosen: Targets, binding: Binding) -> Source:
    """The rows, every cell as text where it has one; a wrong number of cells raises COLUMN_COUNT."""
    rows = [cells(row) for row in values.expressions]
    if any(len(row) != chosen.width for row in rows):
        raise COLUMN_COUNT()
    if all(is_literal(cell) for row in rows for cell in row):
        read = [[_cell_text(row[place], column) for row in rows] for place, column in enumerate(chosen.columns)]
        return f"SELECT * FROM {quote(binding.register(_strings(read)))}", [STRING] * chosen.width
    typed = {place for place in range(chosen.width) if _is_typed(chosen.columns[place], [row[place] for row in rows])}
    types = [chosen.columns[place].type if place in typed else STRING for place in range(chosen.width)]
    rows = [
        [cell if place in typed else _as_text(cell, chosen.columns[place]) for place, cell in enumerate(row)]
        for row in rows
    ]
    together = shapes(rows)
    if together is not None:
        return _together(together, chosen, typed, binding), types
    return " UNION ALL ".join(_evaluated(row, chosen, typed, binding) for row in rows), types


def _as_text(cell: exp.Expr, column: Column) -> exp.Expr:
    """A literal as the text that conversion starts from; anything else as it is."""
    text = _cell_text(cell, column) if is_literal(cell) else None
    return cell if text is None else exp.Literal.string(text)


def literal_rows_source(rows: LiteralRows, chosen: Targets, binding: Binding) -> Source:
    """The same for rows that were never parsed (sql/dialect/literal_rows.py)."""
    columns = rows.args["columns"]
    if len(columns) != chosen.width:
        raise COLUMN_COUNT()
    pairs = zip(chosen.columns, columns, strict=True)
    read = [written.truths() if _is_truth(column) else written.texts() for column, written in pairs]
    return f"SELECT * FROM {quote(binding.register(_strings(read)))}", [STRING] * chosen.width


def _is_typed(column: Column, cells: Sequence[exp.Expr]) -> bool:
    """Whether the cells of a column cannot all be read as texts."""
    return column.type.name in _TYPED and not all(is_literal(cell) for cell in cells)


def cells(row: exp.Expr) -> Sequence[exp.Expr]:
    """The cells of a row of VALUES."""
    return row.expressions if isinstance(row, exp.Tuple) else [row]


def is_literal(cell: exp.Expr) -> bool:
    """A constant whose text is its value: string, number with sign, TRUE, FALSE, NULL."""
    if isinstance(cell, exp.Neg):
        return isinstance(cell.this, exp.Literal) and not cell.this.is_string
    return isinstance(cell, (exp.Literal, exp.Boolean, exp.Null))


def _cell_text(cell: exp.Expr, column: Column) -> Cell:
    """The text that a literal is converted from."""
    if isinstance(cell, exp.Null):
        return None
    if isinstance(cell, exp.Boolean):
        return "1" if cell.this else "0"
    if cell.is_string:
        return cell.name
    written = f"-{cell.this.name}" if isinstance(cell, exp.Neg) else cell.name
    return truth_text(written) if _is_truth(column) else number_text(written)


def _is_truth(column: Column) -> bool:
    """Whether a number in this column is TRUE or FALSE, which a text of digits is not."""
    return column.type.name == "boolean"


def _strings(columns: Sequence[Sequence[object]]) -> pa.Table:
    names = [f"c{position}" for position in range(len(columns))]
    return pa.table([pa.array(column, pa.string()) for column in columns], names=names)


def _evaluated(row: Sequence[exp.Expr], chosen: Targets, typed: Collection[int], binding: Binding) -> str:
    """A row with expressions: one SELECT whose cells are cast to text, or converted to the type of a typed column."""
    bound = bind_query(_select(row, chosen, typed, binding.now), binding)
    return _typed(bound, chosen, typed, binding.zone) if typed else bound.sql


def _together(shapes_: Sequence[Shape], chosen: Targets, typed: Collection[int], binding: Binding) -> str:
    """Rows by shape, back in the order of the statement."""
    parts = []
    for shape in shapes_:
        source = quote(binding.register(shape.table()))
        bound = bind_rows(_select(shape.marked(), chosen, typed, binding.now), binding, source)
        numbered = Bound(bound.sql.replace("SELECT", "SELECT place,", 1), bound.fields)
        parts.append(_typed(numbered, chosen, typed, binding.zone, "place"))
    return f"SELECT * EXCLUDE (place) FROM ({' UNION ALL '.join(parts)}) ORDER BY place"


def _select(row: Sequence[exp.Expr], chosen: Targets, typed: Collection[int], now: datetime.datetime) -> exp.Select:
    cells = [default_value(chosen.columns[i], now) if is_default(cell) else cell.copy() for i, cell in enumerate(row)]
    return exp.select(*(cell if i in typed else exp.cast(cell, "STRING") for i, cell in enumerate(cells)))


def _typed(bound: Bound, chosen: Targets, typed: Collection[int], zone: str, *before: str) -> str:
    """The bound cells, those of typed columns converted to the type of their column."""
    names = [f"{PREFIX}v{place}" for place in range(len(bound.fields))]
    items = (
        f"{_converted(name, bound.fields[place].type, chosen.columns[place], zone)} AS {name}"
        if place in typed
        else name
        for place, name in enumerate(names)
    )
    return f"SELECT {', '.join([*before, *items])} FROM ({bound.sql}) AS {PREFIX}row({', '.join([*before, *names])})"


def _converted(value: str, kind: DorisType | None, column: Column, zone: str) -> str:
    if kind is None:  # NULL has no type
        return f"CAST({value} AS {column.type.duckdb})"
    outcome = converted(value, kind, column.type, zone)
    if outcome == value:
        return value
    reason = FILTERED_IN_STRICT_MODE(reason=f"column({column.name}) value is incorrect for type {column.type}").message
    bad = f"{value} IS NOT NULL AND ({outcome}) IS NULL"
    return f"CASE WHEN {bad} THEN CAST(error({literal(reason)}) AS {column.type.duckdb}) ELSE {outcome} END"


def is_default(cell: exp.Expr) -> bool:
    """Whether a cell is the word DEFAULT."""
    return isinstance(cell, (exp.Var, exp.Column)) and cell.name.upper() == "DEFAULT"
