"""Date and time arithmetic in DuckDB's words; values keep the type they have in Doris.

    DATE_ADD(d, INTERVAL 1 DAY)  ->  CAST(d + INTERVAL '1' DAY AS DATE)     a DATE stays one

Each function spells one node of sqlglot; `generator` is the DuckDB generator.
"""

from __future__ import annotations

import re

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect.calendar import computed
from sql.dialect.cast import NUMBER, Family, as_datetime, cast_text, family, literal_text, type_text
from sql.dialect.spelling import Spelling, zone_of
from sql.dialect.to_text import SECONDS
from storage.errors import TIME_UNIT
from storage.naming import literal

DAYS = frozenset({"YEAR", "QUARTER", "MONTH", "WEEK", "DAY"})
_MONTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}
_MAKERS = {
    "YEAR": "to_years({})", "QUARTER": "to_months(3 * {})", "MONTH": "to_months({})", "WEEK": "to_weeks({})",
    "DAY": "to_days({})", "HOUR": "to_hours({})", "MINUTE": "to_minutes({})", "SECOND": "to_seconds({})",
    "MILLISECOND": "to_milliseconds({})", "MICROSECOND": "to_microseconds({})",
}  # fmt: skip
_AMOUNTS = {"SECOND": exp.DType.DOUBLE, "MILLISECOND": exp.DType.DOUBLE, "MICROSECOND": exp.DType.BIGINT}  # else INT
_MICROSECONDS = exp.DataType.build("DATETIME(6)", dialect="mysql")
_UNIT_FUNCTION = re.compile(f"({'|'.join(_MAKERS)})S_(ADD|SUB|DIFF)")
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


_WORD = re.compile(r"[A-Z_]+")


def unit_of(unit: exp.Expr | None) -> str:
    """The name of a unit in capitals and without plural; DAY without one.

    A client may write any text for it: only a word becomes part of a statement.
    """
    name = unit.name.upper() if unit is not None else "DAY"
    if unit is not None and not _WORD.fullmatch(name):
        raise TIME_UNIT(unit=unit.name.lower() or unit.sql("mysql"))
    return name.removesuffix("S") if name.removesuffix("S") in _MAKERS else name


def _amount(generator: Generator, amount: exp.Expr, unit: str) -> str:
    """How many units; a text that is no number is NULL, a number that is too large an error."""
    kind = exp.DataType(this=_AMOUNTS.get(unit, exp.DType.INT))
    text = generator.sql(amount)
    is_number = family(amount) != "text" or (isinstance(amount, exp.Literal) and NUMBER.fullmatch(amount.this))
    return f"CAST({text} AS {type_text(kind)})" if is_number else cast_text(text, "text", kind, zone_of(generator))


def shifted(generator: Generator, value: exp.Expr, amount: exp.Expr, unit: str, sign: str) -> str:
    """``value ± amount unit``: a DATE moved by days or longer stays a DATE."""
    if unit not in _MAKERS:
        generator.unsupported(f"INTERVAL {unit}")
        return ""
    moment, by = moment_text(generator, value), _amount(generator, amount, unit)
    operation = f"{unit.lower()}s_{'add' if sign == '+' else 'sub'}"
    text = computed(f"{moment} {sign} {_MAKERS[unit].format(by)}", operation, f"strftime({moment}, '{SECONDS}')", by)
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


def unit_function(generator: Generator, node: exp.Anonymous) -> str | None:
    """``DAYS_ADD(d, n)``, ``HOURS_SUB(d, n)``, ``MONTHS_DIFF(a, b)`` and their kin; None for another function."""
    found = _UNIT_FUNCTION.fullmatch(node.name.upper())
    if found is None or len(node.expressions) != 2:
        return None
    first, second = node.expressions
    if found[2] == "DIFF":
        return timestamp_diff(generator, exp.TimestampDiff(this=first, expression=second, unit=exp.var(found[1])))
    return shifted(generator, first, second, found[1], "+" if found[2] == "ADD" else "-")


def add_months(generator: Generator, node: exp.Expr) -> str:
    return shifted(generator, node.this, node.expression, "MONTH", "+")


def date_diff(generator: Generator, node: exp.Expr) -> str:
    """Days between two dates, times ignored."""
    later, earlier = (f"CAST({moment_text(generator, side)} AS DATE)" for side in (node.this, node.expression))
    return f"CAST(date_diff('day', {earlier}, {later}) AS INTEGER)"


def timestamp_diff(generator: Generator, node: exp.Expr) -> str:
    """Whole units from the second moment to the first (TIMESTAMPDIFF has the later one first in the node)."""
    name = unit_of(node.args.get("unit"))
    start, end = moment_text(generator, node.expression), moment_text(generator, node.this)
    if name not in _MONTHS:
        return f"date_sub('{name.lower()}', {start}, {end})"
    # DuckDB counts 31 January to 29 February as a month; Doris compares day and time within the month
    here, there = (f"({side} - date_trunc('month', {side}))" for side in (start, end))
    early = f"CASE WHEN {start} <= {end} AND {there} < {here} THEN 1 WHEN {start} > {end} AND {there} > {here} THEN -1"
    return f"((date_diff('month', {start}, {end}) - {early} ELSE 0 END) // {_MONTHS[name]})"


def part(template: str, kind: str = "INTEGER") -> Spelling:
    """A part of a moment, as an integer."""

    def spell(generator: Generator, node: exp.Expr) -> str:
        return f"CAST({template.format(moment_text(generator, node.this))} AS {kind})"

    return spell


def truncated(generator: Generator, node: exp.Expr) -> str:
    """DATE_TRUNC; of a DATE it gives a DATE."""
    text = f"date_trunc('{unit_of(node.args['unit']).lower()}', {moment_text(generator, node.this)})"
    return f"CAST({text} AS DATE)" if moment_family(node.this) == "date" else text


def last_day(generator: Generator, node: exp.Expr) -> str:
    return f"last_day({moment_text(generator, node.this)})"


# What strftime says otherwise than MySQL, after sqlglot's mapping of the codes (%u -> %W, %x -> %G).
_DIFFERENT = re.compile(r"%[DGVXWv]")
WORDS = {"yyyy-MM-dd": "%Y-%m-%d", "yyyyMMdd": "%Y%m%d", "yyyy-MM-dd HH:mm:ss": SECONDS}


def format_text(generator: Generator, node: exp.Expr | None) -> str:
    """A format that sqlglot has already turned into strftime's codes; Doris's three words too."""
    if isinstance(node, exp.Literal):
        if _DIFFERENT.search(node.this):
            generator.unsupported("this date format")
        return literal(WORDS.get(node.this, node.this))
    return generator.sql(node)


def formatted(generator: Generator, node: exp.Expr) -> str:
    """DATE_FORMAT."""
    return f"strftime({moment_text(generator, node.this)}, {format_text(generator, node.args['format'])})"


def parsed(kind: str) -> Spelling:
    """STR_TO_DATE; NULL for a text that does not fit."""

    def spell(generator: Generator, node: exp.Expr) -> str:
        value = f"CAST({generator.sql(node.this)} AS VARCHAR)"
        return f"CAST(try_strptime({value}, {format_text(generator, node.args['format'])}) AS {kind})"

    return spell
