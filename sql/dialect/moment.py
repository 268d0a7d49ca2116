"""Date and time arithmetic in DuckDB's words; values keep the type they have in Doris.

    DATE_ADD(d, INTERVAL 1 DAY)  ->  CAST(d + INTERVAL '1' DAY AS DATE)     a DATE stays one

Each function spells one node of sqlglot; `generator` is the DuckDB generator.
"""

from __future__ import annotations

import re

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect.calendar import computed
from sql.dialect.cast import (
    NUMBER,
    Family,
    as_datetime,
    cast_text,
    clock_of,
    digits_of,
    family,
    literal_text,
    type_text,
)
from sql.dialect.spelling import Spelling, zone_of
from sql.dialect.to_text import SECONDS
from storage.errors import TIME_UNIT

DAYS = frozenset({"YEAR", "QUARTER", "MONTH", "WEEK", "DAY"})
MONTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}
MAKERS = {
    "YEAR": "to_years({})", "QUARTER": "to_months(3 * {})", "MONTH": "to_months({})", "WEEK": "to_weeks({})",
    "DAY": "to_days({})", "HOUR": "to_hours({})", "MINUTE": "to_minutes({})", "SECOND": "to_seconds({})",
    "MILLISECOND": "to_milliseconds({})", "MICROSECOND": "to_microseconds({})",
}  # fmt: skip
_AMOUNTS = dict.fromkeys(("SECOND", "MILLISECOND", "MICROSECOND"), exp.DType.BIGINT)  # else INT
_MICROSECONDS = exp.DataType.build("DATETIME(6)", dialect="mysql")
_MOST_DIGITS = 6
_DATE_ONLY = re.compile(r"\s*\d{4}-\d{1,2}-\d{1,2}\s*|\s*\d{8}\s*")


def moment_text(generator: Generator, node: exp.Expr) -> str:
    """A value as TIMESTAMP."""
    node = plain_moment(node)
    return literal_text(node, _MICROSECONDS) or as_datetime(generator.sql(node), family(node), zone_of(generator))


def plain_moment(node: exp.Expr) -> exp.Expr:
    """The value below sqlglot's own guess at a conversion."""
    while isinstance(node, exp.TsOrDsToDate | exp.TsOrDsToTimestamp | exp.TsOrDsToTime):
        node = node.this
    return node


def moment_family(node: exp.Expr) -> Family:
    """Whether a value is a date or a datetime; a text is what it looks like."""
    node = plain_moment(node)
    found = family(node)
    if found == "text" and isinstance(node, exp.Literal) and _DATE_ONLY.fullmatch(node.this):
        return "date"
    return "date" if found == "date" else "datetime"


def digits(value: exp.Expr) -> int | None:
    """Digits of seconds that a moment or a time has; None when nobody noted them."""
    value = plain_moment(value)
    if isinstance(value, exp.Literal):
        return min(len(value.name.partition(".")[2].rstrip()), _MOST_DIGITS)
    return digits_of(value)


_WORD = re.compile(r"[A-Z_]+")


def unit_of(unit: exp.Expr | None) -> str:
    """The name of a unit in capitals and without plural; DAY without one.

    A client may write any text for it: only a word becomes part of a statement.
    """
    name = unit.name.upper() if unit is not None else "DAY"
    if unit is not None and not _WORD.fullmatch(name):
        raise TIME_UNIT(unit=unit.name.lower() or unit.sql("mysql"))
    return name.removesuffix("S") if name.removesuffix("S") in MAKERS else name


def _amount(generator: Generator, amount: exp.Expr, unit: str) -> str:
    """How many units; a text that is no number is NULL, a number that is too large an error."""
    kind = exp.DataType(this=_AMOUNTS.get(unit, exp.DType.INT))
    text = generator.sql(amount)
    if family(amount) in ("decimal", "float") or (isinstance(amount, exp.Literal) and "." in amount.this):
        text = f"trunc(CAST({text} AS DOUBLE))"
    is_number = family(amount) != "text" or (isinstance(amount, exp.Literal) and NUMBER.fullmatch(amount.this))
    return f"CAST({text} AS {type_text(kind)})" if is_number else cast_text(text, "text", kind, zone_of(generator))


