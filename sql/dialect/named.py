"""Functions without a node of their own whose spelling needs more than a template: one table, by name.

What a template can say stands in sql/dialect/function. Source: Doris: SQL functions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from sql.dialect import clock, moment, moment_format, number, period, week, zone
from sql.dialect.cast import sized
from sql.dialect.moment_type import moved
from sql.dialect.spelling import Spelling

Gives = exp.DType | Callable[[exp.Expr], exp.DataType]

_ONE, _TWO, _THREE = (range(count, count + 1) for count in (1, 2, 3))


@dataclass(frozen=True, slots=True)
class Named:
    """How many arguments a function takes, its spelling, and its type, which may depend on the call."""

    takes: range
    spell: Spelling
    gives: Gives

    def type_of(self, node: exp.Expr) -> exp.DataType:
        """The type of a call with a right number of arguments."""
        return exp.DataType(this=self.gives) if isinstance(self.gives, exp.DType) else self.gives(node)


def _moved(unit: str) -> Callable[[exp.Expr], exp.DataType]:
    return lambda node: moved(node.expressions[0], unit)


def _units() -> dict[str, Named]:
    """DAYS_ADD, HOURS_SUB, MONTHS_DIFF."""
    found = {}
    for unit in moment.MAKERS:
        found[f"{unit}S_ADD"] = Named(_TWO, moment.unit_moved(unit, "+"), _moved(unit))
        found[f"{unit}S_SUB"] = Named(_TWO, moment.unit_moved(unit, "-"), _moved(unit))
        found[f"{unit}S_DIFF"] = Named(_TWO, moment.unit_between(unit), exp.DType.BIGINT)
    return found


def _periods() -> dict[str, Named]:
    """HOUR_FLOOR, DATE_CEIL."""
    found = {}
    for which in ("FLOOR", "CEIL"):
        for unit in period.UNITS:
            spell = period.rounded(which.lower(), period.of_unit)
            found[f"{unit}_{which}"] = Named(range(1, 4), spell, period.typed(period.of_unit))
        spell = period.rounded(which.lower(), period.of_interval)
        found[f"DATE_{which}"] = Named(range(2, 4), spell, period.typed(period.of_interval))
    return found


def _datetime(digits: int) -> Callable[[exp.Expr], exp.DataType]:
    return lambda _: sized(exp.DType.DATETIME, digits)


_EPOCH_DIGITS = {"FROM_SECOND": 0, "FROM_MILLISECOND": 3, "FROM_MICROSECOND": 6}

NAMED: dict[str, Named] = {
    "YEARWEEK": Named(range(1, 3), week.year_week, exp.DType.INT),
    "DATE_FORMAT": Named(_TWO, moment_format.date_format, exp.DType.VARCHAR),
    "STR_TO_DATE": Named(_TWO, moment_format.str_to_date, moment_format.parsed_type),
    "FROM_UNIXTIME": Named(range(1, 3), zone.from_unix, exp.DType.VARCHAR),
    "ADD_MONTHS": Named(_TWO, moment.unit_moved("MONTH", "+"), _moved("MONTH")),
    **_units(),
    **_periods(),
    **{
        name: Named(_ONE, zone.from_epoch(name.lower(), factor), _datetime(_EPOCH_DIGITS[name]))
        for name, factor in zone.FROM_EPOCH.items()
    },
    **{name: Named(_ONE, zone.to_epoch(factor), exp.DType.BIGINT) for name, factor in zone.TO_EPOCH.items()},
    "ROUND_BANKERS": Named(range(1, 3), number.places_of_call("round_even"), exp.DType.UNKNOWN),
    "BIT_COUNT": Named(_ONE, number.bit_count, exp.DType.TINYINT),
    "UNIFORM": Named(_THREE, number.uniform, number.uniform_type),
    "NEGATIVE": Named(_ONE, number.negative, exp.DType.UNKNOWN),
    "TIME": Named(_ONE, clock.time, clock.given),
    "TIMESTAMP": Named(range(1, 3), clock.timestamp, clock.moved),
    "TIMEDIFF": Named(_TWO, clock.timediff, clock.given),
    "SEC_TO_TIME": Named(_ONE, clock.sec_to_time, clock.given),
    "TIME_TO_SEC": Named(_ONE, clock.time_to_sec, exp.DType.INT),
    "MAKETIME": Named(_THREE, clock.maketime, clock.given),
    "TIME_FORMAT": Named(_TWO, clock.time_format, exp.DType.VARCHAR),
    "ADD_TIME": Named(_TWO, clock.shifted("+"), clock.moved),
    "SUB_TIME": Named(_TWO, clock.shifted("-"), clock.moved),
}
