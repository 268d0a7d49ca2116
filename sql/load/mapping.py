"""Read the expressions of load headers: `columns: k, raw, v = upper(raw)`, `where: …`, `delete: …`.

    k, raw, v = upper(raw)  ->  sources k, raw; derived v: upper(raw)

Source names may be any word; what stands behind `=` is Doris SQL without subqueries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from sql.dialect.doris import parse
from storage.errors import LOAD_COLUMNS, LOAD_EXPRESSION


@dataclass(frozen=True, slots=True)
class Mapping:
    """The source names in the order of the fields, and the columns that are computed from them."""

    sources: tuple[str, ...]
    derived: tuple[tuple[str, exp.Expr], ...] = ()

    def expression(self, name: str) -> exp.Expr | None:
        """What computes a column, None when a field of that name feeds it or nothing does."""
        lowered = name.lower()
        return next((value for column, value in self.derived if column.lower() == lowered), None)

    @property
    def names(self) -> tuple[str, ...]:
        """All names, computed ones last; each once."""
        computed = [name for name, _ in self.derived]
        lowered = {name.lower() for name in computed}
        return (*(name for name in self.sources if name.lower() not in lowered), *computed)


def columns(text: str) -> Mapping:
    """The header `columns`."""
    sources: list[str] = []
    derived: list[tuple[str, exp.Expr]] = []
    for item in _items(text):
        name, is_derived, value = item.partition("=")
        plain = name.strip().strip("`")
        if not plain or "(" in plain:
            raise LOAD_COLUMNS(value=text)
        if is_derived:
            derived.append((plain, expression(value, "columns")))
        else:
            sources.append(plain)
    return Mapping(tuple(sources), tuple(derived))


def expression(text: str, header: str) -> exp.Expr:
    """One expression; raises SYNTAX_ERROR, and LOAD_EXPRESSION for what is no plain expression."""
    statements = parse(f"SELECT {text}")
    select = statements[0].node if len(statements) == 1 else None
    clauses = {name for name, value in select.args.items() if value} if isinstance(select, exp.Select) else set()
    if select is None or clauses - {"kind"} != {"expressions"} or len(select.expressions) != 1:
        raise LOAD_EXPRESSION(name=header, value=text)
    found: exp.Expr = select.expressions[0].copy()
    if isinstance(found, exp.Alias) or found.is_star or found.find(exp.Query):
        raise LOAD_EXPRESSION(name=header, value=text)
    return found


def _items(text: str) -> Iterator[str]:
    """The text between the commas that stand outside of brackets and quotes."""
    depth, quote, start = 0, "", 0
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"`":
            quote = letter
        elif letter in "()":
            depth += 1 if letter == "(" else -1
        elif letter == "," and depth == 0:
            yield text[start:place]
            start = place + 1
    yield text[start:]
