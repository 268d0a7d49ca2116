"""A branch that ends the query with an error, and may stand wherever a value does.

DuckDB's own `error` counts as changing from row to row, which it takes neither in PARTITION BY nor in ORDER BY of a
window; our function (storage/text/refuse.py) does not.
"""

from __future__ import annotations

from storage.errors import TEXT_SIZE
from storage.naming import PREFIX, literal

VALUE = "\0"  # stands in a message for what the row says

_MOST = 100_000_000  # characters of a text that a function makes of nothing


def refused(message: str, kind: str | None = None, value: str = "") -> str:
    """DuckDB text that raises; `kind` is the DuckDB type of the other branches, `value` the text for VALUE.

    Without a kind it fits any branches.
    """
    words = literal(message).replace(VALUE, f"' || {value} || '")
    raised = f"{PREFIX}refuse({words})"
    return f"CASE WHEN {raised} IS NULL THEN NULL END" if kind is None else f"CAST({raised} AS {kind})"


def bounded(count: str) -> str:
    """A number of characters to be made; the query ends with TEXT_SIZE where a machine could not hold many such."""
    refusal = refused(TEXT_SIZE(most=_MOST).message, "INTEGER")
    return f"CASE WHEN {count} > {_MOST} THEN {refusal} ELSE {count} END"
