"""The text of ARRAY, MAP and STRUCT values as clients write it, turned into JSON that DuckDB can cast.

    [1, 'a', null]      {k:1, 2:"b"}      [2024-01-01, x]      ->  JSON with quoted keys and texts

Reads what Doris reads from a load or a string: single or double quotes, keys without quotes, bare words as texts.
Works on columns; a text that is no nested value gives NULL. Source: Doris documentation,
"ARRAY", "MAP", "STRUCT", "Cast to/from STRUCT".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pyarrow as pa

from storage.catalog.detail import type_from_json
from storage.column import Column, whole
from storage.types import DorisType

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


def to_fitting_json(texts: Column, kinds: Column, strict: Column) -> pa.Array:
    """The same for a type that has a STRUCT inside, given as JSON (storage/catalog/detail.py), with the type's fields.

    Fields are found by their names, in any case and order, or all of them by their places; those that the text lacks
    are NULL. One that the type lacks makes the text no value if `strict`, else it is left out.
    """
    cells = whole(texts).to_pylist()
    if not cells:
        return pa.array([], pa.string())
    kind, exact = type_from_json(json.loads(whole(kinds)[0].as_py())), whole(strict)[0].as_py()
    return pa.array((None if text is None else _json(text, kind, exact) for text in cells), pa.string())


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


def _json(text: str, kind: DorisType | None = None, strict: bool = True) -> str | None:
    try:
        return _Reader(text, strict).document(kind)
    except _MalformedError:
        return None


class _Reader:
    """Reads one text from left to right and gives it back as JSON."""

    def __init__(self, text: str, strict: bool) -> None:
        self._text = text
        self._strict = strict
        self._at = 0

    def document(self, kind: DorisType | None) -> str:
        found = self._value(0, kind)
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

    def _value(self, depth: int, kind: DorisType | None = None) -> str:
        if depth > _DEPTH:
            raise _MalformedError
        if self._take("["):
            return f"[{','.join(self._items(depth, _inner(kind, 'array')))}]"
        if not self._take("{"):
            return self._scalar(_BARE_VALUE)
        if kind is not None and kind.name == "struct":
            return f"{{{','.join(self._fields(depth, kind))}}}"
        return f"{{{','.join(self._pairs(depth, _inner(kind, 'map')))}}}"

    def _listed(self, end: str) -> Iterator[None]:
        """One turn for each item of a list."""
        first = True
        while not self._take(end):
            if not first and not self._take(","):
                raise _MalformedError
            first = False
            yield

    def _items(self, depth: int, kind: DorisType | None) -> list[str]:
        return [self._value(depth + 1, kind) for _ in self._listed("]")]

    def _pairs(self, depth: int, kind: DorisType | None) -> list[str]:
        return [f"{_quoted(self._key())}:{self._value(depth + 1, kind)}" for _ in self._listed("}")]

    def _key(self) -> str:
        """A key with its colon."""
        found = self._scalar(_BARE)
        if not self._take(":"):
            raise _MalformedError
        return str(json.loads(found)) if found.startswith('"') else found

    # -- STRUCT ----------------------------------------------------------------------------------
    def _fields(self, depth: int, kind: DorisType) -> list[str]:
        """The fields of a STRUCT, all of them."""
        values = self._named(depth, kind) if self._is_named() else self._placed(depth, kind)
        return [f"{_quoted(name)}:{values.get(name.lower(), 'null')}" for name, _ in kind.children]

    def _is_named(self) -> bool:
        start = self._at
        try:
            self._key()
        except _MalformedError:
            return False
        finally:
            self._at = start
        return True

    def _named(self, depth: int, kind: DorisType) -> dict[str, str]:
        inner = {name.lower(): child for name, child in kind.children}
        values: dict[str, str] = {}
        for _ in self._listed("}"):
            name = self._key().lower()
            if name in values or (self._strict and name not in inner):
                raise _MalformedError
            values[name] = self._value(depth + 1, inner.get(name))
        return values

    def _placed(self, depth: int, kind: DorisType) -> dict[str, str]:
        values: dict[str, str] = {}
        children = iter(kind.children)
        for _ in self._listed("}"):
            name, child = next(children, (None, None))
            if name is None:
                raise _MalformedError
            values[name.lower()] = self._value(depth + 1, child)
        if values and next(children, None) is not None:
            raise _MalformedError
        return values

    def _scalar(self, bare: re.Pattern[str]) -> str:
        if self._peek() in ("'", '"'):
            found = _QUOTED.match(self._text, self._at)
            if found is None:
                raise _MalformedError
            self._at = found.end()
            return _quoted(_unescaped(found))
        word = bare.match(self._text, self._at)
        if word is None:
            raise _MalformedError
        self._at = word.end()
        return _bare(word[0].strip())


def _inner(kind: DorisType | None, name: str) -> DorisType | None:
    """The type of the elements of an ARRAY, of the values of a MAP."""
    return kind.children[-1][1] if kind is not None and kind.name == name else None


def _unescaped(found: re.Match[str]) -> str:
    """The text between quotes: as JSON reads it, else each escaped character by itself."""
    try:
        text = str(json.loads(found[0], strict=False))
        text.encode()
    except UnicodeEncodeError:
        raise _MalformedError from None
    except ValueError:
        text = found[1] if found[1] is not None else found[2]
        return _ESCAPE.sub(lambda part: _ESCAPED.get(part[1], part[1]), text)
    return text


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _bare(word: str) -> str:
    """A word without quotes: NULL, a truth, a number, else a text."""
    if word.lower() in ("null", "true", "false"):
        return word.lower()
    if not word or _NUMBER.fullmatch(word):
        return word or '""'
    return json.dumps(word, ensure_ascii=False)
