"""Numbers as texts, and texts with parts hidden (Doris: MONEY_FORMAT, FORMAT_NUMBER, CONV, MASK and their kin)."""

from __future__ import annotations

from sql.dialect.function.function import spelled
from storage.types import STRING

_SIGN = "CASE WHEN {{s{0}}} = '' THEN '{1}' ELSE left({{s{0}}}, 1) END"
_UPPER, _LOWER, _DIGIT = (_SIGN.format(place, sign) for place, sign in ((1, "X"), (2, "x"), (3, "n")))

FUNCTIONS = {
    "BIN": spelled("bin({i0})", gives=STRING),
    "UNHEX_NULL": spelled(
        "TRY(decode(CASE WHEN regexp_full_match({s0}, '([0-9A-Fa-f][0-9A-Fa-f])+') THEN unhex({s0}) END))", gives=STRING
    ),
    "CONV": spelled("{own}conv({s0}, {k1}, {k2})", gives=STRING),
    "FORMAT_NUMBER": spelled("{own}scaled({n0})", gives=STRING),
    "DIGITAL_MASKING": spelled("{own}mask_middle({s0})", gives=STRING),
    "MASK": spelled(
        "{own}mask({s0}, 'X', 'x', 'n')",
        f"{{own}}mask({{s0}}, {_UPPER}, 'x', 'n')",
        f"{{own}}mask({{s0}}, {_UPPER}, {_LOWER}, 'n')",
        f"{{own}}mask({{s0}}, {_UPPER}, {_LOWER}, {_DIGIT})",
        gives=STRING,
    ),
    "MASK_FIRST_N": spelled("{own}mask({s0}, 'X', 'x', 'n')", "{own}mask_first({s0}, {k1})", gives=STRING),
    "MASK_LAST_N": spelled("{own}mask({s0}, 'X', 'x', 'n')", "{own}mask_last({s0}, {k1})", gives=STRING),
}
