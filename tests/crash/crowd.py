"""The process that is killed while several writers commit as one: tells each statement that was acknowledged."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path

from storage.step import VARIABLE
from tests.local import Local
from tests.waiting import wait

WRITERS = 6
ROUNDS = 8


def run(directory: Path, crash_at: str, told: Connection) -> None:
    """Each writer inserts two rows a statement; those of a round wait for the table, so that one commits for all."""
    os.environ[VARIABLE] = crash_at
    local = Local(directory)
    saying = threading.Lock()
    table_id = next(table.id for table in local.database.catalog.tables.values() if table.name == "base")

    def write(number: int, writer: int) -> None:
        first = (number * WRITERS + writer) * 2
        local.connect("crash").execute(f"INSERT INTO base VALUES ({first}, {writer}), ({first + 1}, {writer})")
        with saying:
            told.send(first)

    with ThreadPoolExecutor(WRITERS) as pool:
        for number in range(ROUNDS):
            with local.database.locks.writing([table_id], (), ()):
                futures = [pool.submit(write, number, writer) for writer in range(WRITERS)]
                wait(lambda: local.database.together.waiting(table_id) >= WRITERS)
            for future in futures:
                future.result()
    local.close()
