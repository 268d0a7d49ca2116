"""Values of TIME in DuckDB's words: texts such as ``-838:59:59.5``, computed with as microseconds.

A TIME has hours beyond 24, which DuckDB's has not. Each function spells one call; `generator` is the DuckDB generator.
Source: Doris: TIME, TIMEDIFF, SEC_TO_TIME, MAKETIME, TIME_FORMAT.
"""

from __future__ import annotations

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect.calendar import computed
from sql.dialect.cast import clock_of, clock_text, family, sized
from sql.dialect.moment import digits, moment_text
from sql.dialect.once import OPERANDS, once
from sql.dialect.refused import VALUE, refused
from sql.dialect.spelling import Spelling, as_type
from sql.dialect.text import text_of
from sql.dialect.to_text import SECONDS
from storage.errors import TIME_RANGE
from storage.text.clock import LARGEST

_DECIMAL = sized(exp.DType.DECIMAL, 38, 6)
_HOUR, _MINUTE, _SECOND = 3_600_000_000, 60_000_000, 1_000_000
_FRACTIONS = 6


def clock(generator: Generator, node: exp.Expr) -> str:
    """The microseconds of a value that is read as a TIME."""
    return clock_of(generator.sql(node), family(node))


def time(generator: Generator, node: exp.Expr) -> str:
    """TIME(moment): its time of day."""
    value = node.expressions[0]
    moment = value if family(value) == "time" else exp.cast(value.copy(), "DATETIME")
    spelled = clock(generator, value) if moment is value else clock_of(moment_text(generator, value), "datetime")
    return clock_text(spelled, digits(value) or 0)


def timediff(generator: Generator, node: exp.Expr) -> str:
    """TIMEDIFF(a, b); beyond 838:59:59 an error."""
    first, second = node.expressions
    if "time" in (family(first), family(second)):
        return clock_text(bounded(f"{clock(generator, first)} - {clock(generator, second)}"), _digits(node))
    moments = {name: moment_text(generator, item) for name, item in (("a", first), ("b", second))}
    apart = f"(epoch_us({OPERANDS}.a) - epoch_us({OPERANDS}.b))"
    shown = ", ', ', ".join(f"strftime({OPERANDS}.{name}, '{SECONDS}.%f')" for name in moments)
    beyond = refused(TIME_RANGE(function="timediff", operands=VALUE).message, "BIGINT", f"concat({shown})")
    value = f"CASE WHEN abs({apart}) > {LARGEST} THEN {beyond} ELSE {apart} END"
    return clock_text(once(value, **moments), _digits(node))


def sec_to_time(generator: Generator, node: exp.Expr) -> str:
    """SEC_TO_TIME(seconds); beyond 838:59:59 the largest TIME."""
    value = node.expressions[0]
    seconds = as_type(generator, value, _DECIMAL)
    return clock_text(bounded(f"CAST({seconds} * {_SECOND} AS HUGEINT)"), _digits(node))


def time_to_sec(generator: Generator, node: exp.Expr) -> str:
    """TIME_TO_SEC(time), fractions cut off."""
    return f"CAST({clock(generator, node.expressions[0])} // {_SECOND} AS INTEGER)"


def maketime(generator: Generator, node: exp.Expr) -> str:
    """MAKETIME(hour, minute, second); too many hours are the largest TIME."""
    hour, minute, second = node.expressions
    parts = {
        "h": as_type(generator, hour, exp.DType.BIGINT),
        "m": as_type(generator, minute, exp.DType.BIGINT),
        "s": as_type(generator, second, exp.DType.DOUBLE),
    }
    h, m, s = (f"{OPERANDS}.{name}" for name in "hms")
    rest = f"{m} * {_MINUTE} + CAST(round({s} * {_SECOND}) AS BIGINT)"
    whole = f"CASE WHEN {h} < 0 THEN -1 ELSE 1 END * (least(abs({h}), 839) * {_HOUR} + {rest})"
    value = f"CASE WHEN {m} BETWEEN 0 AND 59 AND {s} >= 0 AND {s} < 60 THEN {bounded(whole)} END"
    return clock_text(once(value, **parts), _digits(node))


