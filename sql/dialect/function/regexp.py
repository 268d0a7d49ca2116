"""Regular expressions (Doris: REGEXP and its kin): those of RE2, in which a dot is any character, a line's end too."""

from __future__ import annotations

from sql.dialect.function.function import spelled
from storage.types import INT, STRING, array

_ARRAY = array(STRING)
# Where a pattern has no group, the one put behind it is its first: an empty one, which counts for nothing.
_GROUPS = "list_filter(regexp_extract_all({s0}, {s1} || '()', 1, 's'), lambda g: g <> '')"

# No pattern parts every character; one that matches nothing at the beginning parts none.
_PIECES = (
    "CASE WHEN {s1} = '' THEN CASE WHEN {s0} = '' THEN [] ELSE string_split({s0}, '') END"
    " WHEN {s0} IS NULL THEN NULL WHEN regexp_matches('', {s1}) THEN [{s0}]"
    " WHEN {s1} IS NOT NULL THEN regexp_split_to_array({s0}, '(?s)' || {s1}) END"
)
_FIRST = f"({_PIECES})[:{{k2}} - 1]"
_SEPARATORS = "CASE WHEN {s1} = '' THEN [''] ELSE regexp_extract_all({s0}, {s1}, 0, 's') END[:{k2} - 1]"
_REST = f"substring({{s0}}, length(array_to_string({_FIRST}, '') || array_to_string({_SEPARATORS}, '')) + 1)"

FUNCTIONS = {
    "REGEXP_EXTRACT_ALL": spelled(
        f"regexp_replace('[''' || array_to_string({_GROUPS}, ''',''') || ''']', '^\\[''''\\]$', '')", gives=STRING
    ),
    "REGEXP_EXTRACT_ALL_ARRAY": spelled(_GROUPS, gives=_ARRAY),
    "REGEXP_COUNT": spelled(
        "CAST(len(list_filter(regexp_extract_all({s0}, {s1}, 0, 's'), lambda m: m <> '')) AS INTEGER)", gives=INT
    ),
    "SPLIT_BY_REGEXP": spelled(
        _PIECES,
        f"CASE WHEN {{k2}} > 0 AND len({_PIECES}) > {{k2}} THEN list_append({_FIRST}, {_REST})"
        f" WHEN {{k2}} IS NOT NULL THEN {_PIECES} END",
        gives=_ARRAY,
    ),
}
