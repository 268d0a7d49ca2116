"""What a text is worth as a value of another type, as DuckDB text; NULL for what is none. CAST and writes read alike.

    ' 12.9 '  ->  12       'YeS'  ->  TRUE       '24-5-1'  ->  2024-05-01       '0x10', '1_000', 'epoch'  ->  NULL

DuckDB's own casts read more than Doris does: hexadecimal and other spellings of numbers, words for moments, offsets
of zones that it then drops. Source: Doris: CAST.
"""

from __future__ import annotations

from storage.naming import PREFIX, literal

MOMENT = f"{PREFIX}moment"  # depends on the zone of the session
_WHOLE = literal(r"^\s*([+-]?\d+)(\.\d*)?\s*$")
_USUAL = literal(r"\d{4}-\d\d-\d\d( ([01]\d|2[0-3]):\d\d:\d\d(\.\d{1,6})?)?")
_TRUTHS = "'t', 'true', 'yes', 'on', '1'"
_LIES = "'f', 'false', 'no', 'off', '0'"


def whole(value: str, kind: str) -> str:
    """An integer of that DuckDB type: digits with sign, a fraction is cut off."""
    return f"TRY_CAST(regexp_extract({value}, {_WHOLE}, 1) AS {kind})"


def number(value: str, kind: str) -> str:
    """A DECIMAL, FLOAT or DOUBLE."""
    return f"TRY_CAST(CASE WHEN NOT contains({value}, '_') THEN {value} END AS {kind})"


def truth(value: str) -> str:
    """A BOOLEAN; the words in any case."""
    word = f"lower(trim({value}))"
    return f"CASE WHEN {word} IN ({_TRUTHS}) THEN TRUE WHEN {word} IN ({_LIES}) THEN FALSE END"


def moment(value: str, zone: str) -> str:
    """A TIMESTAMP; one with a zone of its own is moved to `zone`. All but the usual form is read row by row."""
    usual = f"regexp_full_match({value}, {_USUAL})"
    return f"CASE WHEN {usual} THEN TRY_CAST({value} AS TIMESTAMP) ELSE {MOMENT}({value}, {literal(zone)}) END"
