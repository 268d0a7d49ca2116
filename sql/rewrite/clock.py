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


def _local(spell: Callable[[exp.Expr, dt.datetime], exp.Expr]) -> Rewrite:
    """By the time of the session's zone."""
    return lambda node, binding: spell(node, binding.now)


def _utc(spell: Callable[[exp.Expr, dt.datetime], exp.Expr]) -> Rewrite:
    return lambda node, binding: spell(node, local_time(binding.now_ms, dt.UTC))


def _moment(node: exp.Expr, now: dt.datetime) -> exp.Expr:
    digits = _digits(node)
    text = written(now, datetime(digits))
    return exp.cast(exp.Literal.string(text), exp.DataType.build(f"DATETIME({digits})", dialect="mysql"))


def _time(node: exp.Expr, now: dt.datetime) -> exp.Expr:
    digits = _digits(node)
    _, _, text = written(now, datetime(digits)).partition(" ")
    return exp.cast(exp.Literal.string(text), exp.DataType.build(f"TIME({digits})", dialect="mysql"))


def _date(node: exp.Expr, now: dt.datetime) -> exp.Expr:
    if node.expressions:
        raise FUNCTION_ARITY(name=node.name.lower(), count=len(node.expressions))
    return exp.cast(exp.Literal.string(written(now, DATE)), "DATE")


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


NAMES: dict[str, Rewrite] = {
    "UTC_TIMESTAMP": _utc(_moment),
    "UTC_DATE": _utc(_date),
    "UTC_TIME": _utc(_time),
    **dict.fromkeys(("CURTIME", "CURRENT_TIME"), _local(_time)),
    **dict.fromkeys(NOW_NAMES, _local(_moment)),
}
NODES: dict[type[exp.Expr], Rewrite] = {
    exp.CurrentDate: _local(_date),
    exp.CurrentTime: _local(_time),
    **dict.fromkeys(NOW, _local(_moment)),
}
