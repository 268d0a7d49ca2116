"""Make writers of one table wait for each other, so that one of them commits for all."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from storage.database import Database
from tests.waiting import wait

Outcome = object | BaseException


class Pause:
    """A step hook that waits, once, at the step it is told."""

    def __init__(self) -> None:
        self.at = ""
        self.reached, self.over = threading.Event(), threading.Event()

    def __call__(self, step: str) -> None:
        if step == self.at:
            self.at = ""
            self.reached.set()
            assert self.over.wait(20)


def commit_together(database: Database, table_id: int, calls: Sequence[Callable[[], object]]) -> list[Outcome]:
    """Run the calls in threads that all wait for the table's lock before any of them may go on; in this order.

    Gives each call's result, or the error it raised.
    """
    with ThreadPoolExecutor(len(calls)) as pool:
        with database.locks.writing([table_id], (), ()):
            futures = []
            for place, call in enumerate(calls, 1):
                futures.append(pool.submit(call))
                wait(lambda wanted=place: database.together.waiting(table_id) >= wanted, 20)  # type: ignore[misc]
        return [_outcome(future) for future in futures]


def _outcome(future: Future[object]) -> Outcome:
    return future.exception() or future.result()
