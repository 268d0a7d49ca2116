"""What the spellings of this folder share."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect.cast import cast_text, digits_of, family

Spelling = Callable[[Generator, exp.Expr], str]

_CALLED = "called"


def zone_of(generator: Generator) -> str:
    """The time zone of the session that a text is spelled for (to_duckdb)."""
    return str(getattr(generator, "session_zone", "UTC"))


def as_type(generator: Generator, node: exp.Expr, kind: exp.DType | exp.DataType) -> str:
    """A value as CAST makes it, NULL where it does not fit."""
    target = kind if isinstance(kind, exp.DataType) else exp.DataType(this=kind)
    return cast_text(generator.sql(node), family(node), target, zone_of(generator), digits_of(node))


def mark_called(tree: exp.Expr) -> None:
    """Mark the calls that are the client's: sqlglot's own spellings make such nodes too and mean other things."""
    for call in tree.find_all(exp.Anonymous, exp.Length, exp.DateDiff):
        call.meta[_CALLED] = True


def called(node: exp.Expr) -> bool:
    """Whether the client wrote this call."""
    return bool(node.meta.get(_CALLED))
