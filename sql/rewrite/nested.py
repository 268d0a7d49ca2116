"""ARRAY, MAP, STRUCT, JSON and VARIANT in expressions: constructors, access to parts, casts.

    map('a', 1)   {'a': 1}       ->  map(['a'], [1])
    struct(1, 'x')               ->  struct_pack(col1 := 1, col2 := 'x')      named_struct('f', 1) alike
    variant['a']['b']            ->  json_extract_string(variant, '/a/b')
    CAST('{k:1}' AS MAP<…>)      ->  as INSERT converts it, but a bad element is NULL by itself

`name_nested` comes before types are inferred, `spell_nested` after it. Functions of arrays, maps and JSON are
spelled in sql/dialect. Source: Doris documentation, "ARRAY", "MAP", "STRUCT", "VARIANT".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlglot import exp

from sql.bind.type import inferred, spelled
from sql.ddl.type import declared
from sql.dialect.bound import ArrayMap, NestedCall, Template
from sql.dialect.doris import Doris
from sql.ingest.complex import CONVERSIONS, DOCUMENTS, NESTED, cast_nested, may_become
from sql.rewrite.constructor import check_field, constructed, numbered, place_of
from sql.rewrite.element import meet_key
from sql.rewrite.lambda_call import name_lambdas
from sql.rewrite.lambda_text import METADATA as LAMBDA_METADATA
from sql.rewrite.lambda_text import spelled_lambda
from sql.rewrite.template import plain
from storage.errors import CAST_TYPE, FUNCTION_ARITY
from storage.naming import PREFIX, literal
from storage.types import NULL, DorisType

_MANY = 1 << 16
_VALUE = "\0"  # stands for the value in the text of a cast
_NAMES = {
    "map": range(0, _MANY, 2),
    "named_struct": range(2, _MANY, 2),
    "struct_element": range(2, 3),
    "element_at": range(2, 3),
}  # and how many arguments each takes


# -- names -----------------------------------------------------------------------------------------
def name_nested(tree: exp.Expr) -> exp.Expr:
    """Put a typed node in the place of each constructor and access by name, in place."""
    name_lambdas(tree)
    for node in list(tree.find_all(exp.Struct, exp.Map, exp.Anonymous)):
        call = _named(node)
        if call is not None:
            node.replace(call)
    return tree


def _named(node: exp.Expr) -> NestedCall | None:
    if isinstance(node, exp.Anonymous):
        return _called(node.name.lower(), node.expressions)
    if isinstance(node, exp.Map):  # how sqlglot reads one pair, or none
        pair = [node.args[key] for key in ("keys", "values") if node.args.get(key)]
        return _called("map", pair)
    pairs = [item for item in node.expressions if isinstance(item, exp.PropertyEQ)]
    if not pairs:
        return NestedCall(this="struct" if node.expressions else "map", expressions=node.expressions)
    return NestedCall(this="map", expressions=[part for pair in pairs for part in (_key(pair.this), pair.expression)])


def _called(name: str, arguments: Sequence[exp.Expr]) -> NestedCall | None:
    """The call of one of `_NAMES`; None for other functions."""
    taken = _NAMES.get(name)
    if taken is not None and len(arguments) not in taken:
        raise FUNCTION_ARITY(name=name, count=len(arguments))
    return NestedCall(this=name, expressions=arguments) if taken is not None else None


def _key(key: exp.Expr) -> exp.Expr:
    """sqlglot reads the key of ``{'a': 1}`` as a name."""
    return exp.Literal.number(key.name) if key.name.lstrip("-").isdigit() else exp.Literal.string(key.name)


# -- types -----------------------------------------------------------------------------------------
def _annotate_call(_: object, node: NestedCall) -> None:
    kind = _TYPES[node.this](node.expressions, [_type(item) for item in node.expressions])
    node.type = spelled(kind) if kind is not None else exp.DataType(this=exp.DType.UNKNOWN)


def _type(node: exp.Expr) -> DorisType | None:
    return NULL if isinstance(node.unnest(), exp.Null) else inferred(node.type)


def _annotate_bracket(annotator: Any, node: exp.Bracket) -> None:
    """sqlglot knows the elements of arrays; here also those of maps and documents."""
    Doris.EXPRESSION_METADATA[exp.Bracket]["annotator"](annotator, node)
    base = inferred(node.this.type)
    if base is not None and base.name == "map":
        node.type = spelled(base.children[1][1])
    elif base is not None and base.name in DOCUMENTS:
        node.type = spelled(base)


METADATA: dict[type[exp.Expr], dict[str, Any]] = {
    **LAMBDA_METADATA,
    NestedCall: {"annotator": _annotate_call},
    exp.Bracket: {"annotator": _annotate_bracket},
}

Types = Sequence[DorisType | None]


def _map_type(items: Sequence[exp.Expr], types: Types) -> DorisType | None:
    key, value = _common(types[::2]), _common(types[1::2])
    return DorisType("map", children=(("", key), ("", value))) if key is not None and value is not None else None


def _common(types: Types) -> DorisType | None:
    """The one type of several values; NULLs and differing types leave it to DuckDB."""
    known = set(types) - {NULL}
    return known.pop() if len(known) == 1 else None


def _struct_type(names: Sequence[str], types: Types) -> DorisType | None:
    children = [(name, kind) for name, kind in zip(names, types, strict=True) if kind is not None]
    return DorisType("struct", children=tuple(children)) if children and len(children) == len(types) else None


def _element_type(items: Sequence[exp.Expr], types: Types) -> DorisType | None:
    """The type of STRUCT_ELEMENT (by name or place) and ELEMENT_AT."""
    base = types[0] if len(types) == 2 else None
    if base is None or base.name not in NESTED:
        return None
    if base.name != "struct":
        return base.children[-1][1]
    place = place_of(items[1], base)
    return base.children[place][1] if place is not None else None


_TYPES: dict[str, Callable[[Sequence[exp.Expr], Types], DorisType | None]] = {
    "map": _map_type,
    "struct": lambda items, types: _struct_type(numbered(items), types),
    "named_struct": lambda items, types: _struct_type([item.name for item in items[::2]], types[1::2]),
    "struct_element": _element_type,
    "element_at": _element_type,
}


# -- text ------------------------------------------------------------------------------------------
def spell_nested(tree: exp.Expr) -> exp.Expr:
    """Spell every constructor, document access and cast of an annotated tree, outer ones first, in place."""
    for node in list(tree.find_all(NestedCall, ArrayMap, exp.Bracket, exp.Cast)):
        template = _spelled(node) if node.parent is not None else None
        if template is not None:
            template.type = node.type
            node.replace(template)
    return tree


def _spelled(node: exp.Expr) -> Template | None:
    if isinstance(node, exp.Bracket):
        meet_key(node.this, node.expressions[0])
        return _document_part(node)
    if isinstance(node, exp.Cast):
        return _cast(node)
    if isinstance(node, ArrayMap):
        return spelled_lambda(node)
    if node.this == "element_at":
        meet_key(*node.expressions)
    if node.this == "struct_element":
        check_field(*node.expressions)
    return Template(this=constructed(node.this, node.expressions), expressions=node.expressions)


def _document_part(node: exp.Bracket) -> Template | None:
    """``v['a']['b']`` as one path; texts come without quotes, as a variant prints them."""
    path: list[str] = []
    base: exp.Expr = node
    while isinstance(base, exp.Bracket) and _is_document(base.this) and isinstance(base.expressions[0], exp.Literal):
        path.insert(0, _step(base.expressions[0]))
        base = base.this
    if not path:
        return None
    whole = "{0}" if isinstance(base, exp.Column) else "TRY_CAST({0} AS JSON)"
    pointer = plain(literal("/" + "/".join(path)))
    return Template(this=f"json_extract_string({whole}, {pointer})", expressions=[base])


def _step(part: exp.Expr) -> str:
    """A name, or a place, which counts from 1 but from 0 in a path."""
    if part.is_int:
        return str(int(part.name) - 1)
    return part.name.replace("~", "~0").replace("/", "~1")


def _is_document(node: exp.Expr) -> bool:
    kind = inferred(node.type)
    return kind is not None and kind.name in DOCUMENTS


def _cast(node: exp.Cast) -> Template | None:
    """A cast from or to a type that DuckDB casts otherwise; None for all others."""
    source = inferred(node.this.type)
    target = inferred(node.to) or _declared(node.to)
    if source is not None and not may_become(source, target):
        raise CAST_TYPE(source=source, target=target or node.to.sql("mysql").lower())
    if target is None:
        return None
    text = None
    if source is not None and source.name in NESTED and target.is_text:
        text = f"{PREFIX}nested_text(CAST(to_json({_VALUE}) AS VARCHAR))"
    elif target.name in NESTED:
        text = cast_nested(_VALUE, source, target)
    elif target.name in CONVERSIONS:
        text = CONVERSIONS[target.name](_VALUE, source, target) if source != target else _VALUE
    return None if text is None else Template(this=plain(text).replace(_VALUE, "{0}"), expressions=[node.this])


def _declared(kind: exp.DataType) -> DorisType | None:
    return declared(kind, "") if kind.this in (exp.DType.ARRAY, exp.DType.MAP, exp.DType.STRUCT) else None
