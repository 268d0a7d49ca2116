"""Numbers and their bits (Doris: numeric functions, bitwise functions)."""

from __future__ import annotations

from sql.dialect.function.function import Function, shared, spelled
from sql.dialect.refused import refused
from storage.errors import RANDOM_BOUNDS
from storage.types import BIGINT, BOOLEAN, DOUBLE, LARGEINT, TINYINT


def _within(domain: str, value: str) -> Function:
    """A function of one DOUBLE, NULL outside of its domain; NaN is in none and stays what it is."""
    found = f"CASE WHEN ({domain}) OR isnan({{x}}) THEN {value} END"
    return spelled(shared(found, x="{n0}"), gives=DOUBLE)


def _of_double(value: str) -> Function:
    return spelled(value, gives=DOUBLE)


# one step of Newton's makes 3 of the cube root of 27, which DuckDB takes for 3.0000000000000004
_CUBE_ROOT = shared(
    "CASE WHEN {y} = 0 OR isinf({y}) THEN {y} ELSE {y} - ({y} * {y} * {y} - {x}) / (3 * {y} * {y}) END",
    y="cbrt({n0})",
    x="{n0}",
)
_BUCKET = (
    "CASE WHEN {a} = {b} OR {n} <= 0 THEN NULL WHEN {x} < {a} THEN 0 WHEN {x} >= {b} THEN {n} + 1"
    " ELSE CAST(floor(({x} - {a}) / (({b} - {a}) / {n})) AS BIGINT) + 1 END"
)
_BETWEEN = shared(
    f"CASE WHEN {{a}} >= {{b}} THEN {refused(RANDOM_BOUNDS().message, 'BIGINT')}"
    " ELSE {a} + CAST(floor(random() * ({b} - {a} + 1)) AS BIGINT) END",
    a="{i0}",
    b="{i1}",
)
_RANDOM = spelled("random()", "{own}random({i0})", _BETWEEN)
_FACTORIAL = "CASE WHEN {n} BETWEEN 0 AND 20 THEN CAST(factorial(CAST({n} AS INTEGER)) AS BIGINT) END"
_UUID = "(CAST(hash(uuid()) AS HUGEINT) * 4611686018427387904 + CAST(hash(uuid()) >> 2 AS HUGEINT))"
_BIT_TEST = (
    "CASE WHEN NOT list_contains(list_transform([{all}], lambda b: b IS NULL), TRUE) THEN CAST(list_aggregate("
    "list_transform([{rest}], lambda b: b BETWEEN 0 AND 63 AND ({i0} >> b) & 1 = 1), 'bool_and') AS TINYINT) END"
)

FUNCTIONS = {
    "POSITIVE": spelled("{x0}"),
    "PMOD": spelled("((({x0} % NULLIF({x1}, 0)) + {x1}) % NULLIF({x1}, 0))"),
    "FMOD": _of_double("({n0} % NULLIF({n1}, 0))"),
    "E": _of_double("exp(1)"),
    "DSQRT": _within("{x} >= 0", "sqrt({x})"),
    **dict.fromkeys(("FPOW", "DPOW"), _of_double("pow({n0}, {n1})")),
    "DEXP": _of_double("exp({n0})"),
    "DLOG1": _within("{x} > 0", "ln({x})"),
    "DLOG10": _within("{x} > 0", "log10({x})"),
    "CBRT": _of_double(_CUBE_ROOT),
    "ACOS": _within("abs({x}) <= 1", "acos({x})"),
    "ASIN": _within("abs({x}) <= 1", "asin({x})"),
    "ACOSH": _within("{x} >= 1", "acosh({x})"),
    "ASINH": _of_double("asinh({n0})"),
    "ATANH": _within("abs({x}) < 1", "atanh({x})"),
    "SINH": _of_double("sinh({n0})"),
    "COSH": _of_double("cosh({n0})"),
    "TANH": _of_double("tanh({n0})"),
    "COT": _of_double("(1 / tan({n0}))"),
    "SEC": _of_double("(1 / cos({n0}))"),
    **dict.fromkeys(("CSC", "COSEC"), _of_double("(1 / sin({n0}))")),
    "GAMMA": _of_double("gamma({n0})"),
    "NORMAL_CDF": _of_double("{own}normal_cdf({n0}, {n1}, {n2})"),
    "SIGNBIT": spelled("signbit({n0})", gives=BOOLEAN),
    "EVEN": _of_double("even({n0})"),
    "ISNAN": spelled("isnan({n0})", gives=BOOLEAN),
    "ISINF": spelled("isinf({n0})", gives=BOOLEAN),
    "GCD": spelled("gcd({i0}, {i1})"),
    "LCM": spelled("lcm({i0}, {i1})"),
    "FACTORIAL": spelled(shared(_FACTORIAL, n="{i0}"), gives=BIGINT),
    "WIDTH_BUCKET": spelled(shared(_BUCKET, x="{e0}", a="{e1}", b="{e2}", n="{i3}"), gives=BIGINT),
    **dict.fromkeys(("RAND", "RANDOM"), _RANDOM),
    "UUID_NUMERIC": spelled(_UUID, gives=LARGEINT),
    "INTERVAL": spelled(
        "CASE WHEN NOT list_contains(list_transform([{all}], lambda x: x IS NULL), TRUE)"
        " THEN CAST(len(list_filter([{rest}], lambda x: x <= {0})) AS INTEGER) END"
    ),
    "BITAND": spelled("({i0} & {i1})", gives=BIGINT),
    "BITOR": spelled("({i0} | {i1})", gives=BIGINT),
    "BITXOR": spelled("xor({i0}, {i1})", gives=BIGINT),
    "BITNOT": spelled("(~{i0})", gives=BIGINT),
    **dict.fromkeys(("BIT_TEST", "BIT_TEST_ALL"), spelled(_BIT_TEST, gives=TINYINT)),
    "BIT_SHIFT_LEFT": spelled("{own}shift_left({i0}, {i1})", gives=BIGINT),
    "BIT_SHIFT_RIGHT": spelled("{own}shift_right({i0}, {i1})", gives=BIGINT),
}
