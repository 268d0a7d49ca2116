"""Maps and structs: what is read from them and made of them (Doris: map and struct functions).

Constructors and access by name or key are typed nodes: sql/rewrite/nested.py.
"""

from __future__ import annotations

from sql.dialect.function.function import Gives, Types, spelled
from sql.dialect.function.nested_type import as_first
from storage.naming import PREFIX
from storage.types import BIGINT, BOOLEAN, STRING, DorisType, array

_ITEM, _PLACE, _OTHER, _PARTS = PREFIX + "item", PREFIX + "place", PREFIX + "other", PREFIX + "parts"


def _part(kind: DorisType | None, place: int) -> DorisType | None:
    return kind.children[place][1] if kind is not None and kind.name == "map" else None


def _parts_of(place: int) -> Gives:
    """An array of the keys (0) or the values (1) of a map."""

    def gives(types: Types) -> DorisType | None:
        part = _part(types[0], place)
        return array(part) if part is not None else None

    return gives


def _entries(types: Types) -> DorisType | None:
    key, value = _part(types[0], 0), _part(types[0], 1)
    if key is None or value is None:
        return None
    return array(DorisType("struct", children=(("key", key), ("value", value))))


def _of_text(pairs: str, between: str) -> str:
    """A key without a value has NULL; of equal keys the last one counts."""
    key = f"split_part({_ITEM}, {between}, 1)"
    value = f"CASE WHEN contains({_ITEM}, {between}) THEN substr({_ITEM}, length({key}) + length({between}) + 1) END"
    parts = f"list_transform(string_split({{s0}}, {pairs}), lambda {_ITEM}: {{{{'k': {key}, 'v': {value}}}}})"
    mapped = f"list_transform([{parts}], lambda {_PARTS}: {unique_map(_PARTS, 'k', 'v')})[1]"
    return f"CASE WHEN {pairs} IS NOT NULL AND {between} IS NOT NULL THEN {mapped} END"


def unique_map(entries: str, key: str, value: str) -> str:
    """The map of an array of entries, of equal keys the last one."""
    last = f"list_position(list_transform({entries}[{_PLACE} + 1:], lambda {_OTHER}: {_OTHER}.{key}), {_ITEM}.{key})"
    kept = f"list_filter({entries}, lambda {_ITEM}, {_PLACE}: {last} IS NULL)"
    return f"map_from_entries(list_transform({kept}, lambda {_ITEM}: row({_ITEM}.{key}, {_ITEM}.{value})))"


FUNCTIONS = {
    "MAP_SIZE": spelled("CAST(cardinality({0}) AS BIGINT)", gives=BIGINT),
    "MAP_KEYS": spelled("map_keys({0})", gives=_parts_of(0)),
    "MAP_VALUES": spelled("map_values({0})", gives=_parts_of(1)),
    "MAP_ENTRIES": spelled("map_entries({0})", gives=_entries),
    "MAP_CONTAINS_KEY": spelled(
        f"len(list_filter(map_keys({{0}}), lambda {_ITEM}: {_ITEM} IS NOT DISTINCT FROM {{1}})) > 0", gives=BOOLEAN
    ),
    "MAP_CONTAINS_VALUE": spelled(
        f"len(list_filter(map_values({{0}}), lambda {_ITEM}: {_ITEM} IS NOT DISTINCT FROM {{1}})) > 0", gives=BOOLEAN
    ),
    "MAP_CONTAINS_ENTRY": spelled(
        f"len(list_filter(map_entries({{0}}), lambda {_ITEM}: {_ITEM}.key IS NOT DISTINCT FROM {{1}}"
        f" AND {_ITEM}.value IS NOT DISTINCT FROM {{2}})) > 0",
        gives=BOOLEAN,
    ),
    "MAP_CONCAT": spelled(
        "CASE WHEN list_position({list}, NULL) IS NULL THEN map_concat({all}) END",
        gives=as_first,
    ),
    "STR_TO_MAP": spelled(
        _of_text("','", "':'"), _of_text("{s1}", "':'"), _of_text("{s1}", "{s2}"),
        gives=DorisType("map", children=(("", STRING), ("", STRING))), once=True,
    ),
}  # fmt: skip
