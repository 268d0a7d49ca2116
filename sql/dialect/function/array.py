"""Arrays: what is read from them, made of them and found in them (Doris: array functions).

Those that take a lambda are calls of these with the array that ARRAY_MAP gives: sql/rewrite/lambda_call.py.
"""

from __future__ import annotations

from sql.dialect.function.function import spelled
from sql.dialect.function.nested_type import (
    array_of_argument,
    array_of_first,
    as_first,
    averaged,
    flat,
    of_elements,
    of_first_known,
    of_range,
    summed,
    summed_each,
)
from sql.dialect.refused import refused
from storage.errors import ARRAY_SIZE, UNEVEN_ARGUMENTS
from storage.naming import PREFIX
from storage.types import BIGINT, BOOLEAN, DOUBLE, STRING, array

_ITEM, _PLACE, _OTHER = PREFIX + "item", PREFIX + "place", PREFIX + "other"
_MOST = 1_000_000  # elements of an array that a function makes
_TOO_MANY = refused(ARRAY_SIZE(most=_MOST).message)


def _kept(array: str, condition: str) -> str:
    """The elements of an array for which a condition over _ITEM and _PLACE holds."""
    return f"list_filter({array}, lambda {_ITEM}, {_PLACE}: {condition})"


def distinct(array: str) -> str:
    """The elements of an array that do not come before."""
    return _kept(array, f"list_position({array}, {_ITEM}) = {_PLACE}")


def _unless_null(value: str, *operands: str) -> str:
    return f"CASE WHEN {' AND '.join(f'{operand} IS NOT NULL' for operand in operands)} THEN {value} END"


def _true_in(truths: str) -> str:
    return f"COALESCE(CAST({truths}[{_PLACE}] AS BOOLEAN), FALSE)"


def _joined(value: str) -> str:
    """A value over the joined arrays _OTHER; NULL if one of them is."""
    joined = "CASE WHEN list_position({list}, NULL) IS NULL THEN flatten({list}) END"
    return f"list_transform([{joined}], lambda {_OTHER}: {value})[1]"


def _of_same_length(first: str, second: str, value: str, name: str) -> str:
    return _unless_null(f"CASE WHEN len({first}) = len({second}) THEN {value} ELSE {_uneven(name)} END", first, second)


def _uneven(name: str) -> str:
    return refused(UNEVEN_ARGUMENTS(function=name).message)


def _split(name: str, place_before: int) -> str:
    """Where a truth stands, a part begins at it, or (place_before = 1) behind it."""
    truth = f"COALESCE(CAST({{1}}[{_ITEM} - {place_before}] AS BOOLEAN), FALSE)"
    starts = f"list_filter(range(2, len({{0}}) + 1), lambda {_ITEM}: {truth})"
    ends = f"COALESCE({_OTHER}[{_PLACE} + 1] - 1, len({{0}}))"
    parts = f"list_transform({_OTHER}, lambda {_ITEM}, {_PLACE}: list_slice({{0}}, {_ITEM}, {ends}))"
    return _of_same_length("{0}", "{1}", f"list_transform([[1] || {starts}], lambda {_OTHER}: {parts})[1]", name)


def _sorted_by_key() -> str:
    pairs = (
        f"list_transform({{0}}, lambda {_ITEM}, {_PLACE}: {{{{'k': {{1}}[{_PLACE}], 'p': {_PLACE}, 'v': {_ITEM}}}}})"
    )
    by_key = f"list_transform(list_sort({pairs}, 'ASC', 'NULLS FIRST'), lambda {_ITEM}: {_ITEM}.v)"
    return f"CASE WHEN {{1}} IS NULL THEN {{0}} ELSE {_of_same_length('{0}', '{1}', by_key, 'array_sortby')} END"


def _places(choice: str) -> str:
    """The first or last place where a truth stands, 0 if there is none."""
    truth = f"COALESCE(CAST({{0}}[{_ITEM}] AS BOOLEAN), FALSE)"
    places = f"list_filter(range(1, len({{0}}) + 1), lambda {_ITEM}: {truth})"
    return f"COALESCE({places}[{choice}], 0)"


def _copies(value: str, count: str) -> str:
    copies = f"list_transform(range(0, greatest({count}, 0)), lambda {_ITEM}: {value})"
    return _unless_null(f"CASE WHEN {count} > {_MOST} THEN {_TOO_MANY} ELSE {copies} END", count)


def _settled_by(truth: str, otherwise: str) -> str:
    """One such truth settles it; without it NULL leaves it open."""
    found = f"CASE WHEN list_contains({_OTHER}, {truth}) THEN {truth} WHEN list_position({_OTHER}, NULL) IS NULL"
    return f"list_transform([{_TRUTHS}], lambda {_OTHER}: {_unless_null(f'{found} THEN {otherwise} END', _OTHER)})[1]"


