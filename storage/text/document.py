"""JSON documents as texts: what DuckDB's own functions do otherwise than Doris, or lack.

Functions of single values, which storage/text/distinct.py makes functions of columns. A path that is none raises
JSON_PATH. Source: Doris: JSON functions, json_path; JSON_CONTAINS, JSON_SEARCH, JSON_INSERT, JSON_SET.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from storage.errors import JSON_SEARCH_MODE
from storage.text.json_edit import edited
from storage.text.json_path import found, is_single, steps_of

_WORD = re.compile(r"\w+")


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def part(document: str, path: str) -> str | None:
    """What lies at a path; at a path with wildcards the array of all that does."""
    steps = steps_of(path)
    hits = list(found(json.loads(document), steps))
    if not hits:
        return None
    return _text(hits[0] if is_single(steps) else hits)


def parts(document: str, paths: tuple[str | None, ...]) -> str | None:
    """The array of all that lies at several paths; None for nothing, and for a path that is NULL."""
    if None in paths:
        return None
    root = json.loads(document)
    hits = [hit for path in paths if path is not None for hit in found(root, steps_of(path))]
    return _text(hits) if hits else None


def contains(document: str, candidate: str) -> bool:
    """Whether a document contains another."""
    return _has(json.loads(document), json.loads(candidate))


def _has(value: object, wanted: object) -> bool:
    """An array has what one of its elements has, an object the members of another."""
    if isinstance(value, list):
        if isinstance(wanted, list):
            return all(any(_has(item, one) for item in value) for one in wanted)
        return any(_has(item, wanted) for item in value)
    if isinstance(value, dict):
        return isinstance(wanted, dict) and all(key in value and _has(value[key], one) for key, one in wanted.items())
    return isinstance(value, bool) == isinstance(wanted, bool) and value == wanted


def search(document: str, mode: str, pattern: str) -> str | None:
    """The path of the first text that is LIKE a pattern (one), or the array of the paths of them all (all)."""
    if mode.lower() not in ("one", "all"):
        raise JSON_SEARCH_MODE(value=mode)
    wanted = re.compile(_expression(pattern), re.DOTALL)
    paths = _paths(json.loads(document), "$", wanted)
    if mode.lower() == "one":
        first = next(paths, None)
        return None if first is None else _text(first)
    hits = sorted(paths)
    return None if not hits else _text(hits if len(hits) > 1 else hits[0])


def _expression(pattern: str) -> str:
    """The regular expression of a LIKE pattern."""
    pieces = re.findall(r"\\.|.", pattern, re.DOTALL)
    return "".join({"%": ".*", "_": "."}.get(piece) or re.escape(piece.removeprefix("\\") or piece) for piece in pieces)


def _paths(value: object, path: str, wanted: re.Pattern[str]) -> Iterator[str]:
    """The paths of all texts below a value that match."""
    if isinstance(value, str) and wanted.fullmatch(value):
        yield path
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _paths(item, f"{path}.{key if _WORD.fullmatch(key) else _text(key)}", wanted)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _paths(item, f"{path}[{place}]", wanted)


def edit(document: str, paths: tuple[str | None, ...], values: tuple[str | None, ...], mode: str) -> str | None:
    """A document with values, JSON texts, put at paths in their order; the mode is insert, replace or set."""
    if None in paths:
        return None
    root = json.loads(document)
    for path, value in zip(paths, values, strict=True):
        root = edited(root, str(path), json.loads(value or "null"), mode)
    return _text(root)
