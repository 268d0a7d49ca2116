"""The time limit of a running text, kept on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

_LOOK_SECONDS = 1.0  # how often the limit is looked at


class Timer:
    """Calls `expire` once `left` has run out; asked each second, since each statement has a limit of its own."""

    def __init__(self, left: Callable[[], float], expire: Callable[[], None]) -> None:
        self._left, self._expire = left, expire
        self._handle = asyncio.get_running_loop().call_later(_LOOK_SECONDS, self._fire)

    def _fire(self) -> None:
        left = self._left()
        if left > 0:
            self._handle = asyncio.get_running_loop().call_later(min(left, _LOOK_SECONDS), self._fire)
        else:
            self._expire()

    def cancel(self) -> None:
        self._handle.cancel()
