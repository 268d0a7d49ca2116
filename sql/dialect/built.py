"""Functions that are other expressions of Doris, which they are read as, and how many arguments they take.

    GET_JSON_INT(d, '$.a')   ->  CAST(JSON_EXTRACT(d, '$.a') AS INT)
    MULTI_DISTINCT_SUM(x)    ->  SUM(DISTINCT x)
    MULTI_DISTINCT_COUNT(x)  ->  COUNT(DISTINCT x)

DATE and TO_DATE are casts: sqlglot's node for them is also its guess at a conversion below YEAR, DATE_FORMAT and their
kin, which is no conversion in Doris (moment.py). Source: Doris: JSON_EXTRACT_INT and its kin, SUM.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from storage.errors import COUNT_ARGUMENTS

Build = Callable[[list[exp.Expr]], exp.Expr]

_ONE, _TWO, _SOME = range(1, 2), range(2, 3), range(1, 1 << 16)
_READ = {
    "BOOL": exp.DType.BOOLEAN,
    "INT": exp.DType.INT,
    "BIGINT": exp.DType.BIGINT,
    "LARGEINT": exp.DType.INT128,
    "DOUBLE": exp.DType.DOUBLE,
    "STRING": exp.DType.TEXT,
}


def _extracted(kind: exp.DType) -> Build:
    return lambda args: exp.Cast(this=exp.Anonymous(this="JSON_EXTRACT", expressions=args), to=exp.DataType(this=kind))


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


def _any(args: list[exp.Expr]) -> exp.Expr:
    """ANY_VALUE, unless it is a comparison with ``ANY ((SELECT …))``."""
    return exp.Any(this=args[0]) if isinstance(args[0].unnest(), exp.Query) else exp.AnyValue(this=args[0])


BUILT: dict[str, tuple[range, Build]] = {
    **{
        name: (_TWO, _extracted(kind))
        for word, kind in _READ.items()
        for name in (f"GET_JSON_{word}", f"JSON_EXTRACT_{word}", f"JSONB_EXTRACT_{word}")
        if name not in ("GET_JSON_BOOL", "GET_JSON_LARGEINT")
    },
    "JSON_EXTRACT_NO_QUOTES": (_TWO, _extracted(exp.DType.TEXT)),
    "DATE": (_ONE, _date),
    "TO_DATE": (_ONE, _date),
    "ATAN": (range(1, 3), _arc_tangent),
    "ANY": (_ONE, _any),
    "COUNT": (range(1 << 16), _count),
    "STD": (_ONE, lambda args: exp.StddevPop(this=args[0])),
    "VARIANCE_POP": (_ONE, lambda args: exp.VariancePop(this=args[0])),
    "VARIANCE_SAMP": (_ONE, lambda args: exp.Variance(this=args[0])),
    "MULTI_DISTINCT_SUM": (_ONE, lambda args: exp.Sum(this=exp.Distinct(expressions=args))),
    "MULTI_DISTINCT_COUNT": (_SOME, lambda args: exp.Count(this=exp.Distinct(expressions=args))),
}
