"""DATE_FORMAT and STR_TO_DATE: MySQL's codes of a format, and Doris's three words for whole formats.

    date_format(d, '%Y-%m')   ->  strftime(d, '%Y-%m')                       a written format of plain codes
    date_format(d, '%D')      ->  pieces, some of them computed, one behind the other
    date_format(d, f)         ->  the same, chosen piece by piece for each row

Source: Doris: DATE_FORMAT, STR_TO_DATE, FROM_UNIXTIME.
"""

from __future__ import annotations

import re

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect import week
from sql.dialect.cast import sized
from sql.dialect.moment import moment_text
from sql.dialect.once import OPERANDS, once
from sql.dialect.refused import refused
from sql.dialect.text import text_of
from storage.errors import FORMAT_LENGTH
from storage.naming import PREFIX, literal

WORDS = {"yyyyMMdd": "%Y%m%d", "yyyy-MM-dd": "%Y-%m-%d", "yyyy-MM-dd HH:mm:ss": "%Y-%m-%d %H:%i:%s"}
_PLAIN = {
    "Y": "%Y", "y": "%y", "m": "%m", "c": "%-m", "d": "%d", "e": "%-d", "j": "%j", "M": "%B", "b": "%b", "W": "%A",
    "a": "%a", "w": "%w", "H": "%H", "k": "%-H", "h": "%I", "I": "%I", "l": "%-I", "i": "%M", "s": "%S", "S": "%S",
    "f": "%f", "p": "%p", "T": "%H:%M:%S", "r": "%I:%M:%S %p", "%": "%%",
}  # fmt: skip
_NTH = (
    "day({0}) || CASE WHEN day({0}) IN (11, 12, 13) THEN 'th' WHEN day({0}) % 10 = 1 THEN 'st'"
    " WHEN day({0}) % 10 = 2 THEN 'nd' WHEN day({0}) % 10 = 3 THEN 'rd' ELSE 'th' END"
)
_DATE = "CAST({0} AS DATE)"
_COMPUTED = {
    "D": _NTH,
    **{code: f"lpad(CAST({week.numbered(_DATE, mode)} AS VARCHAR), 2, '0')" for mode, code in enumerate("UuVv")},
    **{code: f"lpad(CAST({week.year(_DATE, mode)} AS VARCHAR), 4, '0')" for code, mode in (("X", 2), ("x", 3))},
}
_SPELLED = {**{code: f"strftime({{0}}, '{plain}')" for code, plain in _PLAIN.items()}, **_COMPUTED}
_PIECE = re.compile(r"%.|%$|[^%]+", re.DOTALL)
_PIECES = literal(r"(?s:%.)|%$|[^%]+")
_LONGEST = 128  # bytes of a format
_TIME, _FRACTION = re.compile("[HhIiklrSsTp]"), re.compile("f")


def date_format(generator: Generator, node: exp.Expr) -> str:
    """DATE_FORMAT(moment, format)."""
    value, shape = node.expressions
    return in_format(generator, moment_text(generator, value), shape, "date_format")


def in_format(generator: Generator, moment: str, shape: exp.Expr, function: str) -> str:
    """A moment, given as DuckDB text, in the shape of a format; `function` is for the error of one that is too long."""
    if isinstance(shape, exp.Literal):
        return _written(moment, _checked(shape.name, function))
    operand = f"{OPERANDS}.m"
    cases = "".join(f" WHEN {literal('%' + code)} THEN {piece.format(operand)}" for code, piece in _SPELLED.items())
    pieces = f"regexp_extract_all({OPERANDS}.f, {_PIECES})"
    known = f"list_transform({pieces}, lambda p: CASE p{cases} ELSE regexp_replace(p, '^%(.)', '\\1') END)"
    words = "".join(f" WHEN {literal(word)} THEN {literal(full)}" for word, full in WORDS.items())
    text = text_of(generator, shape)
    refusal = refused(FORMAT_LENGTH(function=function).message, "VARCHAR")
    too_long = f"WHEN strlen({OPERANDS}.f) > {_LONGEST} THEN {refusal}"
    joined = f"CASE {too_long} WHEN {operand} IS NOT NULL THEN array_to_string({known}, '') END"
    return once(joined, m=moment, f=f"CASE {text}{words} ELSE {text} END")


def str_to_date(generator: Generator, node: exp.Expr) -> str:
    """STR_TO_DATE(text, format); NULL for a text that does not fit."""
    value, shape = (text_of(generator, item) for item in node.expressions)
    parsed = f"{PREFIX}parse_moment({value}, {shape})"
    return f"CAST({parsed} AS DATE)" if parsed_type(node).this == exp.DType.DATE else parsed


def parsed_type(node: exp.Expr) -> exp.DataType:
    """A DATE for a written format without a time; a DATETIME, with fractions if they are written, for all others."""
    shape = node.expressions[1]
    if not isinstance(shape, exp.Literal):
        return sized(exp.DType.DATETIME, 0)
    name = WORDS.get(shape.name, shape.name)
    if not _TIME.search(name):
        return exp.DataType(this=exp.DType.DATE)
    return sized(exp.DType.DATETIME, 6 if _FRACTION.search(name) else 0)


def _checked(shape: str, function: str) -> str:
    if len(shape.encode()) > _LONGEST:
        raise FORMAT_LENGTH(function=function)
    return WORDS.get(shape, shape)


def _written(moment: str, shape: str) -> str:
    """The pieces of a written format; those that need no computing in one go."""
    pieces: list[str] = []
    plain = ""
    for piece in _PIECE.findall(shape):
        code = piece[1:] if piece.startswith("%") else ""
        if code in _COMPUTED:
            pieces += [*_plain(plain), _COMPUTED[code]]
            plain = ""
        else:
            plain += _PLAIN.get(code, code or piece.replace("%", "%%"))
    if not pieces:
        return f"strftime({moment}, {literal(plain)})" if plain else f"CASE WHEN {moment} IS NOT NULL THEN '' END"
    return once(" || ".join([*pieces, *_plain(plain)]).format(f"{OPERANDS}.m"), m=moment)


def _plain(codes: str) -> list[str]:
    return ["strftime({0}, " + literal(codes).replace("{", "{{").replace("}", "}}") + ")"] if codes else []
