"""How many arguments a function takes, where sqlglot's readers drop what is too much and forgive what is missing.

A call of another number is left as a call by its name, which is refused by that name
(sql/dialect/function/known.py). Source: Doris: SQL functions, syntax.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

from sql.dialect.built import BUILT
from sql.dialect.function.stock import STOCK

Build = Callable[..., exp.Expr]


_ALIASES = {"DCEIL": "CEIL", "DFLOOR": "FLOOR", "DROUND": "ROUND"}  # of Doris, which sqlglot does not know


def counted(name: str, taken: range | None, build: Build) -> Build:
    """The reader of a function's arguments that takes only as many as Doris does."""
    if taken is None:
        return build

    def read(args: list[exp.Expr], **options: object) -> exp.Expr:
        return build(args, **options) if len(args) in taken else exp.Anonymous(this=name, expressions=args)

    return read


def readers(stock: Mapping[str, Build]) -> dict[str, Build]:
    """The readers of all functions that become nodes: of sqlglot's those of Doris, and our own."""
    found = {name: counted(name, taken, stock[name]) for name, taken in STOCK.items() if name in stock}
    built = {name: counted(name, taken, build) for name, (taken, build) in BUILT.items()}
    return {**found, **{alias: found[name] for alias, name in _ALIASES.items()}, **built}
