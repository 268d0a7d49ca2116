"""The clauses behind a table's name, and the refusal of those that mean nothing on what the name stands for.

A table or stream gives each of them a meaning or an error of its own (reference.py); views, system tables, CTEs and
table functions have none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from sqlglot import exp

from storage.errors import NOT_SUPPORTED

_WORDS: dict[str, Callable[[exp.Expr], str]] = {
    "changes": lambda clause: f"@{clause.name}",
    "version": lambda _: "FOR VERSION/TIME AS OF",
    "partition": lambda _: "PARTITION",
    "tablet": lambda _: "TABLET",
}


def refuse_modifiers(reference: exp.Table, what: str, among: Collection[str] = tuple(_WORDS)) -> None:
    """Raise NOT_SUPPORTED for the first of the clauses `among` that stands behind the reference; `what` names it."""
    for key in among:
        clause = reference.args.get(key)
        if clause is not None:
            raise NOT_SUPPORTED(what=f"{_WORDS[key](clause)} on {what}")
