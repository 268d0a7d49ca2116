"""Named steps of a commit, and the one place where a crash test may end the process at one of them.

``DORISETTE_CRASH_AT=<step>[:n]`` kills the process with SIGKILL when the step is reached for the
n-th time (first by default). Without it a step does nothing.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

VARIABLE = "DORISETTE_CRASH_AT"
Step = Callable[[str], None]

STEPS = (
    "locked",
    "tso",
    "begun",
    "mark",
    "offset",
    "change",
    "write",
    "part_version",
    "label",
    "before_commit",
    "after_commit",
    "published",
)


def _nothing(name: str) -> None:
    """The step hook of a normal run."""


def from_environment() -> Step:
    """The hook this process was started with; ValueError for a step that does not exist."""
    wanted = os.environ.get(VARIABLE)
    if not wanted:
        return _nothing
    name, _, times = wanted.partition(":")
    if name not in STEPS:
        raise ValueError(f"{VARIABLE}: unknown step {name}")
    left = int(times or 1)

    def crash(reached: str) -> None:
        nonlocal left
        if reached == name:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    return crash
