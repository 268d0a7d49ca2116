"""Numbers and truths in DuckDB's words: division, logarithms, bits (Doris: arithmetic, numeric functions).

Each function spells one node of sqlglot; `generator` is the DuckDB generator.
"""

from __future__ import annotations

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect.cast import family
from sql.dialect.spelling import Spelling


def guarded(template_text: str) -> Spelling:
    """A function of one argument with a domain; outside of it NULL."""
    return lambda generator, node: template_text.format(generator.sql(node.this))


def modulo(generator: Generator, node: exp.Expr) -> str:
    return f"{generator.sql(node.this)} % NULLIF({generator.sql(node.expression)}, 0)"


def int_div(generator: Generator, node: exp.Expr) -> str:
    """DIV cuts the quotient; NULL for zero."""
    left, right = generator.sql(node.this), f"NULLIF({generator.sql(node.expression)}, 0)"
    if family(node.this) == "integer" and family(node.expression) == "integer":
        return f"({left} // {right})"
    return f"CAST(trunc({left} / {right}) AS BIGINT)"


def bits(symbol: str) -> Spelling:
    """Bit operators in brackets: DuckDB gives & and | one level."""
    return lambda generator, node: f"({generator.sql(node.this)} {symbol} {generator.sql(node.expression)})"


def shift(symbol: str) -> Spelling:
    """Shift operators work on BIGINT as BIT_SHIFT_LEFT and BIT_SHIFT_RIGHT do, on texts of numbers too."""
    return lambda generator, node: (
        f"(CAST({generator.sql(node.this)} AS BIGINT) {symbol} {generator.sql(node.expression)})"
    )


def logical_xor(generator: Generator, node: exp.Expr) -> str:
    sides = (f"CAST({generator.sql(side)} AS BOOLEAN)" for side in (node.this, node.expression))
    return f"({' <> '.join(sides)})"


def log(generator: Generator, node: exp.Expr) -> str:
    """LOG(x), LOG(base, x), LOG2, LOG10: NULL outside of their domain."""
    base, value = (generator.sql(item) if item is not None else None for item in (node.this, node.expression))
    if value is None:
        return f"CASE WHEN {base} > 0 THEN ln({base}) END"
    return f"CASE WHEN {base} > 0 AND {base} <> 1 AND {value} > 0 THEN log({base}, {value}) END"
