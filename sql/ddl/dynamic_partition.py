"""The properties dynamic_partition.*: their checks and defaults, and the rule they make.

What follows from a rule at a moment is sql/ddl/dynamic_schedule.py's matter. Source: Doris documentation, "Dynamic
partitioning"; words of the errors: apache/doris, DynamicPartitionUtil and ErrorCode.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sql.ddl.date_step import read
from sql.ddl.name import check_object
from storage.catalog.model import Column, Partitioning, Table
from storage.errors import (
    DYNAMIC_AUTO_UNIT,
    DYNAMIC_BUCKETS,
    DYNAMIC_COLUMN,
    DYNAMIC_COLUMNS,
    DYNAMIC_COUNT,
    DYNAMIC_DAY,
    DYNAMIC_END,
    DYNAMIC_HISTORY,
    DYNAMIC_MISSING,
    DYNAMIC_NAMES,
    DYNAMIC_NUMBER,
    DYNAMIC_PERIODS,
    DYNAMIC_START,
    DYNAMIC_SWITCH,
    DYNAMIC_UNIT,
    DYNAMIC_UNIT_TYPE,
    UNKNOWN_TIME_ZONE,
    Kind,
)
from storage.zone import local_time, system_zone, zone_info, zone_name

PREFIX = "dynamic_partition."
UNITS = ("HOUR", "DAY", "WEEK", "MONTH", "YEAR")
NEVER = -2147483648  # dynamic_partition.start: nothing is ever dropped
UNSET = -1  # history_partition_num
LIMIT = 500  # Doris: max_dynamic_partition_num

_DEFAULTS = {
    "enable": "true",
    "start": str(NEVER),
    "create_history_partition": "false",
    "history_partition_num": str(UNSET),
    "hot_partition_num": "0",
    "reserved_history_periods": "NULL",
}
_NAMES = (
    *_DEFAULTS, "time_unit", "time_zone", "end", "prefix", "buckets", "start_day_of_week", "start_day_of_month",
    "replication_num", "replication_allocation", "storage_policy", "storage_medium",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rule:
    """The settings of one table, typed."""

    enable: bool
    unit: str
    start: int
    end: int
    prefix: str
    history: int  # how many units before now are created at once, 0 without create_history_partition
    weekday: int  # 1 Monday … 7 Sunday
    day: int
    periods: tuple[tuple[str, str], ...]
    zone: dt.tzinfo

    def now(self, unix_ms: int) -> dt.datetime:
        """The moment in the table's zone, without zone."""
        return local_time(unix_ms, self.zone)


def names_any(properties: Mapping[str, str]) -> bool:
    """Whether some property is of this family."""
    return any(key.startswith(PREFIX) for key in properties)


def settled(
    given: Mapping[str, str], parting: Partitioning | None, columns: tuple[Column, ...], buckets: int | None
) -> dict[str, str]:
    """The whole family with its defaults, in the order they are shown; raises DYNAMIC_…."""
    own = {key.removeprefix(PREFIX): value for key, value in given.items() if key.startswith(PREFIX)}
    _check_names(own)
    if parting is None or parting.kind != "RANGE" or len(columns) != 1:
        raise DYNAMIC_COLUMNS()
    for name in ("time_unit", "prefix", "end"):
        if not own.get(name):
            raise DYNAMIC_MISSING(name=name)
    full = {**_DEFAULTS, "time_zone": system_zone(), "buckets": str(buckets or 10), **own}
    full["time_unit"] = full["time_unit"].upper()
    _check_column(full["time_unit"], parting, columns[0])
    _check_values(full, parting.auto)
    return {f"{PREFIX}{name}": full[name] for name in sorted(full, key=_rank)}


_SHOWN = ("enable", "time_unit", "time_zone", "start", "end", "prefix", "replication_allocation", "buckets")


def _rank(name: str) -> tuple[int, str]:
    return (_SHOWN.index(name) if name in _SHOWN else len(_SHOWN), name)


def _check_names(own: Mapping[str, str]) -> None:
    unknown = [f"{PREFIX}{name}" for name in own if name not in _NAMES]
    if unknown:
        raise DYNAMIC_NAMES(names=", ".join(unknown))


