"""How many arguments a function takes, where sqlglot's readers drop what is too much and forgive what is missing.

A call of another number is left as a call by its name, which is refused by that name (function.py). DATE and TO_DATE
are casts: sqlglot's node for them is also its guess at a conversion below YEAR, DATE_FORMAT and their kin, which is
no conversion in Doris (moment.py). Source: Doris: SQL functions, syntax.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

Build = Callable[..., exp.Expr]

_ONE, _TWO, _THREE = range(1, 2), range(2, 3), range(3, 4)
_TAKEN: dict[str, range] = {
    **dict.fromkeys(("DATE", "TO_DATE", "DAY", "DAYOFMONTH", "DAYOFWEEK", "DAYOFYEAR", "MONTH", "MONTHNAME"), _ONE),
    **dict.fromkeys(("WEEKOFYEAR", "YEAR", "ISNULL", "LENGTH"), _ONE),
    **dict.fromkeys(("DATEDIFF", "DATE_FORMAT", "DATE_TRUNC", "STR_TO_DATE", "IFNULL", "NVL"), _TWO),
    **dict.fromkeys(("CONVERT_TZ", "TIMESTAMPADD", "TIMESTAMPDIFF"), _THREE),
    **dict.fromkeys(("FROM_UNIXTIME", "WEEK"), range(1, 3)),
}


def _date(args: list[exp.Expr]) -> exp.Expr:
    return exp.Cast(this=args[0], to=exp.DataType(this=exp.DType.DATE))


_BUILT: dict[str, Build] = {"DATE": _date, "TO_DATE": _date}


def counted(name: str, build: Build) -> Build:
    """The reader of a function's arguments that takes only as many as Doris does."""
    taken, build = _TAKEN.get(name), _BUILT.get(name, build)
    if taken is None:
        return build

    def read(args: list[exp.Expr], **options: object) -> exp.Expr:
        return build(args, **options) if len(args) in taken else exp.Anonymous(this=name, expressions=args)

    return read
