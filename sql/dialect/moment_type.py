"""The types of moments that are moved or cut: a DATE stays one by days and longer, a DATETIME keeps its digits.

Noted while types are inferred; what is not known here is left to the type that DuckDB gives
(Doris: DATE_ADD, DATE_TRUNC, arithmetic with INTERVAL).
"""

from __future__ import annotations

from typing import Any, cast

from sqlglot import exp
from sqlglot.optimizer.annotate_types import TypeAnnotator

from sql.dialect.cast import sized
from sql.dialect.moment import DAYS, digits, moment_family, unit_of

_MOVED = (
    exp.DateAdd, exp.DateSub, exp.TimestampAdd, exp.TimestampSub, exp.DatetimeAdd, exp.DatetimeSub, exp.TsOrDsAdd,
)  # fmt: skip
_FRACTIONS = frozenset({"MILLISECOND", "MICROSECOND"})


def moved(value: exp.Expr, unit: str) -> exp.DataType:
    """The type of a moment moved by, or cut to, a unit."""
    if moment_family(value) == "date" and unit in DAYS:
        return exp.DataType(this=exp.DType.DATE)
    known = 6 if unit in _FRACTIONS else digits(value)
    return exp.DataType(this=exp.DType.UNKNOWN) if known is None else sized(exp.DType.DATETIME, known)


def _typed(node: exp.Expr, value: exp.Expr, unit: str) -> exp.Expr:
    node.type = moved(value, unit)
    return node


def _moved(_: TypeAnnotator, node: exp.Expr) -> exp.Expr:
    amount, unit = node.args["expression"], node.args.get("unit")
    if isinstance(amount, exp.Interval):
        unit = amount.args.get("unit")
    return _typed(node, node.this, unit_of(unit))


def _sum(annotator: TypeAnnotator, node: exp.Expr) -> exp.Expr:
    value, interval = node.this, node.args["expression"]
    if isinstance(value, exp.Interval):
        value, interval = interval, value
    if not isinstance(interval, exp.Interval) or isinstance(value, exp.Interval):
        return annotator._annotate_binary(cast(exp.Binary, node))  # noqa: SLF001
    return _typed(node, value, unit_of(interval.args.get("unit")))


METADATA: dict[type[exp.Expr], dict[str, Any]] = {
    **{kind: {"annotator": _moved} for kind in _MOVED},
    exp.TimestampTrunc: {"annotator": lambda _, node: _typed(node, node.this, "DAY")},
    exp.Add: {"annotator": _sum},
    exp.Sub: {"annotator": _sum},
    exp.Year: {"returns": exp.DType.SMALLINT},
}
