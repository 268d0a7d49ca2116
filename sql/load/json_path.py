"""The JSON paths of Stream Load: `$.a.b`, `$.list[0]`, `$.list[*].x`, `$["odd name"]`.

Pure; a path that leads nowhere gives MISSING. Source: Doris: Stream Load, jsonpaths, json_root.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from sql.load.json_text import decoded
from storage.errors import LOAD_JSON_PATHS


class _Missing(Enum):
    MISSING = "missing"


MISSING = _Missing.MISSING
Step = str | int | None  # a key, a place, or every element

_STEP = re.compile(r"""\.([^.\[\]]+)|\[(?:(\d{1,9})|(\*)|"([^"]*)"|'([^']*)')\]""")


def parse(text: str) -> tuple[Step, ...]:
    """The steps of a path."""
    if not text.startswith("$"):
        raise LOAD_JSON_PATHS(value=text)
    steps: list[Step] = []
    position = 1
    while position < len(text):
        found = _STEP.match(text, position)
        if found is None:
            raise LOAD_JSON_PATHS(value=text)
        key, place, every, *quoted = found.groups()
        steps.append(int(place) if place else None if every else key or quoted[0] or quoted[1] or "")
        position = found.end()
    return tuple(steps)


def parse_list(text: str) -> list[tuple[Step, ...]]:
    """The header `jsonpaths`: a JSON array of paths."""
    try:
        paths = decoded(text)
    except ValueError:
        raise LOAD_JSON_PATHS(value=text) from None
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        raise LOAD_JSON_PATHS(value=text)
    return [parse(path) for path in paths]


def follow(value: object, steps: Sequence[Step]) -> object:
    """What a path leads to in a parsed document."""
    for place, step in enumerate(steps):
        if step is None:
            if not isinstance(value, list):
                return MISSING
            found = (follow(item, steps[place + 1 :]) for item in value)
            return [item for item in found if item is not MISSING]
        value = _into(value, step)
        if value is MISSING:
            return MISSING
    return value


def _into(value: object, step: str | int) -> object:
    if isinstance(step, str):
        return value.get(step, MISSING) if isinstance(value, dict) else MISSING
    return value[step] if isinstance(value, list) and step < len(value) else MISSING
