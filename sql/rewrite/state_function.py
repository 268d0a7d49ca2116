"""The table of BITMAP, HLL and QUANTILE_STATE functions: result type, number of arguments, DuckDB text.

{0}, {1} … are the arguments as they are spelled, {over} an OVER clause or nothing; functions named with
storage.naming.PREFIX are those of storage/udf.py. Aggregates work on lists: over rows of single values a list is
gathered first, which is ten times faster than a bitmap a row (`fused`: what the argument must be a call of).
Source: Doris: bitmap functions, HLL functions, quantile functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sql.dialect.refused import VALUE, refused
from storage.errors import PERCENT_RANGE
from storage.naming import PREFIX as P
from storage.state.empty import EMPTY
from storage.state.quantile import LEAST
from storage.types import BIGINT, BITMAP, BOOLEAN, DOUBLE, HLL, QUANTILE_STATE, STRING, DorisType, array

MANY = 99
_BIGINTS = array(BIGINT)


@dataclass(frozen=True, slots=True)
class StateFunction:
    """One function: how many arguments it takes, what it gives, and its text.

    `optional` are the numbers that stand for arguments left out at the end; a `tuned` function takes a constant last.
    """

    result: DorisType
    text: str
    arguments: tuple[int, int] = (1, 1)
    aggregate: bool = False
    fused: Mapping[str, str] = field(default_factory=dict)
    optional: tuple[int, ...] = ()
    tuned: bool = False


_ARRAY = f"CASE WHEN {{0}} IS NOT NULL THEN {P}bitmap_build(CAST({{0}} AS UBIGINT[])) END"
_PART = "({0}, CAST({1} AS BIGINT), CAST({2} AS BIGINT))"
_NUMBER = "TRY_CAST({0} AS UBIGINT)"
_TEXT = "CAST({0} AS VARCHAR)"
_DOUBLE = "TRY_CAST({0} AS DOUBLE)"
_SECOND = "TRY_CAST({1} AS UBIGINT)"


def _scalar(result: DorisType, text: str, low: int = 1, high: int | None = None) -> StateFunction:
    return StateFunction(result, text, (low, high or low))


def _aggregate(result: DorisType, text: str, **fused: str) -> StateFunction:
    return StateFunction(result, text, (1, 1), True, fused)


def _list(function: str, item: str = "{0}") -> str:
    return f"{P}{function}(list({item}){{over}})"


_COUNTED = f"count(DISTINCT {_NUMBER}){{over}}"
_UNION = _aggregate(BITMAP, _list("bitmap_union"), to_bitmap=_list("bitmap_build", _NUMBER))
_UNION_COUNT = _aggregate(BIGINT, _list("bitmap_union_count"), to_bitmap=_COUNTED)
_HLL_UNION = _aggregate(HLL, _list("hll_union"), hll_hash=_list("hll_build", _TEXT))

_QUANTILE_OF = f"{P}quantile_of({_DOUBLE}, CAST({{1}} AS DOUBLE))"
_QUANTILE_UNION = _aggregate(
    QUANTILE_STATE,
    _list("quantile_union"),
    to_quantile_state=f"{P}quantile_build(list({_DOUBLE}){{over}}, CAST({{1}} AS DOUBLE))",
)
_NO_RANK = refused(PERCENT_RANGE(value=VALUE).message, "DOUBLE", "{1}")
_QUANTILE_AT = (
    f"CASE WHEN CAST({{1}} AS DOUBLE) BETWEEN 0 AND 1 THEN {P}quantile_at({{0}}, CAST({{1}} AS DOUBLE))"
    f" WHEN {{1}} IS NOT NULL THEN {_NO_RANK} END"
)

# The members that every listed value {n} of the dimension {1} has: spelled for each value, joined by bitmap_and.
_COMMON = StateFunction(BITMAP, f"{P}bitmap_union(list({{0}}) FILTER (WHERE {{1}} = {{n}}){{over}})", (3, MANY), True)

_COMMON_COUNT = replace(_COMMON, result=BIGINT)

FUNCTIONS: dict[str, StateFunction] = {
    # making bitmaps
    "to_bitmap": _scalar(BITMAP, f"{P}bitmap_of({_NUMBER})"),
    "bitmap_hash": _scalar(BITMAP, f"{P}bitmap_of({P}murmur({_TEXT}))"),
    "bitmap_empty": _scalar(BITMAP, EMPTY["bitmap"], 0),
    "bitmap_from_string": _scalar(BITMAP, f"{P}bitmap_parse({_TEXT})"),
    "bitmap_from_array": _scalar(BITMAP, _ARRAY),
    "bitmap_from_base64": _scalar(BITMAP, f"{P}bitmap_of_base64({_TEXT})"),
    # reading them
    "bitmap_count": _scalar(BIGINT, f"{P}bitmap_count({{0}})"),
    "bitmap_to_string": _scalar(STRING, f"{P}bitmap_text({{0}})"),
    "bitmap_to_base64": _scalar(STRING, f"{P}bitmap_base64({{0}})"),
    "bitmap_to_array": _scalar(_BIGINTS, f"{P}bitmap_values({{0}})"),
    "bitmap_min": _scalar(BIGINT, f"{P}bitmap_min({{0}})"),
    "bitmap_max": _scalar(BIGINT, f"{P}bitmap_max({{0}})"),
    "bitmap_contains": _scalar(BOOLEAN, f"{P}bitmap_contains({{0}}, {_SECOND})", 2),
    "bitmap_has_any": _scalar(BOOLEAN, f"{P}bitmap_has_any({{0}}, {{1}})", 2),
    "bitmap_has_all": _scalar(BOOLEAN, f"{P}bitmap_has_all({{0}}, {{1}})", 2),
    # parts
    "bitmap_remove": _scalar(BITMAP, f"{P}bitmap_remove({{0}}, {_SECOND})", 2),
    "bitmap_subset_in_range": _scalar(BITMAP, f"{P}bitmap_range{_PART}", 3),
    "bitmap_subset_limit": _scalar(BITMAP, f"{P}bitmap_limit{_PART}", 3),
    "sub_bitmap": _scalar(BITMAP, f"{P}bitmap_slice{_PART}", 3),
    # set operations, of two or more: see FOLDED
    "bitmap_and": _scalar(BITMAP, "bitmap_and", 2, MANY),
    "bitmap_or": _scalar(BITMAP, "bitmap_or", 2, MANY),
    "bitmap_xor": _scalar(BITMAP, "bitmap_xor", 2, MANY),
    "bitmap_not": _scalar(BITMAP, "bitmap_not", 2),
    "bitmap_and_not": _scalar(BITMAP, "bitmap_not", 2),
    "bitmap_and_count": _scalar(BIGINT, "bitmap_and", 2, MANY),
    "bitmap_or_count": _scalar(BIGINT, "bitmap_or", 2, MANY),
    "bitmap_xor_count": _scalar(BIGINT, "bitmap_xor", 2, MANY),
    "bitmap_and_not_count": _scalar(BIGINT, "bitmap_not", 2),
    # aggregates
    "bitmap_union": _UNION,
    "bitmap_union_count": _UNION_COUNT,
    "bitmap_union_int": _aggregate(BIGINT, _COUNTED),
    "bitmap_agg": _aggregate(BITMAP, _list("bitmap_build", _NUMBER)),
    "bitmap_intersect": _aggregate(BITMAP, _list("bitmap_intersect")),
    "group_bitmap_xor": _aggregate(BITMAP, _list("bitmap_xor_all")),
    "intersect_count": _COMMON_COUNT,
    "orthogonal_bitmap_intersect": _COMMON,
    "orthogonal_bitmap_intersect_count": _COMMON_COUNT,
    "orthogonal_bitmap_union_count": _UNION_COUNT,
    # HLL
    "hll_hash": _scalar(HLL, f"{P}hll_of({_TEXT})"),
    "hll_empty": _scalar(HLL, EMPTY["hll"], 0),
    "hll_cardinality": _scalar(BIGINT, f"{P}hll_count({{0}})"),
    "hll_to_base64": _scalar(STRING, f"{P}hll_base64({{0}})"),
    "hll_from_base64": _scalar(HLL, f"{P}hll_of_base64({_TEXT})"),
    "hll_union": _HLL_UNION,
    "hll_raw_agg": _HLL_UNION,
    "hll_union_agg": _aggregate(BIGINT, _list("hll_union_count"), hll_hash=_list("hll_build_count", _TEXT)),
    # QUANTILE_STATE
    "to_quantile_state": StateFunction(QUANTILE_STATE, _QUANTILE_OF, (1, 2), optional=(LEAST,), tuned=True),
    "quantile_state_empty": _scalar(QUANTILE_STATE, EMPTY["quantile_state"], 0),
    "quantile_state_to_base64": _scalar(STRING, f"{P}quantile_base64({{0}})"),
    "quantile_state_from_base64": _scalar(QUANTILE_STATE, f"{P}quantile_of_base64({_TEXT})"),
    "quantile_union": _QUANTILE_UNION,
    "quantile_percent": StateFunction(DOUBLE, _QUANTILE_AT, (2, 2), tuned=True),
}  # fmt: skip

# Set operations of two or more bitmaps: their text names the operation of two.
FOLDED = frozenset(name for name, function in FUNCTIONS.items() if function.text.startswith("bitmap_"))
REPEATING = frozenset(("quantile_union", "group_bitmap_xor"))  # aggregates that a repeated state changes
COMMON = frozenset(name for name, function in FUNCTIONS.items() if function.text == _COMMON.text)

_MAKERS = frozenset((
    "to_bitmap", "bitmap_hash", "bitmap_empty", "bitmap_from_string", "bitmap_from_array", "bitmap_union_int",
    "bitmap_agg", "hll_hash", "hll_empty", "quantile_state_empty", "bitmap_from_base64", "hll_from_base64",
    "quantile_state_from_base64",
))  # fmt: skip
_OTHERS = {"hll": HLL, "quantile": QUANTILE_STATE}


def fits(name: str, types: Sequence[DorisType | None]) -> bool:
    """Whether a function takes so many arguments of these types (None: unknown)."""
    function = FUNCTIONS[name]
    if not function.arguments[0] <= len(types) <= function.arguments[1]:
        return False
    if name in _MAKERS:
        return True
    if name == "to_quantile_state":
        return types[0] is None or types[0].is_numeric or types[0].is_text
    states = types if name in FOLDED else types[:2] if name.startswith("bitmap_has") else types[:1]
    wanted = next((kind for prefix, kind in _OTHERS.items() if name.startswith(prefix)), BITMAP)
    return all(kind is None or kind == wanted for kind in states)
