"""Functions that are other expressions of Doris: they are read as those.

    GET_JSON_INT(d, '$.a')   ->  CAST(JSON_EXTRACT(d, '$.a') AS INT)
    MULTI_DISTINCT_SUM(x)    ->  SUM(DISTINCT x)
    MULTI_DISTINCT_COUNT(x)  ->  COUNT(DISTINCT x)

Source: Doris: JSON_EXTRACT_INT and its kin, SUM.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

Build = Callable[[list[exp.Expr]], exp.Expr]

_READ = {
    "BOOL": exp.DType.BOOLEAN,
    "INT": exp.DType.INT,
    "BIGINT": exp.DType.BIGINT,
    "LARGEINT": exp.DType.INT128,
    "DOUBLE": exp.DType.DOUBLE,
    "STRING": exp.DType.TEXT,
}


def _extracted(name: str, kind: exp.DType) -> Build:
    def build(args: list[exp.Expr]) -> exp.Expr:
        if len(args) != 2:
            return exp.Anonymous(this=name, expressions=args)
        part = exp.Anonymous(this="JSON_EXTRACT", expressions=args)
        return exp.Cast(this=part, to=exp.DataType(this=kind))

    return build


def _alike(name: str, node: type[exp.Func], distinct: bool = False) -> Build:
    """The function of another name, of one argument."""

    def build(args: list[exp.Expr]) -> exp.Expr:
        if len(args) != 1:
            return exp.Anonymous(this=name, expressions=args)
        return node(this=exp.Distinct(expressions=args) if distinct else args[0])

    return build


def _any(args: list[exp.Expr]) -> exp.Expr:
    """ANY_VALUE, unless it is a comparison with ``ANY ((SELECT …))``."""
    if len(args) == 1 and isinstance(args[0].unnest(), exp.Query):
        return exp.Any(this=args[0])
    return _alike("ANY", exp.AnyValue)(args)


def _distinct_rows(args: list[exp.Expr]) -> exp.Expr:
    if not args:
        return exp.Anonymous(this="MULTI_DISTINCT_COUNT", expressions=args)
    return exp.Count(this=exp.Distinct(expressions=args))


BUILT: dict[str, Build] = {
    **{
        name: _extracted(name, kind)
        for word, kind in _READ.items()
        for name in (f"GET_JSON_{word}", f"JSON_EXTRACT_{word}", f"JSONB_EXTRACT_{word}")
        if name not in ("GET_JSON_BOOL", "GET_JSON_LARGEINT")
    },
    "JSON_EXTRACT_NO_QUOTES": _extracted("JSON_EXTRACT_NO_QUOTES", exp.DType.TEXT),
    "MULTI_DISTINCT_COUNT": _distinct_rows,
    "ANY": _any,
    "STD": _alike("STD", exp.StddevPop),
    "VARIANCE_POP": _alike("VARIANCE_POP", exp.VariancePop),
    "VARIANCE_SAMP": _alike("VARIANCE_SAMP", exp.Variance),
    "MULTI_DISTINCT_SUM": _alike("MULTI_DISTINCT_SUM", exp.Sum, distinct=True),
}
