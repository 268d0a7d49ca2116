"""Casts: how each Doris type is spelled in DuckDB, and how a value of another type becomes one.

Doris truncates numbers on their way to integers, rounds fractions of seconds, and gives NULL for what
does not fit (enable_strict_cast = false; Doris: CAST). Works on the types that the
binder noted on the tree; where there are none, the shape of a literal says what it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlglot import exp

from sql.dialect import from_text
from sql.dialect.calendar import within
from sql.dialect.once import OPERANDS, once
from sql.dialect.to_text import text_of
from storage.errors import DECIMAL_PRECISION, NOT_SUPPORTED_YET
from storage.naming import PREFIX, quote
from storage.types import MAX_DECIMAL

Family = Literal["boolean", "integer", "decimal", "float", "text", "date", "datetime", "time", "document"]

_D = exp.DType
_FAMILIES: dict[exp.DType, Family] = {
    _D.BOOLEAN: "boolean",
    **dict.fromkeys((_D.TINYINT, _D.SMALLINT, _D.INT, _D.BIGINT, _D.INT128), "integer"),
    _D.DECIMAL: "decimal",
    **dict.fromkeys((_D.FLOAT, _D.DOUBLE), "float"),
    **dict.fromkeys((_D.VARCHAR, _D.CHAR, _D.TEXT), "text"),
    _D.DATE: "date",
    _D.TIME: "time",
    **dict.fromkeys((_D.DATETIME, _D.TIMESTAMP), "datetime"),
    _D.JSON: "document",
}
_NAMES = {
    _D.BOOLEAN: "BOOLEAN", _D.TINYINT: "TINYINT", _D.SMALLINT: "SMALLINT", _D.INT: "INTEGER", _D.BIGINT: "BIGINT",
    _D.INT128: "HUGEINT", _D.FLOAT: "FLOAT", _D.DOUBLE: "DOUBLE", _D.DATE: "DATE", _D.DATETIME: "TIMESTAMP",
    _D.TIMESTAMP: "TIMESTAMP", _D.TIME: "VARCHAR", _D.CHAR: "VARCHAR", _D.VARCHAR: "VARCHAR", _D.TEXT: "VARCHAR",
    _D.JSON: "JSON", _D.VARIANT: "JSON", _D.VARBINARY: "BLOB", _D.BINARY: "BLOB", _D.HLLSKETCH: "BLOB",
    _D.USERDEFINED: "BLOB", _D.TIMESTAMPNTZ: "TIMESTAMP", _D.TIMESTAMPTZ: "TIMESTAMPTZ",
}  # fmt: skip
_MOST_DIGITS = 6
NUMBER = re.compile(r"\s*[+-]?\d+(\.\d+)?\s*", re.ASCII)  # a text that is a number, without exponent
_WRITTEN = re.compile(r"\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.(\d{1,6}))?)?", re.ASCII)


def family(node: exp.Expr) -> Family | None:
    """What kind of value an expression gives, None when nobody noted it."""
    if isinstance(node, exp.Literal):
        if node.is_string:
            return "text"
        return "integer" if node.this.isdigit() else "float" if "e" in node.this.lower() else "decimal"
    if isinstance(node, exp.Boolean):
        return "boolean"
    if isinstance(node, exp.Paren | exp.Neg):
        return family(node.this)
    kind = noted(node)
    return family_of(kind) if kind is not None else None


def family_of(kind: exp.DataType) -> Family | None:
    """What kind of value a type stands for."""
    return _FAMILIES.get(kind.this)


def noted(node: exp.Expr) -> exp.DataType | None:
    """The type of an expression: what a cast says itself, else what the binder noted."""
    return node.args.get("to") if isinstance(node, exp.Cast) else node.type


def numbers(kind: exp.DataType) -> list[int]:
    """The numeric parameters of a type: length, or precision and scale."""
    return [int(item.name) for item in kind.expressions if item.name.isdigit()]


def sized(this: exp.DType, *sizes: int) -> exp.DataType:
    """A type with such parameters."""
    return exp.DataType(this=this, expressions=[exp.DataTypeParam(this=exp.Literal.number(size)) for size in sizes])


def digits_of(node: exp.Expr) -> int | None:
    """Digits that the seconds of a date or datetime have by its type; None where nobody noted them."""
    kind, found = noted(node), family(node)
    if kind is None or found not in ("date", "datetime", "time"):
        return None
    return next(iter(numbers(kind)), 0 if found == "date" or isinstance(node, exp.Cast) else None)


def type_text(kind: exp.DataType) -> str:
    """The DuckDB type of a Doris type."""
    if kind.this is _D.DECIMAL:
        precision, scale, *_ = [*numbers(kind), 0] if numbers(kind) else [38, 9]
        if not 1 <= precision <= MAX_DECIMAL:
            raise DECIMAL_PRECISION(value=precision)
        return f"DECIMAL({precision}, {scale})"
    inner = [item.args["kind"] if isinstance(item, exp.ColumnDef) else item for item in kind.expressions]
    if kind.this is _D.ARRAY:
        return f"{type_text(inner[0])}[]"
    if kind.this is _D.MAP:
        return f"MAP({type_text(inner[0])}, {type_text(inner[1])})"
    if kind.this is _D.STRUCT:
        names = [quote(item.name) for item in kind.expressions]
        fields = (f"{name} {type_text(part)}" for name, part in zip(names, inner, strict=True))
        return f"STRUCT({', '.join(fields)})"
    if kind.this not in _NAMES:
        raise NOT_SUPPORTED_YET(what=f"type {getattr(kind.this, 'value', kind.this)}")
    return _NAMES[kind.this]


@dataclass(frozen=True, slots=True)
class Target:
    """A scalar type to convert to: its family, its DuckDB type, the digits that the seconds of a datetime keep."""

    family: Family | None
    name: str
    digits: int = 0


def cast_text(value: str, source: Family | None, kind: exp.DataType, zone: str, digits: int | None = None) -> str:
    """Spell the cast of an already spelled value; a moment that rounding moves out of the calendar is NULL.

    `zone` is that of the session, `digits` are those of the seconds of a datetime, where they are known.
    """
    target = Target(_FAMILIES.get(kind.this), type_text(kind), next(iter(numbers(kind)), 0))
    text = converted(value, source, target, zone, digits)
    rounds = target.family == "datetime" and source != "date" and target.digits < _MOST_DIGITS
    return within(text) if rounds else text


def converted(value: str, source: Family | None, target: Target, zone: str, digits: int | None = None) -> str:
    """A value of a known or unknown family as another type, NULL where it does not fit: CAST and writes do the same."""
    if source == "document" and target.family not in (None, "text", "document"):
        return _of_document(value, target, zone)
    if target.family == "integer":
        return _to_integer(value, source, target.name)
    if target.family == "datetime":
        moment = as_datetime(value, source, zone)
        return moment if source == "date" else _rounded(moment, target.digits)
    if target.family == "date" and source not in ("date", "datetime"):
        return f"CAST({as_datetime(value, source, zone)} AS DATE)"
    if target.family == "time":
        return clock_text(clock_of(value, source), target.digits)
    if target.family == "text":
        return text_of(value, source, digits)
    if target.family == "boolean" and source == "text":
        return from_text.truth(value)
    if target.family in ("decimal", "float") and source == "text":
        return from_text.number(value, target.name)
    if target.family in ("decimal", "float") and source in ("date", "datetime"):
        return f"TRY_CAST({_to_integer(value, source, 'BIGINT')} AS {target.name})"
    return f"TRY_CAST({value} AS {target.name})"


def _of_document(value: str, target: Target, zone: str) -> str:
    """A JSON text as it would be cast without its quotes, a truth as TRUE or FALSE, a number as one; else NULL."""
    truth = f"CASE {value} WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END"
    number = f"CASE WHEN json_type(TRY_CAST({value} AS JSON)) = 'DOUBLE' THEN TRY_CAST({value} AS DOUBLE) END"
    read = [converted(f"(TRY_CAST({value} AS JSON) ->> '$')", "text", target, zone)]
    if target.family in ("integer", "decimal", "float", "boolean"):
        read.append(f"TRY_CAST({truth} AS {target.name})")
    if target.family == "integer":
        read.append(_to_integer(number, "float", target.name))
    if target.family == "boolean":
        read.append(f"TRY_CAST(TRY_CAST({value} AS DOUBLE) AS BOOLEAN)")
    return f"COALESCE({', '.join(read)})" if len(read) > 1 else read[0]


def literal_text(value: exp.Expr, kind: exp.DataType) -> str | None:
    """A date or datetime that is written in full needs no conversion: ``DATE '2024-01-31'``."""
    found = _WRITTEN.fullmatch(value.this) if isinstance(value, exp.Literal) and value.is_string else None
    target = _FAMILIES.get(kind.this)
    if found is None or target not in ("date", "datetime") or not _exists(found[0]):
        return None
    digits = numbers(kind)[0] if kind.expressions else 0
    if target == "date":
        return f"DATE '{found[0][:10]}'"
    return f"TIMESTAMP '{found[0]}'" if len(found[1] or "") <= digits else None


def _exists(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _to_integer(value: str, source: Family | None, name: str) -> str:
    """A value as the integer type `name`: fractions are cut off, moments are their digits."""
    if source in ("decimal", "float"):
        return f"TRY_CAST(trunc({value}) AS {name})"
    if source == "text":
        return from_text.whole(value, name)
    if source == "date":
        return f"TRY_CAST(strftime({value}, '%Y%m%d') AS {name})"
    if source == "datetime":
        return f"TRY_CAST(strftime({value}, '%Y%m%d%H%M%S') AS {name})"
    return f"TRY_CAST({value} AS {name})"


def as_datetime(value: str, source: Family | None, zone: str) -> str:
    """A date, datetime, text or number of digits as TIMESTAMP; NULL for what is none. Unknown families are moments."""
    if source == "datetime":
        return value
    if source == "date":
        return f"CAST({value} AS TIMESTAMP)"
    if source is None:
        return f"TRY_CAST({value} AS TIMESTAMP)"
    return from_text.moment(value if source == "text" else f"CAST({value} AS VARCHAR)", zone)


def clock_of(value: str, source: Family | None) -> str:
    """A TIME, given as text or number, or the time of a moment, in microseconds (storage/text/clock.py)."""
    if source in ("date", "datetime"):
        return f"date_diff('microseconds', date_trunc('day', {value}), {value})"
    return f"{PREFIX}clock({text_of(value, source)})"


def clock_text(microseconds: str, digits: int) -> str:
    """The text of a TIME; digits beyond those of the type are rounded half up."""
    step, most = 10 ** (_MOST_DIGITS - digits), 10**digits
    units = f"(abs({OPERANDS}.t) + {step // 2}) // {step}"
    seconds = f"({units} // {most})"
    fraction = f" || printf('.%0{digits}d', {units} % {most})" if digits else ""
    clock = f"printf('%02d:%02d:%02d', {seconds} // 3600, {seconds} // 60 % 60, {seconds} % 60){fraction}"
    text = f"CASE WHEN {OPERANDS}.t < 0 THEN '-' ELSE '' END || {clock}"
    return once(f"CASE WHEN {OPERANDS}.t IS NOT NULL THEN {text} END", t=f"CAST({microseconds} AS BIGINT)")


def _rounded(moment: str, digits: int) -> str:
    """Rounded half up to the digits that the type keeps (Doris: DATETIME)."""
    if digits >= _MOST_DIGITS:
        return moment
    step = 10 ** (_MOST_DIGITS - digits)
    return f"time_bucket(to_microseconds({step}), {moment} + to_microseconds({step // 2}))"