def shifted(sign: str) -> Spelling:
    """ADD_TIME, SUB_TIME: a TIME stays one, within its range; else a moment is moved by a TIME."""

    def spell(generator: Generator, node: exp.Expr) -> str:
        value, time = node.expressions
        by = clock(generator, time)
        if family(value) == "time":
            return clock_text(bounded(f"{clock(generator, value)} {sign} {by}"), _digits(node))
        operation = "add_time" if sign == "+" else "sub_time"
        moved = computed(
            f"{OPERANDS}.m {sign} to_microseconds({OPERANDS}.t)", operation, f"{OPERANDS}.m", f"{OPERANDS}.t"
        )
        return once(moved, m=moment_text(generator, value), t=by)

    return spell


def timestamp(generator: Generator, node: exp.Expr) -> str:
    """TIMESTAMP(moment [, time]): their sum."""
    return shifted("+")(generator, node) if len(node.expressions) > 1 else moment_text(generator, node.expressions[0])


def bounded(micros: str) -> str:
    """Microseconds within the range of TIME; NULL stays NULL."""
    return f"CASE WHEN {micros} > {LARGEST} THEN {LARGEST} WHEN {micros} < -{LARGEST} THEN -{LARGEST} ELSE {micros} END"


_TWO = "printf('%02d', {})"
_CODES = {
    "H": _TWO.format("{h}"), "k": "CAST({h} AS VARCHAR)", "l": "CAST({t} AS VARCHAR)", "i": _TWO.format("{m}"),
    **dict.fromkeys("hI", _TWO.format("{t}")), **dict.fromkeys("sS", _TWO.format("{s}")), "f": "printf('%06d', {f})",
    "p": "{p}", "T": "printf('%02d:%02d:%02d', {h}, {m}, {s})", "r": "printf('%02d:%02d:%02d ', {t}, {m}, {s}) || {p}",
    "Y": "'0000'", **dict.fromkeys("ymd", "'00'"), **dict.fromkeys("ce", "'0'"),
}  # fmt: skip
_DATES = "abDjMuUvVwWxX"


def time_format(generator: Generator, node: exp.Expr) -> str:
    """TIME_FORMAT(time, format): the codes of times; those of dates are zeros, or NULL where zero is no date."""
    value, shape = node.expressions
    micros, pieces = f"{OPERANDS}.t", f"regexp_extract_all({OPERANDS}.f, '(?s:%.)|%$|[^%]+')"
    hours = f"({micros} // {_HOUR})"
    parts = {
        "h": hours,
        "t": f"(({hours} + 11) % 12 + 1)",
        "m": f"({micros} // {_MINUTE} % 60)",
        "s": f"({micros} // {_SECOND} % 60)",
        "f": f"({micros} % {_SECOND})",
        "p": f"CASE WHEN {hours} % 24 < 12 THEN 'AM' ELSE 'PM' END",
    }
    codes = "".join(f" WHEN '%{code}' THEN {text.format(**parts)}" for code, text in _CODES.items())
    written = f"list_transform({pieces}, lambda p: CASE p{codes} ELSE regexp_replace(p, '^%(.)', '\\1') END)"
    sign = f"CASE WHEN {OPERANDS}.n THEN '-' ELSE '' END"
    dates = f"regexp_matches(replace({OPERANDS}.f, '%%', ''), '%[{_DATES}]')"
    text = f"CASE WHEN {micros} IS NOT NULL AND NOT {dates} THEN {sign} || array_to_string({written}, '') END"
    found = clock(generator, value)
    return once(text, t=f"abs({found})", n=f"{found} < 0", f=text_of(generator, shape))


def _digits(node: exp.Expr) -> int:
    return int(given(node).expressions[0].name)


def given(node: exp.Expr) -> exp.DataType:
    """The type of a TIME: digits as its arguments have them, six of a number that is not whole."""
    name, values = node.name.upper(), node.expressions
    if name in ("SEC_TO_TIME", "MAKETIME"):
        return sized(exp.DType.TIME, 0 if family(values[-1]) in ("integer", "boolean", None) else _FRACTIONS)
    return sized(exp.DType.TIME, max(digits(item) or 0 for item in values))


def moved(node: exp.Expr) -> exp.DataType:
    """The type of ADD_TIME and SUB_TIME."""
    value = node.expressions[0]
    if family(value) == "time":
        return given(node)
    return sized(exp.DType.DATETIME, max(digits(item) or 0 for item in node.expressions))
