"""A few integers, or many, as a DuckDB relation inside a statement's text.

Thousands of literals in VALUES take a second to parse; one string literal per column, cast to a list, takes
milliseconds. So a statement about one partition stays readable, and one about ten thousand stays fast.
"""

from __future__ import annotations

from collections.abc import Sequence

FEW = 16

Rows = Sequence[tuple[int | None, ...]]


def relation(rows: Rows, types: Sequence[str]) -> str:
    """A relation in brackets with these rows, of which there is at least one; columns are named by the caller.

    `types` are INTEGER or BIGINT, one a column.
    """
    return f"({select(rows, types)})"


def select(rows: Rows, types: Sequence[str]) -> str:
    """The same without brackets, to insert from."""
    if len(rows) <= FEW:
        return f"VALUES {', '.join(_tuple(row, types) for row in rows)}"
    columns = zip(*rows, strict=True)
    return f"SELECT {', '.join(_unnested(column, kind) for column, kind in zip(columns, types, strict=True))}"


def _tuple(row: tuple[int | None, ...], types: Sequence[str]) -> str:
    return f"({', '.join(_literal(value, kind) for value, kind in zip(row, types, strict=True))})"


def _literal(value: int | None, kind: str) -> str:
    text = _text(value)
    return text if kind == "INTEGER" and value is not None else f"{text}::{kind}"


def _unnested(column: tuple[int | None, ...], kind: str) -> str:
    return f"unnest('[{', '.join(map(_text, column))}]'::{kind}[])"


def _text(value: int | None) -> str:
    return "NULL" if value is None else str(value)


def chained(statements: Sequence[str]) -> str:
    """Several writes as one statement, in their order; parsing and planning once is what it saves."""
    *first, last = statements
    return f"WITH {', '.join(f'w{place} AS ({text})' for place, text in enumerate(first))} {last}" if first else last
