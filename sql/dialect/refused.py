"""A branch that ends the query with an error, and may stand wherever a value does.

DuckDB's own `error` counts as changing from row to row, which it takes neither in PARTITION BY nor in ORDER BY of a
window; our function (storage/text/refuse.py) does not.
"""

from __future__ import annotations

from storage.naming import PREFIX


def refused(words: str, kind: str) -> str:
    """DuckDB text that raises; `words` is the text of the message, `kind` the DuckDB type of the other branches."""
    return f"CAST({PREFIX}refuse({words}) AS {kind})"
