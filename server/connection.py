"""One client from its greeting to its end: login, then command after command.

Of mysql-mimic 3.0.5 the server takes flags, charset tables and the password check. Its Connection, Session and
MysqlServer are not subclassed on purpose: Connection goes on after "Access denied" and pastes parameters into
SQL text, and what is not inherited cannot come back. What a command does is in server/command.py.
Source: MySQL protocol, "Connection Phase".
"""

from __future__ import annotations

import asyncio
import logging

import server.prepared  # noqa: F401  registers its commands
from server import packet
from server.auth import new_nonce
from server.command import COMMANDS, Client, FatalError, Services, check_password
from server.login import LOGIN_BYTES, parse_login
from server.session import Session
from server.stream import ConnectionClosedError, WireStream
from storage.errors import SERVER_SHUTDOWN, UNKNOWN_COMMAND, DorisError

LOG = logging.getLogger(__name__)

LOGIN_SECONDS = 10.0  # connect_timeout
_KILL_SECONDS = 2.0  # so long a killed client may still fetch the error


class WireConnection:
    """One client; `run` returns when it has left, was denied, broke the protocol or was killed."""

    def __init__(self, stream: WireStream, services: Services) -> None:
        self.id = services.registry.new_id()
        self._stream, self._services = stream, services
        self._session: Session | None = None
        self._is_ending = False
        self._loop = asyncio.get_running_loop()

    async def run(self) -> None:
        """Serve the client to its end."""
        try:
            client = await self._log_in()
            while not self._is_ending:
                await self._command(client)
        except (ConnectionClosedError, TimeoutError):
            LOG.debug("connection %d closed", self.id)
        except FatalError as fatal:
            await self._refuse(fatal.failure)
        except DorisError as failure:
            await self._refuse(failure)
        finally:
            self._services.registry.leave(self.id)
            self._stream.close()
            if self._session is not None:
                await self._session.close()

    async def _log_in(self) -> Client:
        """Greet, check the password, count the connection, choose the database; an error ends the connection."""
        nonce = new_nonce()
        async with asyncio.timeout(LOGIN_SECONDS):
            await self._stream.write(packet.greeting(self._services.version, self.id, nonce))
            login = parse_login(await self._stream.read(LOGIN_BYTES))
            account, nonce = await check_password(self._stream, self._services.users, login, nonce)
        services, host = self._services, self._stream.peer[0]
        self._session = session = Session(services.engine, self.id, login.user, host, services.directory)
        session.context.attributes = login.attributes
        services.registry.enter(self.id, session, self._killed, account.max_connections)
        if login.database:
            await session.use(login.database)
        self._stream.on_gone = session.interrupt
        client = Client(self._stream, session, services, login.capabilities, nonce)
        await client.ok()
        return client

    async def _command(self, client: Client) -> None:
        """Read and answer one command; an error of the reading ends the connection, one of the command does not."""
        variables = client.session.context.variables
        self._stream.sequence = 0
        self._stream.write_timeout = variables.number("net_write_timeout")
        async with asyncio.timeout(variables.number("wait_timeout")):
            data = await self._stream.read()
        self._services.questions += 1
        try:
            handler = COMMANDS.get(data[0]) if data else None
            if handler is None:
                raise UNKNOWN_COMMAND()
            await handler(client, data[1:])
        except DorisError as failure:
            await self._stream.write(packet.error(failure))

    async def _refuse(self, failure: DorisError) -> None:
        """Send the reason and let the client read it; nothing it sends counts any more."""
        LOG.info("connection %d from %s refused: %s", self.id, self._stream.peer[0], failure.message)
        try:
            await self._stream.write(packet.error(failure))
        except ConnectionClosedError:
            return
        await self._stream.linger()

    # -- asked to end --------------------------------------------------------------------------------
    def finish(self) -> None:
        """Close now if idle, else after the running statement; on the event loop."""
        self._is_ending = True
        if self._session is None or not self._session.is_busy:
            self._stream.close()

    def interrupt(self) -> None:
        """Interrupt the running statement because the server ends."""
        if self._session is not None:
            self._session.stop(SERVER_SHUTDOWN())

    def _killed(self) -> None:
        """KILL, which has interrupted the statement: close as soon as the client has its error; from any thread."""
        self._loop.call_soon_threadsafe(self.finish)
        self._loop.call_soon_threadsafe(self._loop.call_later, _KILL_SECONDS, self._stream.abort)
