"""Functions over the events of a group: how far a chain of them gets, how often a pattern occurs.

Each row is one group: a list of its rows, with the moment (`t`, microseconds) and the conditions that hold (`e`, the
first one in the lowest bit). Rows without a moment do not count. Source: Doris: WINDOW_FUNNEL, SEQUENCE_MATCH,
SEQUENCE_COUNT.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from storage.column import Column, whole
from storage.errors import FUNNEL_MODE
from storage.state.sequence import matches, pattern_of

_SECOND = 1_000_000
_BROKEN = ("deduplication", "fixed")  # modes in which other events break a chain
_MODES = ("default", "increase", *_BROKEN)

Events = tuple[Sequence[int], Sequence[int]]  # moments in order, and the conditions that hold then


def window_funnel(lists: Column, windows: Column, modes: Column) -> pa.Array:
    """How many conditions of the longest chain hold one after the other within so many seconds."""
    rows = zip(_groups(lists), _cells(windows), _cells(modes), strict=True)
    return pa.array((_funnel(events, window, mode) for events, window, mode in rows), pa.int32())


def sequence_match(lists: Column, patterns: Column, conditions: Column) -> pa.Array:
    """Whether a pattern occurs; NULL of no events."""
    counts = _sequences(lists, patterns, conditions, once=True)
    return pa.array((None if count is None else count > 0 for count in counts), pa.bool_())


def sequence_count(lists: Column, patterns: Column, conditions: Column) -> pa.Array:
    """How often a pattern occurs, one occurrence behind the other; NULL of no events."""
    return pa.array(_sequences(lists, patterns, conditions, once=False), pa.int64())


def _cells(column: Column) -> list[Any]:
    return list(whole(column).to_pylist())


def _groups(lists: Column) -> Iterator[Events | None]:
    """The events of each list by their moments; None of a list that is NULL."""
    for group in whole(lists):
        items = group.values if group.is_valid else None
        if items is None:
            yield None
            continue
        rows = items.filter(items.field("t").is_valid())
        times = rows.field("t").cast(pa.timestamp("us")).cast(pa.int64()).to_numpy()
        order = np.argsort(times, kind="stable")
        yield times[order].tolist(), rows.field("e").to_numpy()[order].tolist()


# -- funnel ------------------------------------------------------------------------------------------
def _funnel(events: Events | None, window: int | None, mode: str | None) -> int:
    if mode is None or mode.lower() not in _MODES:
        raise FUNNEL_MODE(mode=mode or "NULL")
    if events is None or window is None:
        return 0
    times, held = events
    if mode.lower() in _BROKEN:
        starts = [place for place, conditions in enumerate(held) if conditions & 1]
        return max((_chain(times, held, start, window * _SECOND, mode.lower()) for start in starts), default=0)
    return _longest(times, held, window * _SECOND, rising=mode.lower() == "increase")


def _longest(times: Sequence[int], held: Sequence[int], window: int, rising: bool) -> int:
    """The length of the longest chain, one pass for all: `begun` holds when the latest chain of each length began."""
    begun: list[int] = []
    batch: dict[int, int] = {}
    last = None
    for moment, conditions in zip(times, held, strict=True):
        if not rising or moment != last:
            _take(begun, batch)
        last = moment
        for length in range(len(begun), 0, -1):
            if conditions >> length & 1 and moment <= begun[length - 1] + window:
                batch[length] = max(batch.get(length, begun[length - 1]), begun[length - 1])
        if conditions & 1:
            batch[0] = moment
    _take(begun, batch)
    return len(begun)


def _take(begun: list[int], batch: dict[int, int]) -> None:
    """Note the chains that the last rows made longer; none of them may take up another of these rows."""
    for length in sorted(batch):
        begun[length : length + 1] = [max([batch[length], *begun[length : length + 1]])]
    batch.clear()


def _chain(times: Sequence[int], held: Sequence[int], start: int, window: int, mode: str) -> int:
    """The length of the chain that begins at `start`, and that other events break."""
    length = 1
    for place in range(start + 1, len(times)):
        if times[place] > times[start] + window:
            break
        if held[place] >> length & 1:
            length += 1
        elif mode == "fixed" or held[place] & ((1 << length) - 1):
            break
    return length


# -- sequences ---------------------------------------------------------------------------------------
def _sequences(lists: Column, patterns: Column, conditions: Column, once: bool) -> Iterator[int | None]:
    for events, text, count in zip(_groups(lists), _cells(patterns), _cells(conditions), strict=True):
        steps = pattern_of(text or "", count)
        if events is None or not events[0] or text is None:
            yield None
            continue
        known = [(moment // _SECOND, held) for moment, held in zip(*events, strict=True) if held]
        yield sum(1 for _ in matches(steps, known, once))