_TRUTHS = "list_transform({0}, lambda " + _ITEM + f": CAST({_ITEM} AS BOOLEAN))"
_EQUAL = f"{_ITEM} IS NOT DISTINCT FROM {{1}}"
_PRESENT = f"len(list_filter({{0}}, lambda {_ITEM}: {_EQUAL}))"
_FROM_1 = "CASE WHEN {i1} < 0 THEN len({0}) + 1 + {i1} ELSE {i1} END"
_PART = f"CASE WHEN {_FROM_1} > 0 THEN list_slice({{0}}, {_FROM_1}, greatest({{last}}, 0)) ELSE {{0}}[1:0] END"
_IN_ALL = f"len(list_filter({{list}}, lambda {_OTHER}: list_position({_OTHER}, {_ITEM}) IS NOT NULL)) = len({{list}})"
_RANGE = (
    "CASE WHEN {first} >= 0 AND {last} >= 0 AND {step} > 0 THEN"
    f" CASE WHEN ({{last}} - {{first}}) // {{step}} > {_MOST} THEN {_TOO_MANY}"
    " ELSE CAST(range({first}, {last}, {step}) AS INTEGER[]) END END"
)
_SHUFFLED = f"list_sort(list_transform({{0}}, lambda {_ITEM}: {{{{'k': random(), 'v': {_ITEM}}}}}))"

