"""The casts of a tree in DuckDB's words: those of a client, strict or not, and those of our own rewriting.

    CAST(text AS INT)    ->  NULL for what does not fit, or under enable_strict_cast an error; TRY_CAST is always NULL

Source: Doris: CAST, enable_strict_cast.
"""

from __future__ import annotations

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect.cast import cast_text, digits_of, family, literal_text, type_text
from sql.dialect.once import OPERANDS, once
from sql.dialect.refused import VALUE, refused
from sql.dialect.spelling import zone_of
from sql.dialect.to_text import text_of
from storage.errors import CAST_VALUE


def spell(generator: Generator, node: exp.Expr) -> str:
    """A cast that Doris makes NULL when it does not fit; one that our own rewriting marks `strict` raises."""
    value, to = node.this, node.args["to"]
    if node.meta.get("strict"):
        return f"CAST({generator.sql(value)} AS {type_text(to)})"
    written = literal_text(value, to)
    if written is not None:
        return written
    is_strict = getattr(generator, "strict_cast", False) and type(node) is exp.Cast and "strict" not in node.meta
    spelled = f"{OPERANDS}.v" if is_strict else generator.sql(value)
    text = cast_text(spelled, family(value), to, zone_of(generator), digits_of(value))
    return _checked(generator, value, text, to) if is_strict else text


def _checked(generator: Generator, value: exp.Expr, cast: str, to: exp.DataType) -> str:
    """A cast under enable_strict_cast: what does not fit is an error."""
    shown = text_of(f"{OPERANDS}.v", family(value), digits_of(value))
    unfit = refused(CAST_VALUE(value=VALUE, type=to.sql("mysql")).message, type_text(to), shown)
    failed = f"{OPERANDS}.v IS NOT NULL AND ({cast}) IS NULL"
    return once(f"CASE WHEN {failed} THEN {unfit} ELSE {cast} END", v=generator.sql(value))
