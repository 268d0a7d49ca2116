"""WEEK and YEARWEEK in their eight modes, in DuckDB's words.

    mode        0 2   1 3   4 6   5 7
    begins on   Sun   Mon   Sun   Mon
    is week 1   with its first day in the year: 0 2 5 7; with four days or more: 1 3 4 6

A week belongs to the year of its first day, or of its fourth: that day counts here, and the weeks before it in its
year. In modes 0, 1, 4 and 5 WEEK counts within the year of the date itself, from 0 to 53.
Source: Doris: WEEK, YEARWEEK.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect.moment import moment_text
from sql.dialect.once import OPERANDS, once
from sql.dialect.spelling import as_type

_FROM_MONDAY = frozenset((1, 3, 5, 7))
_BY_FOUR_DAYS = frozenset((1, 3, 4, 6))
_WITHIN_YEAR = frozenset((0, 1, 4, 5))
_MODES = 8


def week(generator: Generator, node: exp.Expr) -> str:
    """WEEK(moment[, mode])."""
    return _by_mode(generator, node.this, node.args.get("mode"), numbered)


def year_week(generator: Generator, node: exp.Expr) -> str:
    """YEARWEEK(moment[, mode]): the year that the week belongs to, and its number."""
    moment, *mode = node.expressions
    return _by_mode(generator, moment, mode[0] if mode else None, _year_and_week)


def numbered(date: str, mode: int) -> str:
    """The number of the week of a DATE."""
    decisive = _decisive(date, mode)
    if mode not in _WITHIN_YEAR:
        return _number(decisive)
    after = f"WHEN year({decisive}) > year({date}) THEN {_number(f'({decisive} - 7)')} + 1"
    return f"CASE WHEN year({decisive}) < year({date}) THEN 0 {after} ELSE {_number(decisive)} END"


def year(date: str, mode: int) -> str:
    """The year that the week of a DATE belongs to."""
    return f"year({_decisive(date, mode)})"


def _year_and_week(date: str, mode: int) -> str:
    return f"CAST({year(date, mode)} * 100 + {_number(_decisive(date, mode))} AS INTEGER)"


def _by_mode(generator: Generator, moment: exp.Expr, mode: exp.Expr | None, spell: Callable[[str, int], str]) -> str:
    """In a written mode, 0 without one; where each row has a mode, in that of the row."""
    date = f"CAST({moment_text(generator, moment)} AS DATE)"
    if mode is None or (isinstance(mode, exp.Literal) and mode.is_int):
        return spell(date, int(mode.name) % _MODES if mode is not None else 0)
    cases = " ".join(f"WHEN {number} THEN {spell(f'{OPERANDS}.d', number)}" for number in range(_MODES))
    whole = as_type(generator, mode, exp.DType.INT)
    return once(f"CASE {OPERANDS}.m {cases} END", d=date, m=f"({whole} & {_MODES - 1})")


def _decisive(date: str, mode: int) -> str:
    """The day by whose year a week is counted."""
    back = f"(isodow({date}) - 1)" if mode in _FROM_MONDAY else f"dayofweek({date})"
    return f"({date} - CAST({back}{' - 3' if mode in _BY_FOUR_DAYS else ''} AS INTEGER))"


def _number(day: str) -> str:
    """The number of the week that this day decides about."""
    return f"CAST((dayofyear({day}) - 1) // 7 + 1 AS INTEGER)"
