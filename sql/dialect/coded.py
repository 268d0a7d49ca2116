"""Functions without a node of their own that are spelled by code: one table, by name.

What a template can say stands in sql/dialect/function. Source: Doris: SQL functions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect import binary, clock, moment, moment_format, number, period, regexp, text, week, zone
from sql.dialect.cast import sized
from sql.dialect.moment_type import moved
from sql.dialect.spelling import Spelling
from storage.errors import FUNCTION_ARITY

Gives = exp.DType | Callable[[exp.Expr], exp.DataType]

_ONE, _TWO, _THREE = (range(count, count + 1) for count in (1, 2, 3))
_MANY = 1 << 16


@dataclass(frozen=True, slots=True)
class Coded:
    """How many arguments a function takes, its spelling, and its type, which may depend on the call."""

    takes: range
    spell: Spelling
    gives: Gives

    def text_of(self, generator: Generator, node: exp.Expr) -> str:
        """The DuckDB text of a call; FUNCTION_ARITY for a wrong number of arguments."""
        if len(node.expressions) not in self.takes:
            raise FUNCTION_ARITY(name=node.name.lower(), count=len(node.expressions))
        return self.spell(generator, node)

    def type_of(self, node: exp.Expr) -> exp.DataType:
        """The type of a call, UNKNOWN for a wrong number of arguments."""
        if len(node.expressions) not in self.takes:
            return exp.DataType(this=exp.DType.UNKNOWN)
        return exp.DataType(this=self.gives) if isinstance(self.gives, exp.DType) else self.gives(node)


def _moved(unit: str) -> Callable[[exp.Expr], exp.DataType]:
    return lambda node: moved(node.expressions[0], unit)


def _units() -> dict[str, Coded]:
    """DAYS_ADD, HOURS_SUB, MONTHS_DIFF."""
    found = {}
    for unit in moment.MAKERS:
        found[f"{unit}S_ADD"] = Coded(_TWO, moment.unit_moved(unit, "+"), _moved(unit))
        found[f"{unit}S_SUB"] = Coded(_TWO, moment.unit_moved(unit, "-"), _moved(unit))
        found[f"{unit}S_DIFF"] = Coded(_TWO, moment.unit_between(unit), exp.DType.BIGINT)
    return found


def _periods() -> dict[str, Coded]:
    """HOUR_FLOOR, DATE_CEIL."""
    found = {}
    for which in ("FLOOR", "CEIL"):
        for unit in period.UNITS:
            spell = period.rounded(which.lower(), period.of_unit)
            found[f"{unit}_{which}"] = Coded(range(1, 4), spell, period.typed(period.of_unit))
        spell = period.rounded(which.lower(), period.of_interval)
        found[f"DATE_{which}"] = Coded(range(2, 4), spell, period.typed(period.of_interval))
    return found


def _datetime(digits: int) -> Callable[[exp.Expr], exp.DataType]:
    return lambda _: sized(exp.DType.DATETIME, digits)


_EPOCH_DIGITS = {"FROM_SECOND": 0, "FROM_MILLISECOND": 3, "FROM_MICROSECOND": 6}

CODED: dict[str, Coded] = {
    "YEARWEEK": Coded(range(1, 3), week.year_week, exp.DType.INT),
    "DATE_FORMAT": Coded(_TWO, moment_format.date_format, exp.DType.VARCHAR),
    "STR_TO_DATE": Coded(_TWO, moment_format.str_to_date, moment_format.parsed_type),
    "FROM_UNIXTIME": Coded(range(1, 3), zone.from_unix, exp.DType.VARCHAR),
    "ADD_MONTHS": Coded(_TWO, moment.unit_moved("MONTH", "+"), _moved("MONTH")),
    **_units(),
    **_periods(),
    **{
        name: Coded(_ONE, zone.from_epoch(name.lower(), factor), _datetime(_EPOCH_DIGITS[name]))
        for name, factor in zone.FROM_EPOCH.items()
    },
    **{name: Coded(_ONE, zone.to_epoch(factor), exp.DType.BIGINT) for name, factor in zone.TO_EPOCH.items()},
    "ROUND_BANKERS": Coded(range(1, 3), number.places_of_call("round_even"), exp.DType.UNKNOWN),
    "BIT_COUNT": Coded(_ONE, number.bit_count, exp.DType.TINYINT),
    "UNIFORM": Coded(_THREE, number.uniform, number.uniform_type),
    "NEGATIVE": Coded(_ONE, number.negative, exp.DType.UNKNOWN),
    "TIME": Coded(_ONE, clock.time, clock.given),
    "TIMESTAMP": Coded(range(1, 3), clock.timestamp, clock.moved),
    "TIMEDIFF": Coded(_TWO, clock.timediff, clock.given),
    "SEC_TO_TIME": Coded(_ONE, clock.sec_to_time, clock.given),
    "TIME_TO_SEC": Coded(_ONE, clock.time_to_sec, exp.DType.INT),
    "MAKETIME": Coded(_THREE, clock.maketime, clock.given),
    "TIME_FORMAT": Coded(_TWO, clock.time_format, exp.DType.VARCHAR),
    "ADD_TIME": Coded(_TWO, clock.shifted("+"), clock.moved),
    "SUB_TIME": Coded(_TWO, clock.shifted("-"), clock.moved),
    "FIELD": Coded(range(2, _MANY), text.field, exp.DType.INT),
    "MONEY_FORMAT": Coded(_ONE, text.grouped, exp.DType.TEXT),
    "FORMAT_ROUND": Coded(_TWO, text.grouped, exp.DType.TEXT),
    "REGEXP_EXTRACT": Coded(_THREE, regexp.extract, exp.DType.TEXT),
    "REGEXP_EXTRACT_OR_NULL": Coded(_THREE, regexp.extract_or_null, exp.DType.TEXT),
    "REGEXP_REPLACE": Coded(_THREE, regexp.replace("gs"), exp.DType.TEXT),
    "REGEXP_REPLACE_ONE": Coded(_THREE, regexp.replace("s"), exp.DType.TEXT),
    **dict.fromkeys(("AES_ENCRYPT", "SM4_ENCRYPT"), Coded(range(2, 5), binary.encrypted, exp.DType.TEXT)),
    **dict.fromkeys(("AES_DECRYPT", "SM4_DECRYPT"), Coded(range(2, 5), binary.decrypted, exp.DType.TEXT)),
}
