"""The process that is killed: open a data directory and run statements, telling each one that was acknowledged.

A fork server that has the engine imported starts these processes, since importing takes longer than the work.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from storage.step import VARIABLE
from tests.local import Local


def run(directory: Path, statements: Sequence[str], crash_at: str | None, told: Connection) -> None:
    """Run the statements in database `crash`, then close in order; `crash_at` says at which step it dies."""
    if crash_at:
        os.environ[VARIABLE] = crash_at
    local = Local(directory)
    session = local.connect("crash")
    for number, text in enumerate(statements):
        session.execute(text)
        told.send(number)
    local.close()
