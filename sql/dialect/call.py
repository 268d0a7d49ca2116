"""Spell the call of a function that has no node of its own: by its code, or its template in sql/dialect/function."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect import binary, document
from sql.dialect.array import element_of, texts_of
from sql.dialect.cast import family, type_text
from sql.dialect.coded import CODED
from sql.dialect.function.function import places
from sql.dialect.function.known import FUNCTIONS, template
from sql.dialect.moment import moment_text
from sql.dialect.number import as_number
from sql.dialect.once import OPERANDS, once
from sql.dialect.spelling import Spelling, as_type
from sql.dialect.text import count_of, text_of
from storage.naming import PREFIX


def spell_call(generator: Generator, node: exp.Expr, over: str = "") -> str:
    """The DuckDB text of a call; UNKNOWN_FUNCTION or FUNCTION_ARITY where there is none.

    `over` is the OVER clause of a call that spells it within its text (`takes_over`).
    """
    coded = CODED.get(node.name.upper())
    if coded is not None:
        return coded.text_of(generator, node)
    arguments = [generator.sql(item) for item in node.expressions]
    shape = template(node.name, len(arguments))
    if FUNCTIONS[node.name.upper()].once:
        return _over_operands(generator, node, shape, arguments)
    return formatted(generator, node, shape, over)


def formatted(generator: Generator, node: exp.Expr, shape: str, over: str = "") -> str:
    """The text of a template over the arguments of a call."""
    arguments = [generator.sql(item) for item in node.expressions]
    turned = {
        f"{letter}{place}": _turned(letter, generator, node.expressions[place])
        for letter, place in places(shape)
        if letter
    }
    lists = {
        word: sign.join(spell(generator, item) for item in node.expressions[skipped:])
        for word, (skipped, spell, sign) in _MANY.items()
        if f"{{{word}}}" in shape
    }
    lists = {word: f"[{text}]" if word == "list" else text for word, text in lists.items()}
    return shape.format(*arguments, own=PREFIX, over=over, **_given(node, shape), **lists, **turned)


def _over_operands(generator: Generator, node: exp.Expr, shape: str, arguments: list[str]) -> str:
    """The text of a template over operands that are computed once."""
    operands = {f"v{place}": text for place, text in enumerate(arguments) if f"{{{place}}}" in shape}
    turned = {f"{letter}{place}": (letter, place) for letter, place in places(shape) if letter}
    for name, (letter, place) in turned.items():
        operands[name] = _TURNED[letter](generator, node.expressions[place])
    if "{list}" in shape:
        operands["list"] = f"[{', '.join(arguments)}]"
    named = {name: f"{OPERANDS}.{name}" for name in operands}
    by_place = [named.get(f"v{place}", text) for place, text in enumerate(arguments)]
    return once(shape.format(*by_place, own=PREFIX, **_given(node, shape), **named), **operands)


def _given(node: exp.Expr, shape: str) -> dict[str, str]:
    """The DuckDB types of what a call gives, and of its elements, where its template asks for them."""
    kinds = {"type": node.type, "element": element_of(node)}
    return {name: type_text(kind) for name, kind in kinds.items() if kind is not None and f"{{{name}}}" in shape}


def takes_over(node: exp.Expr) -> bool:
    """Whether a call spells the OVER clause that it stands under."""
    if not isinstance(node, exp.Anonymous) or node.name.upper() in CODED:
        return False
    return "{over}" in (template(node.name, len(node.expressions)) or "")


def _turned(letter: str, generator: Generator, node: exp.Expr) -> str:
    """An argument as its letter says; that of DISTINCT behind the word."""
    if isinstance(node, exp.Distinct) and len(node.expressions) == 1:
        word = "" if letter == _IN_DISTINCT else "DISTINCT "
        return f"{word}{_TURNED[letter](generator, node.expressions[0])}"
    return _TURNED[letter](generator, node)


def _typed(kind: exp.DType, *fitting: str) -> Spelling:
    """As a value of this type, unless it is one of the fitting kinds anyway."""
    return lambda generator, node: generator.sql(node) if family(node) in fitting else as_type(generator, node, kind)


_IN_DISTINCT = "d"


def _measured(generator: Generator, node: exp.Expr) -> str:
    """As a DOUBLE; a moment as the days since 1970."""
    if family(node) in ("date", "datetime"):
        return f"(epoch_us({moment_text(generator, node)}) / 86400000000.0)"
    return _TURNED["n"](generator, node)


_TURNED: dict[str, Spelling] = {
    _IN_DISTINCT: lambda generator, node: generator.sql(node),
    "b": _typed(exp.DType.BOOLEAN, "boolean"),
    "y": binary.blob_of,
    "j": document.document,
    "v": document.value,
    "m": document.key,
    "g": document.part,
    "w": _typed(exp.DType.BIGINT, "integer"),
    "s": text_of,
    "t": moment_text,
    "k": count_of,
    "i": _typed(exp.DType.BIGINT),
    "x": as_number,
    "e": _measured,
    "n": _typed(exp.DType.DOUBLE, "float"),
    "a": texts_of,
}
_MANY: dict[str, tuple[int, Spelling, str]] = {  # how many arguments are left out, what the others become, between them
    "rest": (1, Generator.sql, ", "),
    "more": (1, text_of, ", "),
    "all": (0, Generator.sql, ", "),
    "texts": (0, text_of, ", "),
    "joined": (0, text_of, " || "),
    "counts": (0, count_of, ", "),
    "list": (0, Generator.sql, ", "),
}
