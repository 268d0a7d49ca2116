"""Dates and times: their parts, days counted from a fixed one, weeks and months (Doris: date functions)."""

from __future__ import annotations

from sql.dialect.calendar import computed
from sql.dialect.function.function import shared, spelled
from sql.dialect.refused import VALUE, refused
from storage.errors import PERIOD, WEEKDAY_NAME
from storage.types import BIGINT, DATE, DOUBLE, INT, VARCHAR

_LAST_DAY = "DATE '9999-12-31'"
_FIRST_DAY = "DATE '0000-01-01'"


def _computed(day: str, function: str, **operands: str) -> str:
    """A day that is computed from numbers; outside of the calendar an error."""
    names = [f"{{{name}}}" for name in operands]
    return shared(f"CAST({computed(day, function, *names)} AS DATE)", **operands)


def _weekday(function: str, sign: str, edge: str) -> str:
    """The nearest day of a name, after or before; at the edge of the calendar there is none."""
    days = ("SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY")
    names = " ".join(
        f"WHEN {{w}} IN ('{day}', '{day[:3]}', '{day[:2]}') THEN {place}" for place, day in enumerate(days)
    )
    unknown = refused(WEEKDAY_NAME(function=function, name=VALUE).message, "INTEGER", "{w}")
    distance = f"CASE {names} ELSE {unknown} END - dayofweek({{d}})"
    step = f"CAST((({distance}) * {sign}1 + 6) % 7 + 1 AS INTEGER)"
    found = f"CASE WHEN {{d}} = {edge} THEN {{d}} WHEN {{w}} IS NOT NULL THEN {{d}} {sign} {step} END"
    return shared(found, d="CAST({t0} AS DATE)", w="upper({s1})")


def _months_between(is_rounded: str) -> str:
    whole = "((year({a}) - year({b})) * 12 + month({a}) - month({b}))"
    is_whole = "day({a}) = day({b}) OR (last_day({a}) = {a} AND last_day({b}) = {b})"
    value = f"CAST({whole} AS DOUBLE) + CASE WHEN {is_whole} THEN 0 ELSE (day({{a}}) - day({{b}})) / 31.0::DOUBLE END"
    rounded = f"CASE WHEN {{r}} THEN round({value}, 8) ELSE {value} END"
    return shared(rounded, a="CAST({t0} AS DATE)", b="CAST({t1} AS DATE)", r=is_rounded)


def _months_of(period: str) -> str:
    """A period YYYYMM or YYMM as months since the year 0."""
    year = f"({period} // 100)"
    full = f"CASE WHEN {year} < 70 THEN {year} + 2000 WHEN {year} < 100 THEN {year} + 1900 ELSE {year} END"
    invalid = refused(PERIOD(period=VALUE).message, "BIGINT", period)
    bad = f"{period} < 0 OR {period} % 100 NOT BETWEEN 1 AND 12"
    return f"CASE WHEN {bad} THEN {invalid} ELSE ({full}) * 12 + {period} % 100 - 1 END"


_UNITS = {"week": 604800, "day": 86400, "hour": 3600, "minute": 60, "second": 1}


def _readable() -> str:
    """Seconds as weeks, days, hours, minutes and seconds, those that are none left out."""
    pieces, rest = [], "{s}"
    for unit, seconds in _UNITS.items():
        count = f"({rest} // {seconds})"
        pieces.append(
            f"CASE WHEN {count} > 0 THEN {count} || ' {unit}' || CASE WHEN {count} > 1 THEN 's' ELSE '' END END"
        )
        rest = f"({rest} % {seconds})"
    text = f"CASE WHEN {{s}} = 0 THEN '0 seconds' WHEN {{s}} > 0 THEN concat_ws(', ', {', '.join(pieces)}) END"
    return shared(text, s="TRY_CAST(round(abs({n0})) AS BIGINT)")


