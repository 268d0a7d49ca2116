"""Paths into JSON documents: ``$.a."b c"[0][last-1]``, with wildcards ``.*``, ``[*]`` and ``**``.

Source: Doris: JSON_EXTRACT, json_path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from storage.errors import JSON_PATH

_STEP = re.compile(
    r"""\*\*(?P<deep>)
      | \.?\[\s*(?:\*(?P<items>)|(?P<index>\d+)|last\s*(?:-\s*(?P<back>\d+))?(?P<last>))\s*\]
      | \.(?:\*(?P<members>)|"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<key>[^.\[\]"*]+))""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a member by its `key`, an element by its `place` (below 0 from the end), or many at once."""

    kind: Literal["member", "element", "members", "items", "deep"]
    key: str = ""
    place: int = 0


@lru_cache(1024)
def steps_of(path: str) -> tuple[Step, ...]:
    """The steps of a path; raises JSON_PATH."""
    plain = path.strip()
    steps, at = [], 1
    while plain.startswith("$") and at < len(plain):
        step = _STEP.match(plain, at)
        if step is None:
            break
        steps.append(_step(step))
        at = step.end()
    if not plain.startswith("$") or at < len(plain):
        raise JSON_PATH(path=path)
    return tuple(steps)


def _step(found: re.Match[str]) -> Step:
    if found["deep"] is not None:
        return Step("deep")
    if found["items"] is not None:
        return Step("items")
    if found["members"] is not None:
        return Step("members")
    if found["index"] is not None:
        return Step("element", place=int(found["index"]))
    if found["last"] is not None:
        return Step("element", place=-1 - int(found["back"] or 0))
    quoted = found["quoted"]
    return Step("member", key=found["key"] if quoted is None else re.sub(r"\\(.)", r"\1", quoted))


def is_single(steps: Sequence[Step]) -> bool:
    """Whether a path leads to one value at most."""
    return all(step.kind in ("member", "element") for step in steps)


def found(value: object, steps: Sequence[Step]) -> Iterator[object]:
    """All values that lie at a path below `value`, in the order of the document."""
    if not steps:
        yield value
        return
    for inner in _next(value, steps[0]):
        yield from found(inner, steps[1:])


def _next(value: object, step: Step) -> Iterator[object]:
    if step.kind == "deep":
        yield from _below(value)
    elif isinstance(value, dict):
        if step.kind == "members":
            yield from value.values()
        elif step.kind == "member" and step.key in value:
            yield value[step.key]
    elif isinstance(value, list):
        if step.kind == "items":
            yield from value
        elif step.kind == "element" and -len(value) <= step.place < len(value):
            yield value[step.place]


def _below(value: object) -> Iterator[object]:
    """A value and all that is in it."""
    yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in inner:
        yield from _below(item)
