"""A branch that ends the query with an error, and may stand wherever a value does.

DuckDB's own `error` counts as changing from row to row, which it takes neither in PARTITION BY nor in ORDER BY of a
window; our function (storage/text/refuse.py) does not.
"""

from __future__ import annotations

from storage.errors import TEXT_SIZE
from storage.naming import PREFIX

_MOST = 100_000_000  # characters of a text that a function makes of nothing


def refused(words: str, kind: str) -> str:
    """DuckDB text that raises; `words` is the text of the message, `kind` the DuckDB type of the other branches."""
    return f"CAST({PREFIX}refuse({words}) AS {kind})"


def bounded(count: str) -> str:
    """A number of characters to be made; the query ends with TEXT_SIZE where a machine could not hold many such."""
    words = f"'{TEXT_SIZE.template.format(most=_MOST)}'"
    return f"CASE WHEN {count} > {_MOST} THEN {refused(words, 'INTEGER')} ELSE {count} END"