_DAYS = {"USA": "%m.%d.%Y", "JIS": "%Y-%m-%d", "ISO": "%Y-%m-%d", "EUR": "%d.%m.%Y", "INTERNAL": "%Y%m%d"}
_TIMES = {"USA": "%h:%i:%s %p", "JIS": "%H:%i:%s", "ISO": "%H:%i:%s", "EUR": "%H.%i.%s", "INTERNAL": "%H%i%s"}
_MOMENTS = {
    "USA": "%Y-%m-%d %H.%i.%s", "JIS": "%Y-%m-%d %H:%i:%s", "ISO": "%Y-%m-%d %H:%i:%s", "EUR": "%Y-%m-%d %H.%i.%s",
    "INTERNAL": "%Y%m%d%H%i%s",
}  # fmt: skip


def _format_of_place() -> str:
    """GET_FORMAT(DATE | TIME | DATETIME, place)."""
    kinds = {"DATE": _DAYS, "TIME": _TIMES, "DATETIME": _MOMENTS}
    cases = (f"WHEN '{kind} {place}' THEN '{text}'" for kind, of in kinds.items() for place, text in of.items())
    return f"CASE upper({{s0}}) || ' ' || upper({{s1}}) {' '.join(cases)} END"


_EPOCH = "epoch_us({t0}) + 62167219200000000"  # microseconds since the year 0
FUNCTIONS = {
    "WEEKDAY": spelled("CAST(isodow({t0}) - 1 AS INTEGER)", gives=INT),
    "DOW": spelled("CAST(dayofweek({t0}) + 1 AS INTEGER)", gives=INT),
    "DOY": spelled("CAST(dayofyear({t0}) AS INTEGER)", gives=INT),
    "MICROSECOND": spelled("CAST(microsecond({t0}) % 1000000 AS INTEGER)", gives=INT),
    "CENTURY": spelled(
        shared("CASE WHEN {y} > 0 THEN CAST(({y} + 99) // 100 AS INTEGER) END", y="year({t0})"), gives=INT
    ),
    **dict.fromkeys(("YEAR_OF_WEEK", "YOW"), spelled("CAST(isoyear({t0}) AS SMALLINT)")),
    "MAKEDATE": spelled(
        _computed(
            "CASE WHEN {n} > 0 AND {y} BETWEEN 0 AND 9999 THEN make_date({y}, 1, 1) + CAST({n} - 1 AS INTEGER) END",
            "makedate",
            y="{i0}",
            n="{i1}",
        ),
        gives=DATE,
    ),
    "TO_DAYS": spelled("CAST(date_diff('day', DATE '0000-01-01', CAST({t0} AS DATE)) AS INTEGER)", gives=INT),
    "TO_SECONDS": spelled(f"(({_EPOCH}) // 1000000)", gives=BIGINT),
    "FROM_DAYS": spelled(_computed("(DATE '0000-01-01' + CAST({n} AS INTEGER))", "from_days", n="{i0}"), gives=DATE),
    "TO_MONDAY": spelled("CAST(date_trunc('week', {t0}) AS DATE)", gives=DATE),
    "NEXT_DAY": spelled(_weekday("next_day", "+", _LAST_DAY), gives=DATE),
    "PREVIOUS_DAY": spelled(_weekday("previous_day", "-", _FIRST_DAY), gives=DATE),
    "MONTHS_BETWEEN": spelled(_months_between("TRUE"), _months_between("CAST({2} AS BOOLEAN)"), gives=DOUBLE),
    "PERIOD_ADD": spelled(
        shared("({p} + {n}) // 12 * 100 + ({p} + {n}) % 12 + 1", p=_months_of("{i0}"), n="{i1}"), gives=BIGINT
    ),
    "PERIOD_DIFF": spelled(f"({_months_of('{i0}')} - {_months_of('{i1}')})", gives=BIGINT),
    "TO_ISO8601": spelled("strftime({t0}, '%Y-%m-%dT%H:%M:%S.%f')", gives=VARCHAR),
    "FROM_ISO8601_DATE": spelled("{own}iso_date({s0})", gives=DATE),
    "GET_FORMAT": spelled(_format_of_place(), gives=VARCHAR),
    "HUMAN_READABLE_SECONDS": spelled(_readable(), gives=VARCHAR),
}
