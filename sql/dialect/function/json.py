"""JSON documents: what is read from them and how they are made (Doris: JSON functions).

GET_JSON_INT and its kin are casts of JSON_EXTRACT: sql/dialect/built.py.
"""

from __future__ import annotations

from sql.dialect.function.function import Function, spelled
from sql.dialect.refused import VALUE, refused
from storage.errors import JSON_PARSED, JSON_QUOTES
from storage.types import BOOLEAN, INT, STRING, DorisType, array

_JSON = DorisType("json")
_STRINGS = array(STRING)
_MOST = 1 << 12  # arguments


_NOT_PARSED, _BAD_QUOTES = (
    refused(kind(value=VALUE).message, "VARCHAR", "{s0}") for kind in (JSON_PARSED, JSON_QUOTES)
)
_WHOLE = "CAST(json_extract({j0}, '$') AS VARCHAR)"
_KINDS = (
    "CASE json_type({0}) WHEN 'VARCHAR' THEN 'string' WHEN 'BOOLEAN' THEN 'bool' WHEN 'NULL' THEN 'null'"
    " WHEN 'OBJECT' THEN 'object' WHEN 'ARRAY' THEN 'array'"
    " ELSE CASE WHEN NOT regexp_full_match({0}, '-?[0-9]+') THEN 'double'"
    " WHEN TRY_CAST({0} AS INTEGER) IS NOT NULL THEN 'int' WHEN TRY_CAST({0} AS BIGINT) IS NOT NULL THEN 'bigint'"
    " WHEN TRY_CAST({0} AS HUGEINT) IS NOT NULL THEN 'largeint' WHEN {0} IS NOT NULL THEN 'double' END END"
)
_LENGTH = (
    "CAST(CASE json_type({0}) WHEN 'ARRAY' THEN json_array_length({0}) WHEN 'OBJECT' THEN len(json_keys({0}))"
    " ELSE CASE WHEN {0} IS NOT NULL THEN 1 END END AS INTEGER)"
)
_KEYS = "CASE WHEN json_type({0}) = 'OBJECT' THEN json_keys({0}) END"


def _of(template: str, place: str) -> str:
    """A template over one JSON text as one over what stands for it."""
    return template.replace("{0}", place)


def _array(count: int) -> str | None:
    if count == 0:
        return "'[]'"
    return f"'[' || concat_ws(',', {', '.join(_member(place) for place in range(count))}) || ']'"


def _object(count: int) -> str | None:
    if count % 2:
        return None
    members = (f"{{m{place}}} || ':' || {_member(place + 1)}" for place in range(0, count, 2))
    return f"'{{{{' || concat_ws(',', {', '.join(members)}) || '}}}}'" if count else "'{{}}'"


def _member(place: int) -> str:
    return f"COALESCE({{v{place}}}, 'null')"


def _edit(mode: str) -> Function:
    def template(count: int) -> str | None:
        if count < 3 or count % 2 == 0:
            return None
        paths = ", ".join(f"{{s{place}}}" for place in range(1, count, 2))
        values = ", ".join(_member(place) for place in range(2, count, 2))
        return f"{{own}}json_edit(CAST({{j0}} AS VARCHAR), [{paths}], [{values}], '{mode}')"

    return spelled(template, gives=_JSON)


def _parts(count: int) -> str | None:
    """JSON_EXTRACT with several paths."""
    paths = ", ".join(f"{{s{place}}}" for place in range(1, count))
    return f"{{own}}json_parts(CAST({{j0}} AS VARCHAR), [{paths}])" if 2 < count < _MOST else None


def _twice(name: str, function: Function) -> dict[str, Function]:
    """A function under both of its names."""
    return {f"JSON_{name}": function, f"JSONB_{name}": function}


_EXISTS = "CASE WHEN {j0} IS NOT NULL AND {s1} IS NOT NULL THEN {g1} IS NOT NULL END"
_PARSED = f"COALESCE({_WHOLE}, CASE WHEN {{s0}} IS NOT NULL THEN {_NOT_PARSED} END)"
_OR_VALUE = f"CASE WHEN {{s0}} IS NOT NULL THEN COALESCE({_WHOLE}, CAST(json_extract({{j1}}, '$') AS VARCHAR)) END"
_OR_EMPTY = f"CASE WHEN {{s0}} IS NOT NULL THEN COALESCE({_WHOLE}, '{{{{}}}}') END"
_UNQUOTED = (
    "CASE WHEN length({s0}) > 1 AND starts_with({s0}, '\"') AND ends_with({s0}, '\"') THEN"
    f" COALESCE(TRY_CAST({{s0}} AS JSON) ->> '$', {_BAD_QUOTES}) ELSE {{s0}} END"
)

FUNCTIONS: dict[str, Function] = {
    # reading
    **_twice("EXTRACT", spelled("{g1}", _parts, gives=_JSON)),
    **_twice("EXTRACT_ISNULL", spelled("(json_type({g1}) = 'NULL')", gives=BOOLEAN)),
    **_twice("EXISTS_PATH", spelled(_EXISTS, gives=BOOLEAN)),
    **_twice("TYPE", spelled(_of(_KINDS, "{g1}"), gives=STRING)),
    **_twice("LENGTH", spelled(_of(_LENGTH, "CAST({j0} AS VARCHAR)"), _of(_LENGTH, "{g1}"), gives=INT)),
    **_twice("KEYS", spelled(_of(_KEYS, "CAST({j0} AS VARCHAR)"), _of(_KEYS, "{g1}"), gives=_STRINGS)),
    **_twice("CONTAINS", spelled(
        "{own}json_contains(CAST({j0} AS VARCHAR), CAST({j1} AS VARCHAR))",
        "COALESCE({own}json_contains({own}json_part(CAST({j0} AS VARCHAR), {s2}), CAST({j1} AS VARCHAR)),"
        " CASE WHEN {j0} IS NOT NULL AND {j1} IS NOT NULL AND {s2} IS NOT NULL THEN FALSE END)",
        gives=BOOLEAN,
    )),
    "JSON_SEARCH": spelled("{own}json_search(CAST({j0} AS VARCHAR), {s1}, {s2})", gives=_JSON),
    "JSON_VALID": spelled("CASE WHEN {0} IS NOT NULL THEN CAST({j0} IS NOT NULL AS INTEGER) END", gives=INT),
    "JSON_UNQUOTE": spelled(_UNQUOTED, gives=STRING),
    # making
    **_twice("ARRAY", spelled(_array, gives=_JSON)),
    **_twice("OBJECT", spelled(_object, gives=_JSON)),
    "JSON_QUOTE": spelled("CAST(to_json({s0}) AS VARCHAR)", gives=STRING),
    "TO_JSON": spelled("{v0}", gives=_JSON),
    **_twice("INSERT", _edit("insert")),
    **_twice("REPLACE", _edit("replace")),
    **_twice("SET", _edit("set")),
    **_twice("PARSE", spelled(_PARSED, gives=_JSON)),
    **_twice("PARSE_ERROR_TO_NULL", spelled(_WHOLE, gives=_JSON)),
    **_twice("PARSE_ERROR_TO_VALUE", spelled(_OR_EMPTY, _OR_VALUE, gives=_JSON)),
}  # fmt: skip
