"""Numbers and their bits (Doris: numeric functions)."""

from __future__ import annotations

from sql.dialect.function.function import spelled

FUNCTIONS = {
    "PMOD": spelled("((({0} % NULLIF({1}, 0)) + {1}) % NULLIF({1}, 0))"),
    "FMOD": spelled("({n0} % NULLIF({n1}, 0))"),
    "DSQRT": spelled("CASE WHEN {0} >= 0 THEN sqrt({0}) END"),
    "E": spelled("exp(1)"),
    "ROUND_BANKERS": spelled("round_even({0}, 0)", "round_even({0}, {1})"),
    "BITAND": spelled("({i0} & {1})"),
    "BITOR": spelled("({i0} | {1})"),
    "BITXOR": spelled("xor({i0}, {1})"),
    "BITNOT": spelled("(~{i0})"),
    "BIT_SHIFT_LEFT": spelled("({i0} << {1})"),
    "BIT_SHIFT_RIGHT": spelled("({i0} >> {1})"),
}