FUNCTIONS = {
    **dict.fromkeys(("SIZE", "CARDINALITY"), spelled("CAST(cardinality({0}) AS BIGINT)", gives=BIGINT)),
    "ARRAY_SIZE": spelled("CAST(len({0}) AS BIGINT)", gives=BIGINT),
    # what is in an array
    "ARRAY_CONTAINS": spelled(_unless_null(f"{_PRESENT} > 0", "{0}"), gives=BOOLEAN, once=True),
    "ARRAY_POSITION": spelled(
        _unless_null("CAST(COALESCE(list_position({0}, {1}), 0) AS BIGINT)", "{0}"), gives=BIGINT, once=True
    ),
    "COUNTEQUAL": spelled(_unless_null(_PRESENT, "{0}"), gives=BIGINT, once=True),
    "ARRAYS_OVERLAP": spelled(
        "CASE WHEN list_has_any({0}, {1}) THEN TRUE WHEN list_position({0}, NULL) IS NULL"
        " AND list_position({1}, NULL) IS NULL THEN list_has_any({0}, {1}) END",
        gives=BOOLEAN, once=True,
    ),
    "ARRAY_JOIN": spelled(
        _unless_null("COALESCE({own}join({a0}, {s1}), '')", "{a0}", "{s1}"),
        _unless_null(
            f"COALESCE({{own}}join(list_transform({{a0}}, lambda {_ITEM}: COALESCE({_ITEM}, {{s2}})), {{s1}}), '')",
            "{a0}", "{s1}", "{s2}",
        ),
        gives=STRING, once=True,
    ),
    # numbers of an array
    "ARRAY_SUM": spelled("CAST(list_sum({0}) AS {type})", gives=summed),
    "ARRAY_AVG": spelled("CAST(list_avg({0}) AS {type})", gives=averaged),
    "ARRAY_PRODUCT": spelled("list_product({0})", gives=DOUBLE),
    "ARRAY_MIN": spelled("list_min({0})", gives=of_elements),
    "ARRAY_MAX": spelled("list_max({0})", gives=of_elements),
    "ARRAY_CUM_SUM": spelled(
        f"list_transform({{0}}, lambda {_ITEM}, {_PLACE}: CAST(list_sum({{0}}[1:{_PLACE}]) AS {{element}}))",
        gives=summed_each, once=True,
    ),
    "ARRAY_DIFFERENCE": spelled(
        f"list_transform({{0}}, lambda {_ITEM}, {_PLACE}: CASE WHEN {_PLACE} > 1 THEN CAST({_ITEM} AS {{element}})"
        f" - {{0}}[{_PLACE} - 1] WHEN {_ITEM} IS NOT NULL THEN 0 END)",
        gives=summed_each, once=True,
    ),
    # arrays of an array
    "ARRAY_SORT": spelled("list_sort({0}, 'ASC', 'NULLS FIRST')", gives=as_first),
    "ARRAY_REVERSE_SORT": spelled("list_sort({0}, 'DESC', 'NULLS LAST')", gives=as_first),
    "ARRAY_SORTBY": spelled(_sorted_by_key(), gives=as_first, once=True),
    "ARRAY_DISTINCT": spelled(distinct("{0}"), gives=as_first, once=True),
    "ARRAY_SLICE": spelled(
        _unless_null(_PART.replace("{last}", "len({0})"), "{i1}"),
        _unless_null(_PART.replace("{last}", f"{_FROM_1} + {{i2}} - 1"), "{i1}", "{i2}"),
        gives=as_first, once=True,
    ),
    "ARRAY_COMPACT": spelled(
        _kept("{0}", f"{_PLACE} = 1 OR {_ITEM} IS DISTINCT FROM {{0}}[{_PLACE} - 1]"), gives=as_first, once=True
    ),
    "ARRAY_REMOVE": spelled(f"list_filter({{0}}, lambda {_ITEM}: NOT ({_EQUAL}))", gives=as_first, once=True),
    "ARRAY_PUSHFRONT": spelled(_unless_null("list_prepend({1}, {0})", "{0}"), gives=of_first_known, once=True),
    "ARRAY_PUSHBACK": spelled(_unless_null("list_append({0}, {1})", "{0}"), gives=of_first_known, once=True),
    "ARRAY_POPFRONT": spelled("list_slice({0}, 2, len({0}))", gives=as_first, once=True),
    "ARRAY_POPBACK": spelled("list_slice({0}, 1, len({0}) - 1)", gives=as_first, once=True),
    "ARRAY_ENUMERATE": spelled(
        f"list_transform({{0}}, lambda {_ITEM}, {_PLACE}: CAST({_PLACE} AS BIGINT))", gives=array(BIGINT)
    ),
    "ARRAY_ENUMERATE_UNIQ": spelled(
        f"list_transform({{0}}, lambda {_ITEM}, {_PLACE}: len(list_filter({{0}}[1:{_PLACE}],"
        f" lambda {_OTHER}: {_OTHER} IS NOT DISTINCT FROM {_ITEM})))",
        gives=array(BIGINT), once=True,
    ),
    "ARRAY_SPLIT": spelled(_split("array_split", 0), gives=array_of_first, once=True),
    "ARRAY_REVERSE_SPLIT": spelled(_split("array_reverse_split", 1), gives=array_of_first, once=True),
    **dict.fromkeys(
        ("ARRAY_SHUFFLE", "SHUFFLE"),
        spelled(f"list_transform({_SHUFFLED}, lambda {_ITEM}: {_ITEM}.v)", gives=as_first),
    ),
    # arrays of several
    "ARRAY_CONCAT": spelled(_joined(_OTHER), gives=of_first_known, once=True),
    "ARRAY_UNION": spelled(_joined(distinct(_OTHER)), gives=of_first_known, once=True),
    "ARRAY_INTERSECT": spelled(
        _joined(_kept(distinct("{0}"), _IN_ALL)),
        gives=of_first_known, once=True,
    ),
    "ARRAY_EXCEPT": spelled(
        _unless_null(_kept(distinct("{0}"), f"list_position({{1}}, {_ITEM}) IS NULL"), "{1}"),
        gives=of_first_known,
        once=True,
    ),
    # arrays of other values
    "ARRAY_REPEAT": spelled(_copies("{0}", "{i1}"), gives=array_of_argument(0), once=True),
    "ARRAY_WITH_CONSTANT": spelled(_copies("{1}", "{i0}"), gives=array_of_argument(1), once=True),
    **dict.fromkeys(
        ("ARRAY_RANGE", "SEQUENCE"),
        spelled(
            _RANGE.format(first="0", last="{i0}", step="1"),
            _RANGE.format(first="{i0}", last="{i1}", step="1"),
            _RANGE.format(first="{i0}", last="{i1}", step="{i2}"),
            gives=of_range, once=True,
        ),
    ),
    "ARRAY_FLATTEN": spelled("flatten({0})", gives=flat),  # of one level: sql/rewrite/element.py
    # what the truths of an array, or of a lambda, say
    "ARRAY_FILTER": spelled(_unless_null(_kept("{0}", _true_in("{1}")), "{1}"), gives=as_first, once=True),
    "ARRAY_EXISTS": spelled(_TRUTHS, gives=array(BOOLEAN)),
    "ARRAY_COUNT": spelled(
        f"COALESCE(len(list_filter({_TRUTHS}, lambda {_ITEM}: {_ITEM})), 0)", gives=BIGINT
    ),
    "ARRAY_MATCH_ANY": spelled(_settled_by("TRUE", "FALSE"), gives=BOOLEAN, once=True),
    "ARRAY_MATCH_ALL": spelled(_settled_by("FALSE", "TRUE"), gives=BOOLEAN, once=True),
    "ARRAY_FIRST_INDEX": spelled(_places("1"), gives=BIGINT, once=True),
    "ARRAY_LAST_INDEX": spelled(_places("-1"), gives=BIGINT, once=True),
}  # fmt: skip
