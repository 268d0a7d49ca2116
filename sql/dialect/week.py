"""WEEK and YEARWEEK in their eight modes, in DuckDB's words.

    mode        0 2   1 3   4 6   5 7
    begins on   Sun   Mon   Sun   Mon
    is week 1   with its first day in the year: 0 2 5 7; with four days or more: 1 3 4 6

A week belongs to the year of its first day, or of its fourth: that day counts here, and the weeks before it in its
year. In modes 0, 1, 4 and 5 WEEK counts within the year of the date itself, from 0 to 53.
Source: Doris: WEEK, YEARWEEK.
"""

from __future__ import annotations

from sqlglot import exp
from sqlglot.generator import Generator

from sql.dialect.moment import moment_text

_FROM_MONDAY = frozenset((1, 3, 5, 7))
_BY_FOUR_DAYS = frozenset((1, 3, 4, 6))
_WITHIN_YEAR = frozenset((0, 1, 4, 5))


def week(generator: Generator, node: exp.Expr) -> str:
    """WEEK(moment[, mode])."""
    mode = _mode(generator, node.args.get("mode"))
    date = f"CAST({moment_text(generator, node.this)} AS DATE)"
    decisive = _decisive(date, mode)
    if mode not in _WITHIN_YEAR:
        return _number(decisive)
    after = f"WHEN year({decisive}) > year({date}) THEN {_number(f'({decisive} - 7)')} + 1"
    return f"CASE WHEN year({decisive}) < year({date}) THEN 0 {after} ELSE {_number(decisive)} END"


def year_week(generator: Generator, node: exp.Expr) -> str:
    """YEARWEEK(moment[, mode]): the year that the week belongs to, and its number."""
    mode = _mode(generator, node.expressions[1] if len(node.expressions) > 1 else None)
    decisive = _decisive(f"CAST({moment_text(generator, node.expressions[0])} AS DATE)", mode)
    return f"CAST(year({decisive}) * 100 + {_number(decisive)} AS INTEGER)"


def _mode(generator: Generator, mode: exp.Expr | None) -> int:
    """The mode as it is written, 0 without one."""
    if mode is None:
        return 0
    if not isinstance(mode, exp.Literal) or not mode.is_int:
        generator.unsupported("WEEK with this mode")
        return 0
    return int(mode.name) % 8


def _decisive(date: str, mode: int) -> str:
    """The day by whose year a week is counted."""
    back = f"(isodow({date}) - 1)" if mode in _FROM_MONDAY else f"dayofweek({date})"
    return f"({date} - CAST({back}{' - 3' if mode in _BY_FOUR_DAYS else ''} AS INTEGER))"


def _number(day: str) -> str:
    """The number of the week that this day decides about."""
    return f"CAST((dayofyear({day}) - 1) // 7 + 1 AS INTEGER)"
