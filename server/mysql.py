"""The MySQL listener: accepts clients on one socket and sees to their end.

What a client may say is in server/connection.py and server/command.py.
"""

from __future__ import annotations

import asyncio
import logging
import socket

from server.command import Services
from server.connection import WireConnection
from server.start import BACKLOG
from server.stream import WireProtocol, WireStream

LOG = logging.getLogger(__name__)


class WireServer:
    """All connections of one listening socket."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._connections: dict[asyncio.Task[None], WireConnection] = {}
        self._server: asyncio.Server | None = None

    async def start(self, listener: socket.socket) -> None:
        """Listen on a bound socket; raises OSError."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: WireProtocol(self._accept), sock=listener, backlog=BACKLOG)

    async def stop(self, patience: float) -> bool:
        """Accept nobody any more, close idle clients, interrupt statements that run longer than `patience` seconds.

        False when some do not end even then.
        """
        if self._server is not None:
            self._server.close()
        for connection in list(self._connections.values()):
            connection.finish()
        if await self._all_gone(patience):
            return True
        self.interrupt()
        return await self._all_gone(patience)

    def interrupt(self) -> None:
        """Interrupt all running statements because the server ends."""
        for connection in list(self._connections.values()):
            connection.interrupt()

    def _accept(self, stream: WireStream) -> None:
        connection = WireConnection(stream, self._services)
        task = asyncio.get_running_loop().create_task(connection.run(), name=f"mysql-{connection.id}")
        self._connections[task] = connection
        task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[None]) -> None:
        del self._connections[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            LOG.error("%s failed", task.get_name(), exc_info=error)

    async def _all_gone(self, patience: float) -> bool:
        if not self._connections:
            return True
        _, pending = await asyncio.wait(list(self._connections), timeout=patience)
        return not pending
