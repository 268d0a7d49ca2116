"""Calls of functions whose arguments are written with words; each function reads what follows the bracket."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from sqlglot import exp

from sql.dialect.arity import counted
from sql.dialect.function.stock import STOCK
from sql.dialect.reader import Reader
from storage.errors import CHARSET


def extract(reader: Reader) -> exp.Expr:
    """EXTRACT(unit FROM x) calls the function that is named like the unit (Doris: EXTRACT)."""
    unit = reader.skip().text.upper()
    reader.expect("FROM")
    value = [reader.value()]
    build = reader.FUNCTIONS.get(unit)
    if build is None:
        return exp.Anonymous(this=unit, expressions=value)
    return reader.validate_expression(cast(exp.Expr, build(value)), value)


def get_format(reader: Reader) -> exp.Expr:
    """GET_FORMAT(DATE | TIME | DATETIME, place)."""
    kind = exp.Literal.string(reader.skip().text)
    reader.expect(",")
    return exp.Anonymous(this="GET_FORMAT", expressions=[kind, reader.value()])


def group_concat(reader: Reader) -> exp.GroupConcat:
    """GROUP_CONCAT([DISTINCT] x [, separator] [ORDER BY …] [SEPARATOR separator])."""
    distinct = reader.words("DISTINCT")
    value = reader.value()
    if distinct:
        value = exp.Distinct(expressions=[value])
    separator = reader.value() if reader.words(",") else None
    order = reader.order()
    if order is not None:
        value = exp.Order(this=value, expressions=order.expressions)
    if reader.words("SEPARATOR"):
        separator = reader.string()
    return exp.GroupConcat(this=value, separator=separator)


def position(reader: Reader) -> exp.Expr:
    """POSITION(part IN text), or as LOCATE(part, text [, start])."""
    arguments = _arguments(reader)
    if reader.words("IN"):
        arguments.append(reader.computed())
    return counted("POSITION", STOCK["POSITION"], reader.FUNCTIONS["LOCATE"])(arguments)


def substring(reader: Reader) -> exp.Expr:
    """SUBSTRING(text, start [, length]), also with FROM and FOR in place of the commas."""
    arguments = _arguments(reader)
    if reader.words("FROM"):
        arguments.append(reader.computed())
    if reader.words("FOR"):
        start = [exp.Literal.number(1)] if len(arguments) == 1 else []
        arguments += [*start, reader.computed()]
    return cast(exp.Expr, reader.FUNCTIONS["SUBSTRING"](arguments))


def char(reader: Reader) -> exp.Expr:
    """CHAR(code, … [USING utf8])."""
    arguments = _arguments(reader)
    if reader.words("USING"):
        charset = reader.name().name
        if charset.lower() != "utf8":
            raise CHARSET(name=charset)
    return exp.Anonymous(this="CHAR", expressions=arguments)


def _arguments(reader: Reader) -> list[exp.Expr]:
    return [] if reader.sees(")") else reader.comma_list(reader.computed)


READERS: dict[str, Callable[[Reader], exp.Expr]] = {
    "CHAR": char,
    "EXTRACT": extract,
    "GET_FORMAT": get_format,
    "GROUP_CONCAT": group_concat,
    "MID": substring,
    "POSITION": position,
    "SUBSTR": substring,
    "SUBSTRING": substring,
}
