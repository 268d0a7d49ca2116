"""The beginning of the period a moment lies in, and of the next one: DATE_FLOOR, HOUR_CEIL and their kin.

Periods of `n` units follow each other from an origin on, 0001-01-01 without one. Weeks and shorter units have a fixed
length; months are counted from the origin, so that each period begins on its day.

    HOUR_FLOOR(t), HOUR_FLOOR(t, n), HOUR_FLOOR(t, origin), HOUR_FLOOR(t, n, origin), DATE_FLOOR(t, INTERVAL n HOUR)

Source: Doris: DATE_FLOOR, DATE_CEIL, HOUR_FLOOR.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect.calendar import computed, outside
from sql.dialect.cast import NUMBER, family, literal_text, sized
from sql.dialect.moment import DAYS, MAKERS, MONTHS, digits, moment_text, unit_of
from sql.dialect.once import OPERANDS, once
from sql.dialect.spelling import Spelling, as_type
from sql.dialect.to_text import SECONDS
from storage.errors import TIME_UNIT

UNITS = ("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND")
_FIRST = exp.Literal.string("0001-01-01 00:00:00")


@dataclass(frozen=True, slots=True)
class _Periods:
    """What is asked for: the moment, and the periods by their length and origin."""

    moment: exp.Expr
    count: exp.Expr
    unit: str
    origin: exp.Expr | None


def of_unit(node: exp.Expr) -> _Periods:
    """HOUR_FLOOR(t [, n] [, origin])."""
    moment, *rest = node.expressions
    unit = node.name.upper().partition("_")[0]
    if len(rest) == 1 and _is_moment(rest[0]):
        rest = [exp.Literal.number(1), rest[0]]
    return _Periods(moment, rest[0] if rest else exp.Literal.number(1), unit, rest[1] if len(rest) > 1 else None)


def of_interval(node: exp.Expr) -> _Periods:
    """DATE_FLOOR(t, INTERVAL n HOUR [, origin])."""
    moment, interval, *origin = node.expressions
    unit = unit_of(interval.args.get("unit")) if isinstance(interval, exp.Interval) else interval.sql("mysql")
    if unit not in UNITS:
        raise TIME_UNIT(unit=unit.lower())
    return _Periods(moment, interval.this, unit, origin[0] if origin else None)


def _is_moment(node: exp.Expr) -> bool:
    """Whether a second argument is an origin; else it is a number of units."""
    if isinstance(node, exp.Literal) and node.is_string:
        return not NUMBER.fullmatch(node.name)
    return family(node) in ("date", "datetime", "text")


def rounded(which: str, read: Callable[[exp.Expr], _Periods]) -> Spelling:
    """The spelling of a function that rounds: `which` is floor or ceil, `read` knows its arguments."""

    def spell(generator: Generator, node: exp.Expr) -> str:
        asked = read(node)
        count = as_type(generator, asked.count, exp.DType.INT)
        moment, origin = (f"{OPERANDS}.{name}" for name in "mo")
        operation = f"{asked.unit.lower()}_{which}"
        operands = f"strftime({moment}, '{SECONDS}')", f"{OPERANDS}.n"
        found = _months(which, asked.unit) if asked.unit in MONTHS else _lengths(which, asked.unit)
        value = computed(found, operation, *operands)
        known = f"{moment} IS NOT NULL AND {origin} IS NOT NULL"
        bad = f"WHEN {OPERANDS}.n <= 0 AND {known} THEN {outside(operation, *operands)}"
        text = f"CASE {bad} WHEN {OPERANDS}.n > 0 THEN {value} END"
        start = moment_text(generator, asked.origin or _FIRST)
        once_text = once(text, m=moment_text(generator, asked.moment), o=start, n=count)
        return f"CAST({once_text} AS DATE)" if _stays(asked) else once_text

    return spell


def _lengths(which: str, unit: str) -> str:
    """Periods of a fixed length."""
    length = MAKERS[unit].format(f"{OPERANDS}.n")
    floor = f"time_bucket({length}, {OPERANDS}.m, {OPERANDS}.o)"
    return floor if which == "floor" else f"CASE WHEN {floor} = {OPERANDS}.m THEN {floor} ELSE {floor} + {length} END"


def _months(which: str, unit: str) -> str:
    """Periods of months: as many as lie between the months, or one less before the day of the origin."""
    months = f"({OPERANDS}.n * {MONTHS[unit]})"
    count = f"CAST(floor(date_diff('month', {OPERANDS}.o, {OPERANDS}.m) / {months}) AS INTEGER)"
    begin = f"({OPERANDS}.o + to_months({count} * {months}))"
    before, after = (f"({OPERANDS}.o + to_months(({count} {step}) * {months}))" for step in ("- 1", "+ 1"))
    if which == "floor":
        return f"CASE WHEN {begin} > {OPERANDS}.m THEN {before} ELSE {begin} END"
    return f"CASE WHEN {begin} >= {OPERANDS}.m THEN {begin} ELSE {after} END"


def _stays(asked: _Periods) -> bool:
    """A DATE in periods of days or longer stays one."""
    is_date = family(asked.moment) == "date" and asked.unit in DAYS
    return is_date and (asked.origin is None or _is_day(asked.origin))


def _is_day(origin: exp.Expr) -> bool:
    written = literal_text(origin, exp.DataType(this=exp.DType.DATE)) is not None and len(origin.name) == len(
        "2024-01-31"
    )
    return family(origin) == "date" or written


def typed(read: Callable[[exp.Expr], _Periods]) -> Callable[[exp.Expr], exp.DataType]:
    """The type of such a call: a DATE that stays one, else a DATETIME of as many digits as its arguments have."""

    def give(node: exp.Expr) -> exp.DataType:
        asked = read(node)
        if _stays(asked):
            return exp.DataType(this=exp.DType.DATE)
        return sized(exp.DType.DATETIME, max(digits(item) or 0 for item in (asked.moment, asked.origin or _FIRST)))

    return give
