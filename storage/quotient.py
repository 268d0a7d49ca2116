"""The DuckDB text of a quotient that is a DECIMAL: DuckDB divides as DOUBLE, which has but fifteen digits.

    n / d   ->  CASE WHEN the quotient is short THEN CAST(n / d AS DECIMAL(38, s)) ELSE whole numbers, divided END

Longer quotients are computed from HUGEINTs, with one digit more than wanted: the last cast rounds half away from zero.
What is too long for a HUGEINT, too, stays a DOUBLE. Source: Doris: DECIMAL.
"""

from __future__ import annotations

from storage.types import MAX_DECIMAL

_SHORT = 14  # digits that a DOUBLE gives for sure


def quotient(left: str, right: str, scales: tuple[int, int], scale: int) -> str:
    """Divide two exact numbers, given as texts with their scales, to a DECIMAL(38, scale); NULL where `right` is 0."""
    divided = f"{left} / NULLIF({right}, 0)"
    rounded = f"CAST({divided} AS DECIMAL({MAX_DECIMAL}, {scale}))"
    more = scale + 1 - scales[0] + scales[1]
    most = MAX_DECIMAL - scales[0] - more  # digits before the point
    if most < 1:
        return rounded
    whole = f"{_whole(left, scales[0])} * {_power(more)} // NULLIF({_whole(right, scales[1])}, 0)"
    step = f"CAST(0.{'0' * scale}1 AS DECIMAL({scale + 2}, {scale + 1}))"
    exact = f"CAST(CAST({whole} AS DECIMAL({MAX_DECIMAL}, 0)) * {step} AS DECIMAL({MAX_DECIMAL}, {scale}))"
    by_double = f"abs({divided}) < 1e{_SHORT - scale} OR abs({left}) >= {_power(most)}"
    return f"CASE WHEN {by_double} THEN {rounded} ELSE {exact} END"


def _power(digits: int) -> str:
    return f"CAST(1{'0' * digits} AS HUGEINT)"


def _whole(number: str, scale: int) -> str:
    """The digits of a DECIMAL without its point."""
    digits = f"CAST(CAST({number} AS DECIMAL({MAX_DECIMAL}, {scale})) AS VARCHAR)"
    return f"CAST(replace({digits}, '.', '') AS HUGEINT)"