def shifted(generator: Generator, value: exp.Expr, amount: exp.Expr, unit: str, sign: str) -> str:
    """``value ± amount unit``: a DATE moved by days or longer stays a DATE."""
    if unit not in MAKERS:
        generator.unsupported(f"INTERVAL {unit}")
        return ""
    moment, by = moment_text(generator, value), _amount(generator, amount, unit)
    operation = f"{unit.lower()}s_{'add' if sign == '+' else 'sub'}"
    text = computed(f"{moment} {sign} {MAKERS[unit].format(by)}", operation, f"strftime({moment}, '{SECONDS}')", by)
    stays = moment_family(value) == "date" and unit in DAYS
    return f"CAST({text} AS DATE)" if stays else f"({text})"


def delta(sign: str) -> Spelling:
    """DATE_ADD, DATE_SUB and their kin; the unit stands in the node or in its interval."""

    def spell(generator: Generator, node: exp.Expr) -> str:
        amount, unit = node.expression, node.args.get("unit")
        if isinstance(amount, exp.Interval):
            amount, unit = amount.this, amount.args.get("unit")
        return shifted(generator, node.this, amount, unit_of(unit), sign)

    return spell


def plus(sign: str) -> Spelling:
    """``d + INTERVAL 1 DAY`` and ``INTERVAL 1 DAY + d``; all other sums as they were."""

    def spell(generator: Generator, node: exp.Expr) -> str:
        assert isinstance(node, exp.Binary)
        left, right = node.this, node.expression
        if isinstance(left, exp.Interval) and sign == "+":
            left, right = right, left
        if not isinstance(right, exp.Interval):
            return generator.binary(node, sign)
        if isinstance(left, exp.Interval) and not left.args.get("unit"):
            left = left.this  # sqlglot takes the text behind INTERVAL 1 DAY + for another interval
        return shifted(generator, left, right.this, unit_of(right.args.get("unit")), sign)

    return spell


def unit_moved(unit: str, sign: str) -> Spelling:
    """``DAYS_ADD(d, n)``, ``HOURS_SUB(d, n)`` and their kin."""
    return lambda generator, node: shifted(generator, node.expressions[0], node.expressions[1], unit, sign)


def unit_between(unit: str) -> Spelling:
    """``MONTHS_DIFF(a, b)`` and its kin: from the second moment to the first."""
    return lambda generator, node: between(generator, node.expressions[1], node.expressions[0], unit)


def date_diff(generator: Generator, node: exp.Expr) -> str:
    """Days between two dates, times ignored."""
    later, earlier = (f"CAST({moment_text(generator, side)} AS DATE)" for side in (node.this, node.expression))
    return f"CAST(date_diff('day', {earlier}, {later}) AS INTEGER)"


def timestamp_diff(generator: Generator, node: exp.Expr) -> str:
    """TIMESTAMPDIFF has the later moment first in the node."""
    name = unit_of(node.args.get("unit"))
    if name not in MAKERS:
        raise TIME_UNIT(unit=name.lower())
    return between(generator, node.expression, node.this, name)


def between(generator: Generator, start: exp.Expr, end: exp.Expr, unit: str) -> str:
    """Whole units from one moment to another; the last day of a month ends a month that began on a later day."""
    return f"date_sub('{unit.lower()}', {moment_text(generator, start)}, {moment_text(generator, end)})"


def part(template: str, kind: str = "INTEGER") -> Spelling:
    """A part of a moment, as an integer."""

    def spell(generator: Generator, node: exp.Expr) -> str:
        return f"CAST({template.format(moment_text(generator, node.this))} AS {kind})"

    return spell


def clock_part(template: str, of_clock: str) -> Spelling:
    """A part of the time of a moment; of a TIME by its microseconds, where hours have no end."""
    by_moment = part(template)

    def spell(generator: Generator, node: exp.Expr) -> str:
        if family(node.this) != "time":
            return by_moment(generator, node)
        return f"CAST({of_clock.format(clock_of(generator.sql(node.this), 'time'))} AS INTEGER)"

    return spell


def truncated(generator: Generator, node: exp.Expr) -> str:
    """DATE_TRUNC; of a DATE it gives a DATE."""
    text = f"date_trunc('{unit_of(node.args['unit']).lower()}', {moment_text(generator, node.this)})"
    return f"CAST({text} AS DATE)" if moment_family(node.this) == "date" else text


def last_day(generator: Generator, node: exp.Expr) -> str:
    return f"last_day({moment_text(generator, node.this)})"
