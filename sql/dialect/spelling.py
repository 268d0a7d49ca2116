"""What the spellings of text.py, number.py, moment.py, zone.py and duckdb.py share."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp
from sqlglot.generator import Generator

Spelling = Callable[[Generator, exp.Expr], str]

_CALLED = "called"


def zone_of(generator: Generator) -> str:
    """The time zone of the session that a text is spelled for (to_duckdb)."""
    return str(getattr(generator, "session_zone", "UTC"))


def mark_called(tree: exp.Expr) -> None:
    """Mark the calls that are the client's: sqlglot's own spellings make such nodes too and mean other things."""
    for call in tree.find_all(exp.Anonymous, exp.Length, exp.DateDiff):
        call.meta[_CALLED] = True


def called(node: exp.Expr) -> bool:
    """Whether the client wrote this call."""
    return bool(node.meta.get(_CALLED))
