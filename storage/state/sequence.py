"""Patterns over the events of a group: ``(?1).*(?t<=3600)(?2)`` (Doris: SEQUENCE_MATCH, pattern syntax).

`(?N)` is an event for which condition N holds, `.` any event, `.*` any number of them; `(?t>=60)` lets events pass
until one is so many seconds behind the last that was matched.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from storage.errors import SEQUENCE_EVENT, SEQUENCE_PATTERN

_STEP = re.compile(r"\(\?(?:(?P<event>\d+)|t\s*(?P<sign><=|>=|==|<|>)\s*(?P<seconds>\d+))\)|(?P<many>\.\*)|(?P<any>\.)")
_SIGNS: dict[str, Callable[[int, int], bool]] = {
    "<=": operator.le, ">=": operator.ge, "==": operator.eq, "<": operator.lt, ">": operator.gt,
}  # fmt: skip
Event = tuple[int, int]  # second, conditions that hold
State = tuple[int, int, int]  # step, event, and the event that a distance is measured from
_FREE = -1  # in place of the latter: no distance is measured, or it is reached already


@dataclass(frozen=True, slots=True)
class Step:
    """One step: an event with the bit `number`, any one, any many, or a distance of `number` seconds."""

    kind: Literal["event", "any", "many", "time"]
    number: int = 0
    sign: str = ""


@lru_cache(256)
def pattern_of(text: str, conditions: int) -> tuple[Step, ...]:
    """The steps of a pattern over so many conditions; raises SEQUENCE_PATTERN and SEQUENCE_EVENT."""
    steps, at = [], 0
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None:
            raise SEQUENCE_PATTERN(pattern=text, place=at + 1)
        if found["event"] and not 1 <= int(found["event"]) <= conditions:
            raise SEQUENCE_EVENT(number=found["event"], pattern=text)
        steps.append(_step(found))
        at = found.end()
    if not steps:
        raise SEQUENCE_PATTERN(pattern=text, place=1)
    return tuple(steps)


def _step(found: re.Match[str]) -> Step:
    if found["event"]:
        return Step("event", 1 << int(found["event"]) - 1)
    if found["sign"]:
        return Step("time", int(found["seconds"]), found["sign"])
    return Step("many" if found["many"] else "any")


def matches(steps: Sequence[Step], events: Sequence[Event], once: bool) -> Iterator[int]:
    """Where the occurrences of a pattern end, each behind the one before; only the first one if `once`."""
    start, tried = 0, set[State]()
    while start < len(events):
        end = _end(steps, events, start, tried)
        start = start + 1 if end is None else max(end, start + 1)
        if end is not None:
            tried.clear()
            yield end
            if once:
                return


def _end(steps: Sequence[Step], events: Sequence[Event], start: int, tried: set[State]) -> int | None:
    """The place behind an occurrence that begins at `start`; states that failed once are not tried again."""
    open_states: list[State] = [(0, start, start if _measures(steps, 0) else _FREE)]
    while open_states:
        state = open_states.pop()
        if state[0] == len(steps):
            return state[1]
        if state not in tried:
            tried.add(state)
            open_states += _next(steps, state, events)
    return None


def _next(steps: Sequence[Step], state: State, events: Sequence[Event]) -> Iterator[State]:
    """What may follow a state, the likeliest last."""
    at, place, base = state
    step, has_event = steps[at], place < len(events)
    if step.kind == "many":
        if has_event:
            yield at, place + 1, base
        yield at + 1, place, base
    elif has_event and step.kind == "time":
        distance = _FREE if base == _FREE else events[place][0] - events[base][0]
        fits = base == _FREE or _SIGNS[step.sign](distance, step.number)
        if fits or distance < step.number or step.sign.startswith(">"):
            yield at, place + 1, _FREE if fits and step.sign.startswith(">") else base
        if fits:
            yield at + 1, place, place if _measures(steps, at + 1) else _FREE
    elif has_event and (step.kind == "any" or events[place][1] & step.number):
        yield at + 1, place + 1, place if _measures(steps, at + 1) else _FREE


def _measures(steps: Sequence[Step], at: int) -> bool:
    """Whether a distance is measured before another event is matched; if not, states differ by their places alone."""
    while at < len(steps) and steps[at].kind == "many":
        at += 1
    return at < len(steps) and steps[at].kind == "time"
