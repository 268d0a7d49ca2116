"""ARRAY_MAP and ARRAY_SORT with a lambda: its types, and its text in DuckDB.

    array_map(x -> x + 1, a)         ->  list_transform(a, lambda x: x + 1)
    array_map((x, y) -> x + y, a, b) ->  list_transform(list_zip(a, b), lambda z: z[1] + z[2])
    array_sort((x, y) -> …, a)       ->  list_sort(a list of how many elements come before each, and the element)

A parameter has the type of its array's elements, by which its lambda is typed again. Source: Doris: ARRAY_MAP,
ARRAY_SORT.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from sql.dialect.array import element_of
from sql.dialect.bound import ArrayMap, Comparison, Parameter, Template
from sql.dialect.once import OPERANDS, once
from sql.dialect.refused import refused
from sql.rewrite.state import argument_type
from sql.rewrite.template import plain
from storage.errors import ARRAY_LENGTHS, LAMBDA_ARGUMENT


def _annotate_map(annotator: Any, node: ArrayMap) -> None:
    """Type the lambda by the elements of its arrays, then the array that it gives."""
    function = node.this
    arrays = node.expressions * (2 if isinstance(node, Comparison) else 1)
    kinds = {str(item.this): element_of(array) for item, array in zip(function.expressions, arrays, strict=True)}
    for part in function.this.walk():
        if isinstance(part, Parameter) and str(part.this) in kinds:
            part.set("kind", kinds[str(part.this)])
        if not isinstance(part, exp.Column | exp.Identifier):
            annotator._visited.pop(id(part), None)  # noqa: SLF001  it has no other way to infer a type again
    annotator.annotate_expression(function.this)
    of_body = function.this.type
    mapped = exp.DataType(this=exp.DType.ARRAY, expressions=[of_body.copy()], nested=True) if of_body else None
    node.type = node.expressions[0].type if isinstance(node, Comparison) else mapped


def _annotate_parameter(_: object, node: Parameter) -> None:
    kind = node.args.get("kind")
    node.type = kind.copy() if kind is not None else exp.DataType(this=exp.DType.UNKNOWN)


METADATA: dict[type[exp.Expr], dict[str, Any]] = {
    ArrayMap: {"annotator": _annotate_map},
    Comparison: {"annotator": _annotate_map},
    Parameter: {"annotator": _annotate_parameter},
}


# -- text ------------------------------------------------------------------------------------------
def spelled_lambda(node: ArrayMap) -> Template:
    """The DuckDB text of a lambda over arrays whose types are known; LAMBDA_ARGUMENT for what is no array."""
    for array in node.expressions:
        kind = argument_type(array)
        if isinstance(array.unnest(), exp.Null) or (kind is not None and kind.name != "array"):
            raise LAMBDA_ARGUMENT(value="NULL" if isinstance(array.unnest(), exp.Null) else kind)
    names = [str(item.this) for item in node.this.expressions]
    text = _sorted(*names) if isinstance(node, Comparison) else _mapped(names)
    return Template(this=text, expressions=[node.this.this, *node.expressions])


def _mapped(names: Sequence[str]) -> str:
    body, arrays = _mark(0), [_mark(place) for place in range(1, len(names) + 1)]
    if len(names) == 1:
        return _as_template(f"list_transform({arrays[0]}, lambda {names[0]}: {body})")
    fields = [f"{OPERANDS}.a{place}" for place in range(1, len(names) + 1)]
    row = names[0].removeprefix("struct_extract_at(").split(",")[0]
    missing = " OR ".join(f"{field} IS NULL" for field in fields)
    uneven = " OR ".join(f"len({field}) <> len({fields[0]})" for field in fields[1:])
    mapped = f"list_transform(list_zip({', '.join(fields)}), lambda {row}: {body})"
    refusal = refused(ARRAY_LENGTHS().message)
    text = f"CASE WHEN {missing} THEN NULL WHEN {uneven} THEN {refusal} ELSE {mapped} END"
    return _as_template(once(text, **{f"a{place}": array for place, array in enumerate(arrays, 1)}))


def _sorted(before: str, element: str) -> str:
    """By how many elements come before each one, then as they stood."""
    place, other, row = (f"{element}_{word}" for word in ("place", "other", "row"))
    array = f"{OPERANDS}.a"
    smaller = f"list_filter({array}, lambda {before}, {other}: {other} <> {place} AND ({_mark(0)}) < 0)"
    keyed = f"lambda {element}, {place}: {{'k': len({smaller}), 'p': {place}, 'v': {element}}}"
    by_key = f"list_sort(list_transform({array}, {keyed}))"
    return _as_template(once(f"list_transform({by_key}, lambda {row}: {row}.v)", a=_mark(1)))


def _mark(place: int) -> str:
    return f"\0{place}\0"


def _as_template(text: str) -> str:
    """The template of a text with marks for its arguments."""
    return re.sub(r"\0(\d+)\0", r"{\1}", plain(text))
