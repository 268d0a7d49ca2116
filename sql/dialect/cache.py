"""The statement cache: texts that come again are parsed once; texts that come once do not push them out.

A text is kept from its second appearance on (a "doorkeeper" remembers the first), so that statements
which differ in a literal only cannot flood it. Safe for many threads; knows nothing of trees.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

V = TypeVar("V")

LONGEST = 4096  # bytes of a text worth keeping
KEPT = 512
REMEMBERED = 4096


class Cache(Generic[V]):
    """Least recently used values by text, bounded in number and in length of text."""

    def __init__(self) -> None:
        self._values: OrderedDict[str, V] = OrderedDict()
        self._seen: OrderedDict[int, None] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, text: str) -> V | None:
        with self._lock:
            value = self._values.get(text)
            if value is not None:
                self._values.move_to_end(text)
            return value

    def put(self, text: str, value: V) -> None:
        """Offer a value; it is kept if the text is short, no bulk INSERT, and was offered before."""
        if not _worth(text):
            return
        mark = hash(text)
        with self._lock:
            if mark in self._seen:
                self._values[text] = value
                _trim(self._values, KEPT)
            else:
                self._seen[mark] = None
                _trim(self._seen, REMEMBERED)


def _worth(text: str) -> bool:
    if len(text) > LONGEST or len(text.encode(errors="replace")) > LONGEST:
        return False
    words = text[:LONGEST].upper()
    return not ("INSERT" in words and "VALUES" in words)


def _trim(entries: OrderedDict[str, V] | OrderedDict[int, None], size: int) -> None:
    while len(entries) > size:
        entries.popitem(last=False)