def _check_column(unit: str, parting: Partitioning, column: Column) -> None:
    if unit not in UNITS:
        raise DYNAMIC_UNIT(unit=unit)
    if not column.type.is_date:
        raise DYNAMIC_COLUMN(name=column.name, type=column.type)
    if unit == "HOUR" and column.type.name == "date":
        raise DYNAMIC_UNIT_TYPE(name=column.name)
    if parting.auto and (parting.unit or "").upper() != unit:
        raise DYNAMIC_AUTO_UNIT()


def _check_values(full: Mapping[str, str], auto: bool) -> None:
    check_object("partition", full["prefix"])
    for name in ("enable", "create_history_partition"):
        if full[name].lower() not in ("true", "false"):
            raise DYNAMIC_SWITCH(name=name, value=full[name])
    start = _number(full, "start", lambda number: number < 0, DYNAMIC_START)
    end = _number(full, "end", lambda number: number > 0 or (auto and number == 0), DYNAMIC_END)
    _number(full, "buckets", lambda number: number > 0, DYNAMIC_BUCKETS)
    past = _number(full, "history_partition_num", lambda number: number >= UNSET, DYNAMIC_NUMBER)
    for name, most in (("start_day_of_week", 7), ("start_day_of_month", 28)):
        if name in full and not 1 <= _whole(full[name], name) <= most:
            raise DYNAMIC_DAY(name=name, most=most)
    if zone_name(full["time_zone"]) is None:
        raise UNKNOWN_TIME_ZONE(name=full["time_zone"])
    _periods(full["reserved_history_periods"], full["time_unit"])
    _check_count(full, start, end, past)


def _number(full: Mapping[str, str], name: str, holds: Callable[[int], bool], bad: Kind) -> int:
    number = _whole(full[name], name)
    if not holds(number):
        raise bad(name=name, value=full[name])
    return number


def _whole(text: str, name: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise DYNAMIC_NUMBER(name=name, value=text) from None


def _check_count(full: Mapping[str, str], start: int, end: int, past: int) -> None:
    """Not too many partitions at once; create_history_partition needs to know how far back."""
    first = 0
    if full["create_history_partition"].lower() == "true":
        first = start if past == UNSET else max(start, -past)
        if first == NEVER:
            raise DYNAMIC_HISTORY()
    if full["enable"].lower() == "true" and end - first > LIMIT:
        raise DYNAMIC_COUNT(count=end - first, limit=LIMIT)


_PERIOD = re.compile(r"\[([^\[\],]+),([^\[\],]+)\]")


def _periods(text: str, unit: str) -> tuple[tuple[str, str], ...]:
    """``[2024-01-01,2024-01-31],[…]`` as pairs; NULL or nothing is none."""
    if text.upper() in ("NULL", ""):
        return ()
    found = tuple((low.strip(), high.strip()) for low, high in _PERIOD.findall(text))
    length = 19 if unit == "HOUR" else 10
    shaped = ",".join(f"[{low},{high}]" for low, high in found) == re.sub(r"\s*,\s*", ",", text.strip())
    if not found or not shaped or any(not _is_moment(edge, length) for pair in found for edge in pair):
        raise DYNAMIC_PERIODS(value=text)
    if any(low > high for low, high in found):
        raise DYNAMIC_PERIODS(value=text)
    return found


def _is_moment(text: str, length: int) -> bool:
    return len(text) == length and read(text) is not None


def rule_of(table: Table) -> Rule | None:
    """The rule of a table, None without one; its properties were checked when they were set."""
    own = {key.removeprefix(PREFIX): value for key, value in table.properties if key.startswith(PREFIX)}
    if "time_unit" not in own:
        return None
    start, past = int(own["start"]), int(own["history_partition_num"])
    history = -start if past == UNSET else min(-start, past)
    return Rule(
        enable=own["enable"].lower() == "true",
        unit=own["time_unit"],
        start=start,
        end=int(own["end"]),
        prefix=own["prefix"],
        history=history if own["create_history_partition"].lower() == "true" else 0,
        weekday=int(own.get("start_day_of_week", 1)),
        day=int(own.get("start_day_of_month", 1)),
        periods=_periods(own["reserved_history_periods"], own["time_unit"]),
        zone=zone_info(zone_name(own["time_zone"]) or "UTC"),
    )


def is_dynamic(table: Table) -> bool:
    """Whether the scheduler adds and drops the table's partitions."""
    rule = rule_of(table)
    return rule is not None and rule.enable
