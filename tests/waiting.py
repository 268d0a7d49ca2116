"""Wait for what another thread or process does: bounded, and never by a sleep that should be long enough."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def wait(condition: Callable[[], T | None], seconds: float = 10) -> T:
    """Ask until the answer is true, and return it; a failure after some seconds."""
    end = time.monotonic() + seconds
    while not (answer := condition()):
        assert time.monotonic() < end, f"in vain for {seconds:g} s"
        time.sleep(0.005)
    return answer
