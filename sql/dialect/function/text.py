"""Texts: parts, searches, patterns, codes (Doris: string functions)."""

from __future__ import annotations

from sql.dialect.function.function import spelled

FUNCTIONS = {
    "STRLEFT": spelled("left({s0}, greatest({1}, 0))"),
    "STRRIGHT": spelled("right({s0}, greatest({1}, 0))"),
    "STRCMP": spelled("CASE WHEN {s0} < {s1} THEN -1 WHEN {s0} = {s1} THEN 0 WHEN {s0} > {s1} THEN 1 END"),
    "FIND_IN_SET": spelled(
        "CAST(COALESCE(list_position(string_split({s1}, ','), {s0}), CASE WHEN {s0} || {s1} IS NOT NULL THEN 0 END)"
        " AS INTEGER)",
    ),
    "ELT": spelled("[{rest}][CASE WHEN {0} > 0 THEN {0} END]"),
    "FIELD": spelled("CAST(COALESCE(list_position([{rest}], {0}), 0) AS INTEGER)"),
    "NULL_OR_EMPTY": spelled("(COALESCE({s0}, '') = '')"),
    "NOT_NULL_OR_EMPTY": spelled("(COALESCE({s0}, '') <> '')"),
    "SUBSTRING_INDEX": spelled(
        "CASE WHEN {2} >= 0 THEN array_to_string(string_split({s0}, {s1})[:{2}], {s1})"
        " ELSE array_to_string(string_split({s0}, {s1})[{2}:], {s1}) END",
    ),
    "REGEXP_EXTRACT": spelled("regexp_extract({s0}, {1}, {2})"),
    "REGEXP_EXTRACT_OR_NULL": spelled("nullif(regexp_extract({s0}, {1}, {2}), '')"),
    "REGEXP_REPLACE_ONE": spelled("regexp_replace({s0}, {1}, {2})"),
    "SPLIT_BY_STRING": spelled("string_split({s0}, {s1})"),
    "SPLIT_BY_REGEXP": spelled("regexp_split_to_array({s0}, {s1})"),
    "CHAR": spelled("array_to_string(list_transform([{all}], lambda c: chr(CAST(c AS INTEGER))), '')"),
    "BIN": spelled("bin({i0})"),
}
