"""Functions that take a lambda, by the two that compute with one: ARRAY_MAP, and ARRAY_SORT with a comparison.

    array_filter(x -> x > 1, a)      ->  array_filter(a, array_map(x -> x > 1, a))
    array_first(x -> x > 1, a)       ->  array_filter(a, array_map(x -> x > 1, a))[1]
    array_zip(a, b)                  ->  array_map((x, y) -> struct(x, y), a, b)

An operand that is computed is so once: it becomes the parameter of a lambda itself. `name_lambdas` comes before types
are inferred; lambda_text.py does the rest. Source: Doris: array functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sqlglot import exp

from sql.dialect.bound import ArrayMap, Comparison, NestedCall, Parameter
from storage.errors import (
    APPLY_OPERATOR,
    ARGUMENT_CONSTANT,
    FUNCTION_ARITY,
    LAMBDA_FIRST,
    LAMBDA_PARAMETERS,
    LAMBDA_PLACE,
)
from storage.naming import PREFIX

_MAP = "array_map"
_PLACES = {"array_first": 1, "array_last": -1}  # of what is filtered
_BY_TRUTHS = frozenset(
    {
        "array_filter",
        "array_sortby",
        "array_split",
        "array_reverse_split",
    }
)  # fmt: skip  which take the array, and what the lambda gives
_OF_TRUTHS = frozenset(
    {
        "array_exists",
        "array_count",
        "array_match_any",
        "array_match_all",
        "array_first_index",
        "array_last_index",
    }
)  # fmt: skip  which take what the lambda gives
_NAMES = _BY_TRUTHS | _OF_TRUTHS | _PLACES.keys() | {_MAP, "array_sort", "array_zip", "array_apply"}
_LAMBDA_FIRST = _PLACES.keys() | {_MAP}
_PLAIN = (exp.Column, exp.Identifier, exp.Literal, exp.Array, exp.Null, exp.Boolean, exp.Neg, Parameter)
_ANYWHERE = ("",)
_PARTS: dict[type, tuple[str, ...]] = {
    **dict.fromkeys((exp.Column, exp.Alias, exp.TableAlias, exp.Table, exp.PropertyEQ, exp.ColumnDef), _ANYWHERE),
    exp.Dot: ("expression",),
    exp.Anonymous: ("this",),
    exp.Lambda: ("expressions",),
}  # where a name in a node stands for itself


# -- names -----------------------------------------------------------------------------------------
def name_lambdas(tree: exp.Expr) -> exp.Expr:
    """Put typed nodes in the place of lambdas and what computes with them, in place; inner ones first."""
    for node in reversed(list(tree.find_all(exp.Anonymous))):
        build = _BUILT.get(node.name.lower(), _named)
        if node.name.lower() in _NAMES:
            call = build(node.name.lower(), node.expressions, _depth(node))
            if call is not None:
                node.replace(call)
    if any(not isinstance(found.parent, ArrayMap) for found in tree.find_all(exp.Lambda)):
        raise LAMBDA_PLACE()
    return tree


def _named(name: str, arguments: Sequence[exp.Expr], depth: int) -> exp.Expr | None:
    if arguments and isinstance(arguments[0], exp.Lambda):
        return _called(name, arguments[0], arguments[1:], depth)
    if name in _LAMBDA_FIRST:
        raise LAMBDA_FIRST(function=name) if arguments else FUNCTION_ARITY(name=name, count=0)
    return None


def _called(name: str, function: exp.Lambda, arrays: Sequence[exp.Expr], depth: int) -> exp.Expr:
    if not arrays:
        raise FUNCTION_ARITY(name=name, count=1)
    if name == "array_sort":
        return _comparison(function, arrays, depth)
    if len(function.expressions) != len(arrays):
        raise LAMBDA_PARAMETERS(function=function.sql("mysql"))
    zipped = [f"struct_extract_at({_element(depth)}, {place})" for place in range(1, len(arrays) + 1)]
    _bind(function, zipped if len(arrays) > 1 else [_element(depth)])
    return _over(name, function, arrays, depth)


def _comparison(function: exp.Expr, arrays: Sequence[exp.Expr], depth: int) -> exp.Expr:
    if len(arrays) != 1:
        raise FUNCTION_ARITY(name="array_sort", count=len(arrays) + 1)
    if len(function.expressions) != 2:
        raise LAMBDA_PARAMETERS(function=function.sql("mysql"))
    _bind(function, [_other(depth), _element(depth)])
    return Comparison(this=function, expressions=list(arrays))


def _zip(name: str, arrays: Sequence[exp.Expr], depth: int) -> exp.Expr:
    """ARRAY_ZIP makes a struct of the elements side by side."""
    if not arrays:
        raise FUNCTION_ARITY(name=name, count=0)
    parameters = [exp.to_identifier(f"p{place}") for place in range(len(arrays))]
    row = NestedCall(this="struct", expressions=parameters)
    function = exp.Lambda(this=row, expressions=[item.copy() for item in parameters])
    return _called(_MAP, function, arrays, depth)


def _apply(name: str, arguments: Sequence[exp.Expr], depth: int) -> exp.Expr:
    """ARRAY_APPLY(array, operator, value) filters by a comparison whose right side is written."""
    if len(arguments) != 3:
        raise FUNCTION_ARITY(name=name, count=len(arguments))
    array, operator, value = arguments
    compare = _OPERATORS.get(operator.name) if isinstance(operator, exp.Literal) else None
    if compare is None:
        raise APPLY_OPERATOR(value=operator.sql("mysql"))
    if value.find(exp.Column, exp.Query):
        raise ARGUMENT_CONSTANT(function=name)
    if isinstance(value, exp.Null):
        return exp.Null()
    item = exp.to_identifier("p")
    function = exp.Lambda(this=compare(this=item, expression=value), expressions=[item.copy()])
    return _called("array_filter", function, [array], depth)


_OPERATORS = {"=": exp.EQ, "!=": exp.NEQ, ">": exp.GT, ">=": exp.GTE, "<": exp.LT, "<=": exp.LTE}


def _bind(function: exp.Expr, names: Sequence[str]) -> None:
    """Give the parameters of a lambda their names in DuckDB."""
    given = dict(zip((item.name.lower() for item in function.expressions), names, strict=True))
    for item in list(_values(function.this)):
        if item.name.lower() in given:
            item.replace(Parameter(this=given[item.name.lower()]))
    function.set("expressions", [Parameter(this=name) for name in names])


def _values(body: exp.Expr) -> Iterator[exp.Identifier]:
    """The names in a lambda that stand for values: sqlglot leaves its parameters without a column."""
    for item in body.find_all(exp.Identifier):
        part_of = _PARTS.get(type(item.parent), ())
        if item is body or not (part_of is _ANYWHERE or item.arg_key in part_of):
            yield item


def _over(name: str, function: exp.Expr, arrays: Sequence[exp.Expr], depth: int) -> exp.Expr:
    if name == _MAP:
        return ArrayMap(this=function, expressions=list(arrays))
    if name in _OF_TRUTHS:
        return exp.Anonymous(this=name, expressions=[ArrayMap(this=function, expressions=list(arrays))])
    if all(isinstance(part, _PLAIN) for array in arrays for part in array.walk()):
        return _by_truths(name, function, arrays)
    names = [f"{PREFIX}o{depth}_{place}" for place in range(len(arrays))]
    if len(names) > 1:
        names = [f"struct_extract_at({PREFIX}o{depth}, {place})" for place in range(1, len(arrays) + 1)]
    body = _by_truths(name, function, [Parameter(this=item) for item in names])
    whole = exp.Lambda(this=body, expressions=[Parameter(this=item) for item in names])
    single = [exp.Array(expressions=[array]) for array in arrays]
    return NestedCall(this="element_at", expressions=[ArrayMap(this=whole, expressions=single), exp.Literal.number(1)])


def _by_truths(name: str, function: exp.Expr, arrays: Sequence[exp.Expr]) -> exp.Expr:
    truths = ArrayMap(this=function, expressions=[array.copy() for array in arrays])
    call = exp.Anonymous(this="array_filter" if name in _PLACES else name, expressions=[arrays[0].copy(), truths])
    if name not in _PLACES:
        return call
    place = exp.Literal.number(_PLACES[name])
    return NestedCall(this="element_at", expressions=[call, place])


def _depth(node: exp.Expr) -> int:
    """How many lambdas a call stands in: equal calls have equal texts, which GROUP BY needs."""
    outer = node.find_ancestor(exp.Lambda)
    return 0 if outer is None else 1 + _depth(outer)


def _element(depth: int) -> str:
    return f"{PREFIX}x{depth}"


def _other(depth: int) -> str:
    return f"{PREFIX}y{depth}"


_BUILT: dict[str, Callable[[str, Sequence[exp.Expr], int], exp.Expr | None]] = {
    "array_zip": _zip,
    "array_apply": _apply,
}
