"""One thread for one connection: started with its first job, ended with the connection.

Jobs run in order, one at a time, so that a session's context and DuckDB cursor are used by one thread only.
What a job does is not this module's business.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import TypeVar

from storage.errors import DorisError

T = TypeVar("T")
Job = Callable[[], None]


class Worker:
    """A lazily started thread with a queue of jobs."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def submit(self, job: Job) -> None:
        """Run a job after those before it; it must not raise."""
        if self._thread is None:
            # a daemon: a statement that cannot be interrupted must not keep the process from ending
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()
        self._jobs.put(job)

    async def call(self, function: Callable[[], T]) -> T:
        """Run a function on the thread and wait for its result; it may raise DorisError and nothing else."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self.submit(lambda: _settle(loop, future, function))
        return await asyncio.shield(future)

    async def stop(self) -> None:
        """End the thread after the jobs that wait; returns when they are done."""
        if self._thread is not None:
            try:
                await self.call(lambda: None)
            finally:
                self._jobs.put(None)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
            del job  # keeps nothing of a finished statement alive while it waits


def _settle(loop: asyncio.AbstractEventLoop, future: asyncio.Future[T], function: Callable[[], T]) -> None:
    try:
        result = function()
    except DorisError as error:
        loop.call_soon_threadsafe(future.set_exception, error)
        return
    loop.call_soon_threadsafe(future.set_result, result)
