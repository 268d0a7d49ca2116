"""The text of MAP, STRUCT, NAMED_STRUCT, ELEMENT_AT and STRUCT_ELEMENT in DuckDB (Doris: MAP, STRUCT)."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sql.bind.type import inferred
from sql.dialect.function.nested import unique_map
from sql.rewrite.state import argument_type
from sql.rewrite.template import plain
from storage.errors import (
    NAMED_STRUCT_NAME,
    NAMED_STRUCT_TWICE,
    NO_SIGNATURE,
    STRUCT_FIELD,
    STRUCT_FIELD_CONSTANT,
    STRUCT_PLACE,
)
from storage.naming import PREFIX, quote
from storage.types import DorisType


def constructed(name: str, items: Sequence[exp.Expr]) -> str:
    places = [f"{{{place}}}" for place in range(len(items))]
    if name == "map":
        return _map_text(items[::2], places)
    if name == "element_at":
        return "({0})[{1}]"
    if name == "struct_element":
        by_place = isinstance(items[1], exp.Literal) and not items[1].is_string
        return "struct_extract_at({0}, {1})" if by_place else "struct_extract({0}, {1})"
    named = name == "named_struct"
    names = _given_names(items) if named else numbered(items)
    values = places[1::2] if named else places
    fields = (f"{_field(field)} := {value}" for field, value in zip(names, values, strict=True))
    return f"struct_pack({', '.join(fields)})"


def _map_text(keys: Sequence[exp.Expr], places: Sequence[str]) -> str:
    """A map; where keys may be equal the last one counts."""
    written = {item.name for item in keys if isinstance(item, exp.Literal)}
    if len(written) == len(keys) or len(keys) < 2:
        return f"map([{', '.join(places[::2])}], [{', '.join(places[1::2])}])"
    pairs = ", ".join(f"{{{{'k': {key}, 'v': {value}}}}}" for key, value in zip(places[::2], places[1::2], strict=True))
    return f"list_transform([[{pairs}]], lambda {PREFIX}pairs: {unique_map(PREFIX + 'pairs', 'k', 'v')})[1]"


def _given_names(items: Sequence[exp.Expr]) -> list[str]:
    """The names among the arguments of NAMED_STRUCT."""
    given = items[::2]
    names = [item.name for item in given]
    is_named = all(isinstance(item, exp.Literal) and item.is_string and item.name for item in given)
    if not is_named or len({name.lower() for name in names}) < len(names):
        call = f"named_struct({', '.join(item.sql('mysql') for item in items)})"
        raise (NAMED_STRUCT_TWICE if is_named else NAMED_STRUCT_NAME)(call=call)
    return names


def _field(name: str) -> str:
    return plain(quote(name))


def check_field(holder: exp.Expr, selector: exp.Expr) -> None:
    """STRUCT_ELEMENT takes a field of a struct by a constant."""
    base = inferred(holder.type)
    if base is not None and base.name != "struct":
        raise NO_SIGNATURE(function="struct_element", types=f"{base}, {argument_type(selector)}")
    if not isinstance(selector, exp.Literal):
        raise STRUCT_FIELD_CONSTANT(call=selector.sql("mysql"))
    if base is not None and place_of(selector, base) is None:
        raise (STRUCT_FIELD if selector.is_string else STRUCT_PLACE)(field=selector.name)


def place_of(selector: exp.Expr, base: DorisType) -> int | None:
    names = [name.lower() for name, _ in base.children]
    wanted = selector.name.lower() if isinstance(selector, exp.Literal) else ""
    if isinstance(selector, exp.Literal) and not selector.is_string:
        return int(wanted) - 1 if wanted.isdigit() and 0 < int(wanted) <= len(names) else None
    return names.index(wanted) if wanted in names else None


def numbered(items: Sequence[exp.Expr]) -> list[str]:
    return [f"col{place + 1}" for place in range(len(items))]
