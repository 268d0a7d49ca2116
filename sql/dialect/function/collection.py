"""Aggregates that collect values into arrays (Doris: COLLECT_LIST, COLLECT_SET, ARRAY_AGG, TOPN_ARRAY, …).

{over} is the OVER clause that the call stands under; sql/rewrite/collection.py puts it there.
"""

from __future__ import annotations

from sql.dialect.function.array import distinct
from sql.dialect.function.function import Types, spelled
from sql.dialect.function.nested_type import as_first
from storage.naming import PREFIX
from storage.types import DorisType, array

_ITEM, _PLACE, _ALL = PREFIX + "item", PREFIX + "place", PREFIX + "all"


def _collected(types: Types) -> DorisType | None:
    kind = types[0]
    return array(kind) if kind is not None and kind.name != "null" else None


def _known(collected: str) -> str:
    return f"COALESCE(list({collected}) FILTER (WHERE {{0}} IS NOT NULL){{over}}, [])"


def _over_all(value: str) -> str:
    """A value over _ALL, the arrays of all rows that have one."""
    return f"list_transform([list({{0}}) FILTER (WHERE {{0}} IS NOT NULL){{over}}], lambda {_ALL}: {value})[1]"


_ENTRY = f"{{{{'c': -CAST({_ITEM}.value AS BIGINT), 'k': {_ITEM}.key}}}}"
_COUNTED = f"list_transform(map_entries(histogram({{0}}){{over}}), lambda {_ITEM}: {_ENTRY})"
_TOP = f"list_transform(list_sort({_COUNTED})[:greatest({{1}}, 0)], lambda {_ITEM}: {_ITEM}.k)"
_IN_EVERY = (
    f"len(list_filter({_ALL}, lambda {_ITEM}_all: list_position({_ITEM}_all, {_ITEM}) IS NOT NULL)) = len({_ALL})"
)

_FIRST = distinct(f"{_ALL}[1]")

_LIST = spelled(_known("{0}"), f"{_known('{0}')}[:greatest({{1}}, 0)]", gives=_collected)
_SET = spelled(_known("DISTINCT {0}"), f"{_known('DISTINCT {0}')}[:greatest({{1}}, 0)]", gives=_collected)

FUNCTIONS = {
    **dict.fromkeys(("COLLECT_LIST", "GROUP_ARRAY"), _LIST),
    **dict.fromkeys(("COLLECT_SET", "GROUP_UNIQ_ARRAY"), _SET),
    "ARRAY_AGG": spelled("COALESCE(list({0}){over}, [])", gives=_collected),
    "TOPN_ARRAY": spelled(_TOP, _TOP.replace("{1}", "{1} + 0 * {2}"), gives=_collected),
    "GROUP_ARRAY_UNION": spelled(f"COALESCE({_over_all(distinct(f'flatten({_ALL})'))}, [])", gives=as_first),
    "GROUP_ARRAY_INTERSECT": spelled(
        f"COALESCE({_over_all(f'list_filter({_FIRST}, lambda {_ITEM}: {_IN_EVERY})')}, [])", gives=as_first
    ),
}  # fmt: skip
DISTINCT = dict.fromkeys(
    ("COLLECT_LIST", "GROUP_ARRAY", "COLLECT_SET", "GROUP_UNIQ_ARRAY"), "COLLECT_SET"
)  # what they are with DISTINCT
