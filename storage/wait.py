"""SLEEP: a wait within a query, which another thread can end by ringing the bell of its session.

Source: Doris: SLEEP.
"""

from __future__ import annotations

import itertools
import threading
import weakref

import pyarrow as pa

from storage.column import Column, whole

_numbers = itertools.count(1)
_bells: weakref.WeakValueDictionary[int, Bell] = weakref.WeakValueDictionary()


class Bell:
    """What ends the waits of one session; `number` names it in a query."""

    def __init__(self) -> None:
        self.number = next(_numbers)
        self._rung = threading.Event()
        _bells[self.number] = self

    def ring(self) -> None:
        """End the wait that is going on, and every later one until `still`; from any thread."""
        self._rung.set()

    def still(self) -> None:
        """Let waits be as long as they are wanted."""
        self._rung.clear()

    def wait(self, seconds: float) -> None:
        """Wait, or raise InterruptedError once the bell rings."""
        if self._rung.wait(min(seconds, threading.TIMEOUT_MAX)):
            raise InterruptedError


def sleep(seconds: Column, numbers: Column) -> pa.Array:
    """Wait for each row so many seconds as its session's bell allows; TRUE, or NULL where no time is given."""
    times = whole(seconds).to_pylist()
    for time, number in zip(times, whole(numbers).to_pylist(), strict=True):
        if time is not None and time > 0:
            _bells[number].wait(time)
    return pa.array((None if time is None else True for time in times), pa.bool_())
