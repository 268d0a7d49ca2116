"""The clock of a statement: NOW() and its kin are equal everywhere in it (MySQL: functions of date and time).

NOW(3)  ->  CAST('2026-09-14 10:00:00.123' AS DATETIME(3))          UTC_DATE()  ->  CAST('2026-09-14' AS DATE)
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from sqlglot import exp

from sql.bind.binding import Binding
from sql.dialect.changing import NOW, NOW_NAMES
from sql.rewrite.moment import written
from storage.errors import DATETIME_SCALE, FUNCTION_ARITY
from storage.types import DATE, datetime
from storage.zone import local_time

Rewrite = Callable[[exp.Expr, Binding], exp.Expr]

_SCALES = "0123456"


def _now(node: exp.Expr, binding: Binding) -> exp.Expr:
    return _moment(node, binding.now)


def _utc_now(node: exp.Expr, binding: Binding) -> exp.Expr:
    return _moment(node, local_time(binding.now_ms, dt.UTC))


def _moment(node: exp.Expr, now: dt.datetime) -> exp.Expr:
    digits = _digits(node)
    text = written(now, datetime(digits))
    return exp.cast(exp.Literal.string(text), exp.DataType.build(f"DATETIME({digits})", dialect="mysql"))


def _time(node: exp.Expr, binding: Binding) -> exp.Expr:
    return _clock(node, binding.now)


def _utc_time(node: exp.Expr, binding: Binding) -> exp.Expr:
    return _clock(node, local_time(binding.now_ms, dt.UTC))


def _clock(node: exp.Expr, now: dt.datetime) -> exp.Expr:
    """The time of day as a TIME."""
    digits = _digits(node)
    _, _, text = written(now, datetime(digits)).partition(" ")
    return exp.cast(exp.Literal.string(text), exp.DataType.build(f"TIME({digits})", dialect="mysql"))


def _digits(node: exp.Expr) -> int:
    """The argument of NOW(p), 0 without one."""
    if len(node.expressions) > 1:
        raise FUNCTION_ARITY(name=node.name.lower(), count=len(node.expressions))
    argument = next(iter(node.expressions), None) if isinstance(node, exp.Anonymous) else node.this
    if argument is None:
        return 0
    if not isinstance(argument, exp.Literal) or argument.is_string or argument.name not in _SCALES:
        raise DATETIME_SCALE(value=argument.sql())
    return int(argument.name)


def _today(node: exp.Expr, binding: Binding) -> exp.Expr:
    return exp.cast(exp.Literal.string(written(binding.now, DATE)), "DATE")


def _utc_today(node: exp.Expr, binding: Binding) -> exp.Expr:
    if node.expressions:
        raise FUNCTION_ARITY(name=node.name.lower(), count=len(node.expressions))
    text = written(local_time(binding.now_ms, dt.UTC), DATE)
    return exp.cast(exp.Literal.string(text), "DATE")


NAMES: dict[str, Rewrite] = {
    "UTC_TIMESTAMP": _utc_now,
    "UTC_DATE": _utc_today,
    "UTC_TIME": _utc_time,
    **dict.fromkeys(("CURTIME", "CURRENT_TIME"), _time),
    **dict.fromkeys(NOW_NAMES, _now),
}
NODES: dict[type[exp.Expr], Rewrite] = {
    exp.CurrentDate: _today,
    exp.CurrentTime: _time,
    **dict.fromkeys(NOW, _now),
}
