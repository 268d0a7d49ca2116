"""Aggregate functions over the events of a group, computed in storage/state/behaviour.py (Doris: WINDOW_FUNNEL …)."""

from __future__ import annotations

from collections.abc import Callable

from sql.dialect.function.function import spelled
from storage.types import BIGINT, BOOLEAN, INT, array

_MOST = 32  # conditions
_TRUTHS = array(BOOLEAN)


def _events(moment: int, conditions: range) -> str:
    """The list of the group's rows: when it was, and a bit for each condition that holds."""
    bits = (f"CASE WHEN {{b{place}}} THEN {1 << bit} ELSE 0 END" for bit, place in enumerate(conditions))
    return f"list(struct_pack(t := {{t{moment}}}, e := CAST({' + '.join(bits)} AS BIGINT))){{over}}"


def _funnel(count: int) -> str | None:
    """(window, mode, moment, condition, …)"""
    if not 4 <= count <= 3 + _MOST:
        return None
    return f"{{own}}window_funnel({_events(2, range(3, count))}, {{i0}}, {{s1}})"


def _sequence(name: str) -> Callable[[int], str | None]:
    """(pattern, moment, condition, …)"""

    def template(count: int) -> str | None:
        if not 3 <= count <= 2 + _MOST:
            return None
        return f"{{own}}{name}({_events(1, range(2, count))}, {{s0}}, {count - 2})"

    return template


def _retention(count: int) -> str | None:
    """(condition, …): whether each held in some row, if the first one did."""
    if not 1 <= count <= _MOST:
        return None
    held = [f"COALESCE(bool_or({{b{place}}}){{over}}, FALSE)" for place in range(count)]
    return f"[{', '.join([held[0], *(f'{held[0]} AND {one}' for one in held[1:])])}]"


FUNCTIONS = {
    "WINDOW_FUNNEL": spelled(_funnel, gives=INT),
    "SEQUENCE_MATCH": spelled(_sequence("sequence_match"), gives=BOOLEAN),
    "SEQUENCE_COUNT": spelled(_sequence("sequence_count"), gives=BIGINT),
    "RETENTION": spelled(_retention, gives=_TRUTHS),
}
