"""Texts: their parts, what is found in them and put into them (Doris: string functions)."""

from __future__ import annotations

from sql.dialect.function.function import spelled
from sql.dialect.refused import bounded
from storage.types import BIGINT, BOOLEAN, INT, STRING, TINYINT, array

_PIECES = "string_split({s0}, {s1})"
_BACKWARDS = "string_split(reverse({s0}), reverse({s1}))"  # from the right: pieces may differ
_ARRAY = array(STRING)

_PARTS = {
    "STRLEFT": spelled("left({s0}, CASE WHEN {k1} < 0 THEN 0 ELSE {k1} END)", gives=STRING),
    "STRRIGHT": spelled(
        "CASE WHEN {k1} < 0 THEN substring({s0}, -{k1}) ELSE right({s0}, {k1}) END",
        gives=STRING,
    ),
    "SPLIT_PART": spelled(
        "CASE WHEN {s0} IS NULL THEN NULL WHEN {s1} = '' THEN CASE WHEN {k2} <> 0 THEN '' END"
        f" WHEN contains({{s0}}, {{s1}}) THEN CASE WHEN {{k2}} > 0 THEN {_PIECES}[{{k2}}]"
        f" WHEN {{k2}} < 0 THEN reverse({_BACKWARDS}[-{{k2}}]) END END",
        gives=STRING,
    ),
    "SUBSTRING_INDEX": spelled("{own}substring_index({s0}, {s1}, {k2})", gives=STRING),
    **dict.fromkeys(("SPLIT_BY_STRING", "SPLIT"), spelled(
        f"CASE WHEN {{s0}} <> '' OR {{s1}} <> '' THEN {_PIECES} WHEN {{s0}} = '' AND {{s1}} = '' THEN [] END",
        gives=_ARRAY,
    )),
    "ELT": spelled("[{more}][CASE WHEN {k0} > 0 THEN {k0} END]", gives=STRING),
}  # fmt: skip

_SEARCHES = {
    "ASCII": spelled(
        "CASE WHEN {s0} = '' THEN 0 ELSE CAST('0x' || left(hex(left({s0}, 1)), 2) AS INTEGER) END", gives=INT
    ),
    "STARTS_WITH": spelled("starts_with({s0}, {s1})", gives=BOOLEAN),
    "ENDS_WITH": spelled("ends_with({s0}, {s1})", gives=BOOLEAN),
    "STRCMP": spelled(
        "CAST(CASE WHEN {s0} < {s1} THEN -1 WHEN {s0} = {s1} THEN 0 WHEN {s0} > {s1} THEN 1 END AS TINYINT)",
        gives=TINYINT,
    ),
    "FIND_IN_SET": spelled("{own}find_in_set({s0}, {s1})", gives=INT),
    "COUNT_SUBSTRINGS": spelled(
        "{own}count_substrings({s0}, {s1}, 1)", "{own}count_substrings({s0}, {s1}, {k2})", gives=INT
    ),
    "NULL_OR_EMPTY": spelled("(COALESCE({s0}, '') = '')", gives=BOOLEAN),
    "NOT_NULL_OR_EMPTY": spelled("(COALESCE({s0}, '') <> '')", gives=BOOLEAN),
    "LEVENSHTEIN": spelled("CAST(levenshtein({s0}, {s1}) AS INTEGER)", gives=INT),
    "HAMMING_DISTANCE": spelled(
        "CASE WHEN length({s0}) = length({s1}) THEN {own}hamming({s0}, {s1}) END",
        gives=BIGINT,
    ),
    "SOUNDEX": spelled("{own}soundex({s0})", gives=STRING),
    "BIT_LENGTH": spelled("CAST(bit_length({s0}) AS INTEGER)", gives=INT),
    "IS_UUID": spelled("{own}is_uuid({s0})", gives=BOOLEAN),
}

_OVERLAY = spelled("{own}overlay({s0}, {k1}, {k2}, {s3})", gives=STRING)
_CHANGES = {
    "REPEAT": spelled("repeat({s0}, CASE WHEN {k1} > 10000 THEN 10000 ELSE {k1} END)", gives=STRING),
    "SPACE": spelled(f"repeat(' ', {bounded('{k0}')})", gives=STRING),
    "REPLACE": spelled("replace({s0}, {s1}, {s2})", gives=STRING),
    "TRANSLATE": spelled("translate({s0}, {s1}, {s2})", gives=STRING),
    "SUB_REPLACE": spelled(
        "{own}sub_replace({s0}, {s1}, {k2}, CAST(length({s1}) AS INTEGER))",
        "{own}sub_replace({s0}, {s1}, {k2}, {k3})",
        gives=STRING,
    ),
    **{
        f"{side}TRIM_IN": spelled(f"{side.lower()}trim({{s0}})", f"{side.lower()}trim({{s0}}, {{s1}})", gives=STRING)
        for side in ("", "L", "R")
    },
    "APPEND_TRAILING_CHAR_IF_ABSENT": spelled("{own}ended_by({s0}, {s1})", gives=STRING),
    "INITCAP": spelled("{own}initcap({s0})", gives=STRING),
    "INSERT": _OVERLAY,
    "OVERLAY": _OVERLAY,
    "CHAR": spelled("TRY(decode({own}char([{counts}])))", gives=STRING),
    "QUOTE": spelled("('''' || {s0} || '''')", gives=STRING),
}

FUNCTIONS = {**_PARTS, **_SEARCHES, **_CHANGES}
