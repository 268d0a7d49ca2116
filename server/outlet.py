"""The way of encoded bytes from a worker thread to the event loop: bounded, cancellable, never in the way.

At most `IN_FLIGHT` chunks wait; then the worker waits. When the client has taken nothing for some seconds the
rest goes to a file without a name, so that the worker ends its read and DuckDB's snapshot is released
(a slow client pins no old version). Nothing is encoded and nothing is sent here.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
from collections import deque
from pathlib import Path

from server.encode import CHUNK, Chunk
from storage.errors import STORAGE_FAILURE, DorisError

IN_FLIGHT = 4
PATIENCE_SECONDS = 3.0
_SPOOL_PIECE = 1 << 18


class Outlet:
    """The bytes of one command's answer; `send` and `finish` belong to the worker, the rest to the loop."""

    def __init__(self, directory: Path) -> None:
        self.is_broken = False  # bytes were lost: nothing but the end of the connection can follow
        self._loop = asyncio.get_running_loop()
        self._directory = directory
        self._gate = threading.Semaphore(IN_FLIGHT)
        self._spool: _Spool | None = None
        self._cancelled: DorisError | None = None
        # what the loop has been told, in the worker's order: chunks, then bytes in the file, then the last packets
        self._chunks: deque[Chunk] = deque()
        self._spooled = 0
        self._last: Chunk | None = None
        self._is_finished = False
        self._wake = asyncio.Event()

    # -- worker thread ---------------------------------------------------------------------------
    @property
    def cancelled(self) -> DorisError | None:
        """The reason of a cancellation."""
        return self._cancelled

    def send(self, packets: Chunk) -> None:
        """Hand over whole packets, waiting for the client or for nobody; then raise the reason of a cancellation."""
        view = memoryview(packets)
        for start in range(0, len(view), CHUNK):
            self._send(view[start : start + CHUNK])
        if self._cancelled is not None:
            raise self._cancelled

    def _send(self, chunk: memoryview) -> None:
        """Hand over a cut; after a cancellation without waiting, since packets must not end in the middle."""
        if self._spool is None and (self._cancelled is not None or self._gate.acquire(timeout=PATIENCE_SECONDS)):
            self._loop.call_soon_threadsafe(self._take_chunk, chunk)
            return
        try:
            if self._spool is None:
                self._spool = _Spool(self._directory)
            written = self._spool.append(chunk)
        except OSError as cause:
            self.is_broken = True
            raise STORAGE_FAILURE(reason=f"the rest of the result cannot be kept for the client: {cause}") from cause
        self._loop.call_soon_threadsafe(self._take_spooled, written)

    def finish(self, last: Chunk) -> None:
        """End the answer with its last packets; never waits and is never cancelled."""
        self.is_broken |= not last
        self._loop.call_soon_threadsafe(self._take_last, last)

    # -- event loop ------------------------------------------------------------------------------
    def _take_chunk(self, chunk: Chunk) -> None:
        self._chunks.append(chunk)
        self._wake.set()

    def _take_spooled(self, written: int) -> None:
        self._spooled = written
        self._wake.set()

    def _take_last(self, last: Chunk) -> None:
        self._last, self._is_finished = last, True
        self._wake.set()

    async def chunk(self) -> Chunk | None:
        """The next bytes to send, None at the end; say `sent` before asking again."""
        while True:
            if self._chunks:
                return self._chunks.popleft()
            if self._spool is not None and (data := self._spool.take(_SPOOL_PIECE, self._spooled)):
                return data
            if self._is_finished:
                last, self._last = self._last, None
                return last or None
            await self._change()

    async def _change(self) -> None:
        self._wake.clear()
        await self._wake.wait()

    def sent(self) -> None:
        """Let the worker hand over one chunk more."""
        self._gate.release()

    def cancel(self, reason: DorisError) -> bool:
        """Make the worker's next `send` raise; from any thread. The first reason stands; False for a later one."""
        is_first = self._cancelled is None
        if is_first:
            self._cancelled = reason
        self._gate.release()
        return is_first

    async def ended(self) -> None:
        """Wait until the worker has finished."""
        while not self._is_finished:
            await self._change()

    def close(self) -> None:
        """Let go of the file; only after the worker has finished."""
        if self._spool is not None:
            self._spool.close()


class _Spool:
    """A file without a name, written at its end by the worker and read from its start by the loop."""

    def __init__(self, directory: Path) -> None:
        self._file = tempfile.TemporaryFile(dir=directory)  # noqa: SIM115  `close` closes it
        self._written = 0
        self._read = 0

    def append(self, chunk: memoryview) -> int:
        """Write a chunk; return the size of the file."""
        while chunk:
            count = os.pwrite(self._file.fileno(), chunk, self._written)
            self._written += count
            chunk = chunk[count:]
        return self._written

    def take(self, size: int, end: int) -> bytes:
        """The next bytes before `end`; freshly written ones are in the page cache, so the loop does not wait long."""
        data = os.pread(self._file.fileno(), min(size, end - self._read), self._read)
        self._read += len(data)
        return data

    def close(self) -> None:
        self._file.close()
