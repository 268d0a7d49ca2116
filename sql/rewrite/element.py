"""Make what meets in a function of arrays or maps of one type, as Doris does before it calls the function.

    array_contains(ints, '3')      ->  array_contains(ints, CAST('3' AS INT))
    array_union(ints, texts)       ->  array_union(ints, CAST(texts AS ARRAY<INT>))
    array_sum(texts)               ->  array_sum(CAST(texts AS ARRAY<DOUBLE>))
    ['a', 1]                       ->  ['a', '1']

Numbers of several kinds meet in DuckDB as they do in Doris. Source: Doris: array and map functions.
"""

from __future__ import annotations

from sqlglot import exp

from sql.dialect.array import element_of
from sql.dialect.cast import family, family_of
from sql.rewrite.operand import DOUBLE, TEXT, TINYINT, Rule, convert
from sql.rewrite.state import argument_type
from sql.rewrite.template import put
from storage.errors import NO_SIGNATURE

_VALUES = {
    **dict.fromkeys(
        ("ARRAY_CONTAINS", "ARRAY_POSITION", "COUNTEQUAL", "ARRAY_REMOVE", "ARRAY_PUSHBACK", "ARRAY_PUSHFRONT"), -1
    ),
    "MAP_CONTAINS_KEY": 0,
    "MAP_CONTAINS_VALUE": 1,
}  # of which part of the first argument's type the second one becomes
_ARRAYS = frozenset({"ARRAY_CONCAT", "ARRAY_UNION", "ARRAY_INTERSECT", "ARRAY_EXCEPT", "ARRAYS_OVERLAP"})
_NUMBERS = frozenset({"ARRAY_SUM", "ARRAY_AVG", "ARRAY_PRODUCT", "ARRAY_CUM_SUM", "ARRAY_DIFFERENCE"})
_COUNTED = ("boolean", "integer", "decimal", "float")


def _meet(call: exp.Expr) -> None:
    name, given = call.name.upper(), call.expressions
    if name in _VALUES and len(given) == 2:
        _value(given[0], given[1], _VALUES[name])
    elif name in _ARRAYS:
        _arrays(given)
    elif name in _NUMBERS and len(given) == 1:
        _numbers(name, given[0])
    elif name in ("ARRAY_RANGE", "SEQUENCE"):
        _moments(call)
    elif name == "ARRAY_FLATTEN" and len(given) == 1:
        put(call, "flatten(" * _depth(given[0].type) + "{0}" + ")" * _depth(given[0].type), given)


def _value(holder: exp.Expr, value: exp.Expr, part: int) -> None:
    kinds = holder.type.expressions if holder.type is not None else []
    if kinds and _differ(kinds[part], value.type):
        convert(value, kinds[part], strict=False)


def meet_key(holder: exp.Expr, key: exp.Expr) -> None:
    """A key of a map becomes one of its type."""
    if holder.type is not None and holder.type.this is exp.DType.MAP:
        _value(holder, key, 0)


def _arrays(given: list[exp.Expr]) -> None:
    """Arrays of texts become arrays of what the others hold."""
    kinds = [element_of(array) for array in given]
    target = next((kind for kind in kinds if kind is not None and family_of(kind) not in (None, "text")), None)
    for array, kind in zip(given, kinds, strict=True):
        if target is not None and kind is not None and _differ(target, kind):
            convert(array, _array(target), strict=False)


def _numbers(name: str, array: exp.Expr) -> None:
    kind = element_of(array)
    if kind is None or kind.this in (exp.DType.NULL, exp.DType.UNKNOWN):
        return
    if family_of(kind) in ("text", "boolean"):
        convert(array, _array(DOUBLE if family_of(kind) == "text" else TINYINT), strict=False)
    elif family_of(kind) not in _COUNTED:
        raise NO_SIGNATURE(function=name.lower(), types=argument_type(array))


def _moments(call: exp.Expr) -> None:
    """A range of moments, by days if no step is given; none below a second."""
    given, kind = call.expressions, element_of(call)
    if kind is None or family_of(kind) != "datetime":
        return
    step = given[2] if len(given) > 2 else exp.Interval(this=exp.Literal.string("1"), unit=exp.var("DAY"))
    if not isinstance(step, exp.Interval):
        raise NO_SIGNATURE(function=call.name.lower(), types=", ".join(str(argument_type(item)) for item in given))
    for moment in given[:2]:
        convert(moment, kind, strict=False)
    put(call, "CASE WHEN {2} > INTERVAL '0' SECOND THEN range({0}, {1}, {2}) END", [*call.expressions[:2], step])


def _depth(kind: exp.DataType | None) -> int:
    """How many arrays stand within an array."""
    inner = kind.expressions[0] if kind is not None and kind.this is exp.DType.ARRAY and kind.expressions else None
    return 1 + _depth(inner) if inner is not None and inner.this is exp.DType.ARRAY else 0


def _array(kind: exp.DataType) -> exp.DataType:
    return exp.DataType(this=exp.DType.ARRAY, expressions=[kind.copy()], nested=True)


def _differ(target: exp.DataType, kind: exp.DataType | None) -> bool:
    """Whether both are known, and DuckDB would not make them meet."""
    families = (family_of(target), family_of(kind) if kind is not None else None)
    return None not in families and families[0] != families[1] and not all(one in _COUNTED for one in families)


def _written(array: exp.Expr) -> None:
    """``['a', 1]`` is an array of texts."""
    families = {family(item) for item in array.expressions} - {None}
    if "text" in families and len(families) > 1:
        for item in list(array.expressions):
            if family(item) not in ("text", None):
                convert(item, TEXT, strict=False)


def _reverse(call: exp.Expr) -> None:
    """REVERSE of an array turns its elements round."""
    if element_of(call.this) is not None:
        call.type = call.this.type
        put(call, "list_reverse({0})", [call.this])


RULES: dict[type[exp.Expr], Rule] = {exp.Anonymous: _meet, exp.Array: _written, exp.Reverse: _reverse}
