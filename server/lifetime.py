"""The event loop of a running server: both listeners, from the first client to the orderly stop.

Order of the stop: no new clients, idle ones are closed, running statements end or are interrupted, lineage events
are handed over, then HTTP.
The database is opened and closed around it by server/main.py.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys

from server.auth import CatalogUsers
from server.command import Services
from server.control import Registry
from server.http import HttpServer
from server.lineage.service import Lineage
from server.mysql import WireServer
from server.start import Settings, listen
from server.stream_load import StreamLoad
from sql.engine import Engine
from sql.variable import Globals
from storage.config import HTTP_PORT, QE_MAX_CONNECTION, QUERY_PORT
from storage.database import Database

LOG = logging.getLogger(__name__)

STOP_SECONDS = 10.0  # what running statements get at the end, and the same again once they are interrupted


class Lifetime:
    """One run of the server on two bound sockets."""

    def __init__(self, settings: Settings, database: Database, query: socket.socket, http: socket.socket) -> None:
        self._query, self._http = query, http
        registry = Registry(settings.config[QE_MAX_CONNECTION])
        variables = Globals({"port": query.getsockname()[1]})
        engine = Engine(database, settings.config, registry, variables)
        self._partitions = engine.partitions
        self._lineage = Lineage.open(settings.config, settings.plugin_directory)
        self._lineage.listen(engine)
        version = str(variables.default("version"))
        users = CatalogUsers(database)
        self._wire = WireServer(Services(engine, users, registry, version, settings.data_directory))
        self._web = HttpServer(StreamLoad(engine, users).routes())
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Serve until SIGTERM or SIGINT, then let everything end; raises StartError."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop)
        listen(self._query, QUERY_PORT.name)
        listen(self._http, HTTP_PORT.name)
        await self._wire.start(self._query)
        await self._web.start(self._http)
        self._partitions.start()
        self._announce()
        await self._stopping.wait()
        LOG.info("stopping")
        await asyncio.to_thread(self._partitions.stop)
        if not await self._wire.stop(STOP_SECONDS):
            _leave()
        await asyncio.to_thread(self._lineage.close)
        await self._web.stop()

    def _stop(self) -> None:
        """The first signal stops in order, a second one interrupts running statements."""
        if self._stopping.is_set():
            self._wire.interrupt()
        self._stopping.set()

    def _announce(self) -> None:
        """Tell the addresses, with the ports that the system chose for 0."""
        mysql, http = self._query.getsockname(), self._http.getsockname()
        line = f"ready: MySQL on {mysql[0]}:{mysql[1]}, HTTP on {http[0]}:{http[1]}"
        LOG.info("%s", line)
        sys.stdout.write(f"dorisette is {line}\n")
        sys.stdout.flush()


def _leave() -> None:
    """End the process under a statement that cannot be interrupted; the next start recovers as from a crash."""
    LOG.error("a statement does not end: leaving without checkpoint")
    logging.shutdown()
    os._exit(1)
