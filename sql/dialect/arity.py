"""How many arguments a function takes, where sqlglot's readers drop what is too much and forgive what is missing.

A call of another number is left as a call by its name, which is refused by that name (function.py). DATE and TO_DATE
are casts: sqlglot's node for them is also its guess at a conversion below YEAR, DATE_FORMAT and their kin, which is
no conversion in Doris (moment.py). Source: Doris: SQL functions, syntax.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

from sql.dialect.built import BUILT
from sql.dialect.function.known import READ_BY_SQLGLOT
from storage.errors import COUNT_ARGUMENTS

Build = Callable[..., exp.Expr]

_NONE, _ONE, _TWO, _THREE = (range(count, count + 1) for count in range(4))
_ONE_OR_TWO, _TWO_OR_THREE = range(1, 3), range(2, 4)
_TAKEN: dict[str, range] = {
    **dict.fromkeys((
        "CUME_DIST", "CURDATE", "CURRENT_DATE", "CURRENT_USER", "DATABASE", "DENSE_RANK", "PERCENT_RANK", "RANK",
        "ROW_NUMBER", "SCHEMA", "UUID", "VERSION",
    ), _NONE),
    **dict.fromkeys(("CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP"), range(2)),
    **dict.fromkeys((
        "BIT_AND", "BIT_OR", "BIT_XOR", "CHARACTER_LENGTH", "CHAR_LENGTH",
        "DATE", "DAY", "DAYNAME", "DAYOFMONTH", "DAYOFWEEK", "DAYOFYEAR", "GROUPING", "HEX",
        "ISNULL", "LAST_DAY", "LCASE", "LENGTH", "LOG10", "LOG2", "MONTH", "MONTHNAME", "NTILE", "SHA1", "STDDEV",
        "TO_DATE", "UCASE", "UNHEX", "VARIANCE", "VAR_POP", "VAR_SAMP", "WEEKOFYEAR", "YEAR",
    ), _ONE),
    **dict.fromkeys((
        "ATAN", "CEIL", "CEILING", "FLOOR", "LOG", "LTRIM", "ROUND", "RTRIM", "TRUNCATE",
        "WEEK",
    ), _ONE_OR_TWO),
    **dict.fromkeys((
        "ADDDATE",
        "DATEDIFF", "DATE_ADD", "DATE_SUB", "DATE_TRUNC", "IFNULL", "INSTR", "LEFT", "LEVENSHTEIN",
        "MAX_BY", "MIN_BY", "MOD", "NTH_VALUE", "NVL", "POW", "POWER", "REGEXP", "REGEXP_COUNT",
        "RIGHT", "SHA2", "SUBDATE", "XOR",
    ), _TWO),
    **dict.fromkeys(("LOCATE", "POSITION", "SUBSTR", "SUBSTRING"), _TWO_OR_THREE),
    **dict.fromkeys((
        "CONVERT_TZ", "LPAD", "RPAD", "TIMESTAMPADD", "TIMESTAMPDIFF",
    ), _THREE),
}  # fmt: skip


def _date(args: list[exp.Expr]) -> exp.Expr:
    cast = exp.Cast(this=args[0], to=exp.DataType(this=exp.DType.DATE))
    cast.meta["strict"] = False  # a function, no CAST of the client's
    return cast


def _arc_tangent(args: list[exp.Expr]) -> exp.Expr:
    """ATAN(y, x) is ATAN2."""
    return exp.Atan2(this=args[0], expression=args[1]) if len(args) > 1 else exp.Atan(this=args[0])


def _count(args: list[exp.Expr]) -> exp.Expr:
    if len(args) > 1:
        texts = (item.name if isinstance(item, exp.Column) else item.sql("doris") for item in args)
        raise COUNT_ARGUMENTS(call=f"count({', '.join(texts)})")
    return exp.Count(this=args[0] if args else None, big_int=True)


_BUILT: dict[str, Build] = {"ATAN": _arc_tangent, "COUNT": _count, "DATE": _date, "TO_DATE": _date}
ALIASES = {"DCEIL": "CEIL", "DFLOOR": "FLOOR", "DROUND": "ROUND"}  # of Doris, which sqlglot does not know


def counted(name: str, build: Build) -> Build:
    """The reader of a function's arguments that takes only as many as Doris does; COUNT_ARGUMENTS for several."""
    taken, build = _TAKEN.get(name), _BUILT.get(name, build)
    if taken is None:
        return build

    def read(args: list[exp.Expr], **options: object) -> exp.Expr:
        return build(args, **options) if len(args) in taken else exp.Anonymous(this=name, expressions=args)

    return read


def readers(stock: Mapping[str, Build]) -> dict[str, Build]:
    """The readers of all functions that become nodes: of sqlglot's those of Doris, and our own."""
    found = {name: counted(name, build) for name, build in stock.items() if name in READ_BY_SQLGLOT}
    return {**found, **{alias: counted(name, stock[name]) for alias, name in ALIASES.items()}, **BUILT}
