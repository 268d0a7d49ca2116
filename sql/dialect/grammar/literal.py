"""Literals that sqlglot reads otherwise: large whole numbers, TIMESTAMP."""

from __future__ import annotations

from sqlglot import exp

from sql.dialect.cast import sized

_LARGEST = 2**127  # a minus before it makes the least LARGEINT


def number(text: str) -> exp.Literal:
    """A whole number beyond LARGEINT is a DOUBLE."""
    is_larger = len(text) > len(str(_LARGEST)) or (text.isdigit() and int(text) > _LARGEST)
    return exp.Literal(this=f"{text}e0" if is_larger and text.isdigit() else text, is_string=False)


def timestamp(given: exp.Expr | None) -> exp.Cast:
    """``TIMESTAMP '… .123'`` is a DATETIME(3)."""
    fraction = given.name.partition(".")[2] if given else ""
    digits = [min(len(fraction), 6)] if fraction else []
    return exp.Cast(this=given, to=sized(exp.DType.DATETIME, *digits))
