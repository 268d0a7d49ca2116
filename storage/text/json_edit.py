"""Put a value at a path of a JSON document (Doris: JSON_INSERT, JSON_REPLACE, JSON_SET)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from storage.errors import JSON_PATH_WILDCARD
from storage.text.json_path import Step, found, is_single, steps_of


def edited(root: object, path: str, value: object, mode: str) -> object:
    """The document with the value at the path: insert what is new, replace what is there, set does both.

    All but the last step must be there. Raises JSON_PATH, and JSON_PATH_WILDCARD for a path to many values.
    """
    steps = steps_of(path)
    if not is_single(steps):
        raise JSON_PATH_WILDCARD(path=path)
    exists = any(True for _ in found(root, steps))
    if mode == ("insert" if exists else "replace"):
        return root
    if not steps:
        return value
    if steps[-1].kind == "element" and not exists:
        return _appended(root, steps, value)
    holder = next(found(root, steps[:-1]), None)
    if steps[-1].kind == "member" and isinstance(holder, dict):
        holder[steps[-1].key] = value
    elif steps[-1].kind == "element":
        cast("list[object]", holder)[steps[-1].place] = value
    return root


def _appended(root: object, steps: Sequence[Step], value: object) -> object:
    """A value at the end of an array, or before it from the end; what is no array becomes the first element of one."""
    holders = list(found(root, steps[:-1]))
    if not holders:
        return root
    holder = holders[0]
    array = holder if isinstance(holder, list) else [holder]
    if steps[-1].place < 0:
        array.insert(0, value)
    else:
        array.append(value)
    return root if array is holder else _replaced(root, steps[:-1], array)


def _replaced(root: object, steps: Sequence[Step], value: object) -> object:
    """The document with another value at a path that is there."""
    if not steps:
        return value
    holder = next(found(root, steps[:-1]))
    place = steps[-1].key if steps[-1].kind == "member" else steps[-1].place
    cast("dict[object, object]", holder)[place] = value
    return root
