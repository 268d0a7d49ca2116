"""Convert values to complex, address and state types, as DuckDB text; what does not fit becomes NULL.

    '[1, 2]'  ->  ARRAY<INT>     text is read as JSON, or as Doris writes nested values (storage/text/nested.py);
                               the fields of a STRUCT by name, or all of them by position
    struct    ->  STRUCT<…>      by position when the field names differ
    anything  ->  BITMAP, HLL, QUANTILE_STATE, AGG_STATE    only states of the same kind: CAST_TYPE

The scalar types are converted in sql/ingest/convert.py. Source: Doris: ARRAY, MAP, STRUCT, AGG_STATE.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from storage.catalog.detail import type_to_json
from storage.errors import CAST_TYPE
from storage.naming import PREFIX, literal
from storage.state.aggstate import same
from storage.types import STATES, DorisType

Conversion = Callable[[str, DorisType | None, DorisType], str]

NESTED = frozenset(("array", "map", "struct"))
DOCUMENTS = frozenset(("variant", "json"))


def may_become(source: DorisType, target: DorisType | None) -> bool:
    """Whether there is a cast: of states to their own type only, of nested values to texts and documents, too."""
    if source.name not in STATES | NESTED:
        return True
    if target is None or source.name in STATES:
        return target is not None and target.name == source.name
    return target.is_text or target.name in NESTED | DOCUMENTS


def _address(value: str, source: DorisType | None, target: DorisType) -> str:
    text = value if source is not None and source.is_text else f"CAST({value} AS VARCHAR)"
    return f"{PREFIX}{target.name}({text})"


# -- JSON ------------------------------------------------------------------------------------------
def _json(value: str, source: DorisType | None, target: DorisType) -> str:
    """Canonical text without blanks; NULL for a text that is no JSON."""
    if source is None or source.is_text or source.name in DOCUMENTS:
        return f"CASE WHEN json_valid({value}) THEN CAST(json({value}) AS VARCHAR) END"
    return f"CAST(to_json({value}) AS VARCHAR)"


def _variant(value: str, source: DorisType | None, target: DorisType) -> str:
    """As JSON; a text that is no JSON is a JSON text (Doris: VARIANT)."""
    if source is None or source.is_text:
        return f"COALESCE({_json(value, source, target)}, CAST(to_json(CAST({value} AS VARCHAR)) AS VARCHAR))"
    return _json(value, source, target)


# -- ARRAY, MAP, STRUCT ----------------------------------------------------------------------------
def _nested(value: str, source: DorisType | None, target: DorisType) -> str:
    """All of it or NULL: one bad element makes the value bad."""
    return f"TRY(CAST({_castable(value, source, target, strict=True)} AS {target.duckdb}))"


def cast_nested(value: str, source: DorisType | None, target: DorisType) -> str:
    """The same for CAST and lenient loads, where a bad element alone becomes NULL."""
    return f"TRY_CAST({_castable(value, source, target, strict=False)} AS {target.duckdb})"


def _castable(value: str, source: DorisType | None, target: DorisType, strict: bool) -> str:
    """The value in a form that DuckDB casts to the target: a nested value of its shape, or JSON."""
    if source is None or source.name in NESTED:
        if source is not None and source.name != target.name:
            raise CAST_TYPE(source=source, target=target)
        return _reshaped(value, source, target)
    if not source.is_text and source.name not in DOCUMENTS | {"null"}:
        raise CAST_TYPE(source=source, target=target)
    if _has_struct(target):
        kind = literal(json.dumps(type_to_json(target)))
        return f"CAST({PREFIX}fitting_json({value}, {kind}, {strict}) AS JSON)"
    return f"COALESCE(TRY_CAST({value} AS JSON), CAST({PREFIX}nested_json({value}) AS JSON))"


def _has_struct(kind: DorisType) -> bool:
    return kind.name == "struct" or any(_has_struct(inner) for _, inner in kind.children)


def _reshaped(value: str, source: DorisType | None, target: DorisType, depth: int = 0) -> str:
    """The value with the field names of the target: DuckDB casts structs by name, Doris by position."""
    if source is None or source.name != target.name or not _renames(source, target):
        return value
    kinds = list(zip((kind for _, kind in source.children), (kind for _, kind in target.children), strict=True))
    if target.name == "array":
        name = f"e{depth}"
        return f"list_transform({value}, lambda {name}: {_reshaped(name, *kinds[0], depth + 1)})"
    if target.name == "map":
        return value
    parts = (
        f'"{field}" := {_reshaped(f"struct_extract_at({value}, {place + 1})", *kinds[place], depth + 1)}'
        for place, (field, _) in enumerate(target.children)
    )
    return f"CASE WHEN {value} IS NOT NULL THEN struct_pack({', '.join(parts)}) END"


def _renames(source: DorisType, target: DorisType) -> bool:
    """Whether a struct inside has other field names there than here."""
    if len(source.children) != len(target.children):
        raise CAST_TYPE(source=source, target=target)
    pairs = list(zip(source.children, target.children, strict=True))
    if any(one.lower() != other.lower() for (one, _), (other, _) in pairs):
        return True
    return any(one.name == other.name and _renames(one, other) for (_, one), (_, other) in pairs if one.name in NESTED)


# -- states ----------------------------------------------------------------------------------------
def _state(value: str, source: DorisType | None, target: DorisType) -> str:
    """A state of the same kind; of AGG_STATE also one over other argument types that can be cast."""
    if source is not None and source.name == target.name:
        if target.name != "agg_state":
            return value
        if same(source.function, target.function) and len(source.children) == len(target.children):
            return f"CAST({value} AS {target.duckdb})"
    if source is not None and source.is_text:  # a literal may still be NULL
        message = CAST_TYPE(source=source, target=target).message
        return f"CAST(CASE WHEN {value} IS NOT NULL THEN error({literal(message)}) END AS {target.duckdb})"
    raise CAST_TYPE(source=source or "unknown", target=target)


CONVERSIONS: dict[str, Conversion] = {
    "ipv4": _address,
    "ipv6": _address,
    "json": _json,
    "variant": _variant,
    **dict.fromkeys(NESTED, _nested),
    **dict.fromkeys(STATES, _state),
}
