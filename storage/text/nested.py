"""The text of ARRAY, MAP and STRUCT values as clients write it, turned into JSON that DuckDB can cast.

    [1, 'a', null]      {k:1, 2:"b"}      [2024-01-01, x]      ->  JSON with quoted keys and texts

Reads what Doris reads from a load or a string: single or double quotes, keys without quotes, bare words as texts.
Works on columns; a text that is no nested value gives NULL. Source: Doris documentation,
"ARRAY", "MAP", "STRUCT".
"""

from __future__ import annotations

import json
import re

import pyarrow as pa

from storage.column import Column, whole

_SPACE = re.compile(r"\s*")
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"", re.DOTALL)
_BARE = re.compile(r"[^,:\[\]{}]+")
_BARE_VALUE = re.compile(r"[^,\[\]{}]+")  # a bare datetime has colons
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0"}
_DEPTH = 12


class _MalformedError(ValueError):
    """The text is no nested value."""


def to_json(texts: Column) -> pa.Array:
    """JSON of each text, NULL where there is none."""
    return pa.array((None if text is None else _json(text) for text in whole(texts).to_pylist()), pa.string())


def to_text(texts: Column) -> pa.Array:
    """The text that a client sees for a nested value given as JSON: ``[1, null]``, ``{"k":1, "l":2}``."""
    values = (None if text is None else _spaced(json.loads(text)) for text in whole(texts).to_pylist())
    return pa.array(values, pa.string())


def _spaced(value: object) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(key, ensure_ascii=False)}:{_spaced(v)}' for key, v in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_spaced, value))}]"
    return str(int(value)) if isinstance(value, bool) else json.dumps(value, ensure_ascii=False)


def _json(text: str) -> str | None:
    try:
        return _Reader(text).document()
    except _MalformedError:
        return None


class _Reader:
    """Reads one text from left to right and gives it back as JSON."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def document(self) -> str:
        found = self._value(0)
        if self._peek():
            raise _MalformedError
        return found

    def _peek(self) -> str:
        """The next character that is no blank, empty at the end."""
        space = _SPACE.match(self._text, self._at)
        self._at = space.end() if space else self._at
        return self._text[self._at : self._at + 1]

    def _take(self, wanted: str) -> bool:
        if self._peek() != wanted:
            return False
        self._at += 1
        return True

    def _value(self, depth: int) -> str:
        if depth > _DEPTH:
            raise _MalformedError
        if self._take("["):
            return f"[{','.join(self._items(']', depth))}]"
        if self._take("{"):
            return f"{{{','.join(self._pairs(depth))}}}"
        return self._scalar(_BARE_VALUE)

    def _items(self, end: str, depth: int) -> list[str]:
        items: list[str] = []
        while not self._take(end):
            if items and not self._take(","):
                raise _MalformedError
            items.append(self._value(depth + 1))
        return items

    def _pairs(self, depth: int) -> list[str]:
        pairs: list[str] = []
        while not self._take("}"):
            if pairs and not self._take(","):
                raise _MalformedError
            key = self._scalar(_BARE)
            if not self._take(":"):
                raise _MalformedError
            key = key if key.startswith('"') else json.dumps(key)
            pairs.append(f"{key}:{self._value(depth + 1)}")
        return pairs

    def _scalar(self, bare: re.Pattern[str]) -> str:
        if self._peek() in ("'", '"'):
            found = _QUOTED.match(self._text, self._at)
            if found is None:
                raise _MalformedError
            self._at = found.end()
            inside = found[1] if found[1] is not None else found[2]
            return json.dumps(_ESCAPE.sub(lambda part: _ESCAPED.get(part[1], part[1]), inside), ensure_ascii=False)
        word = bare.match(self._text, self._at)
        if word is None:
            raise _MalformedError
        self._at = word.end()
        return _bare(word[0].strip())


def _bare(word: str) -> str:
    """A word without quotes: NULL, a truth, a number, else a text."""
    if word.lower() in ("null", "true", "false"):
        return word.lower()
    if not word or _NUMBER.fullmatch(word):
        return word or '""'
    return json.dumps(word, ensure_ascii=False)
