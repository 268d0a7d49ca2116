"""The commands of the MySQL protocol: one function each, in one table; those of prepared statements are in prepared.py.

A function answers its command completely, or raises DorisError, which server/connection.py sends. Statements run
in server/session.py. Source: MySQL protocol, "Command Phase"; Doris: MysqlConnectProcessor.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from mysql_mimic.types import Commands

from server import packet
from server.auth import Account, Users, authenticate, new_nonce
from server.control import Registry
from server.login import LOGIN_BYTES, Login, parse_change_user
from server.parameter import Statement
from server.runner import Runner
from server.session import Session
from server.stream import ConnectionClosedError, WireStream
from storage.errors import INVALID_TEXT, MALFORMED_PACKET, DorisError


@dataclass(slots=True)
class Services:
    """What all connections share. `directory` takes results that clients do not fetch."""

    engine: Runner
    users: Users
    registry: Registry
    version: str
    directory: Path
    started: float = field(default_factory=time.monotonic)
    questions: int = 0


@dataclass(slots=True)
class Client:
    """A client that has logged in; `nonce` is the last one it was given."""

    stream: WireStream
    session: Session
    services: Services
    capabilities: int
    nonce: bytes
    prepared: dict[int, Statement] = field(default_factory=dict)  # by number (server/prepared.py)
    last_prepared: int = 0

    def reset(self, user: str | None = None) -> None:
        """Begin anew, perhaps as another user."""
        self.prepared.clear()
        self.session.reset(user)

    async def ok(self) -> None:
        await self.stream.write(packet.ok(self.session.status))


class FatalError(Exception):
    """An error that the client is told before its connection ends."""

    def __init__(self, failure: DorisError) -> None:
        super().__init__(failure.message)
        self.failure = failure


Handler = Callable[[Client, bytes], Awaitable[None]]
COMMANDS: dict[int, Handler] = {}


def answers(*commands: Commands) -> Callable[[Handler], Handler]:
    """Register the function that answers these commands."""

    def register(handler: Handler) -> Handler:
        COMMANDS.update({int(command): handler for command in commands})
        return handler

    return register


async def check_password(stream: WireStream, users: Users, login: Login, nonce: bytes) -> tuple[Account, bytes]:
    """Check a login by native password, whatever plugin the client began with; return the account and the nonce used.

    Raises ACCESS_DENIED, after which the connection must end.
    """
    scramble = login.scramble
    if login.plugin not in (None, packet.NATIVE_PASSWORD):
        nonce = new_nonce()
        await stream.write(packet.auth_switch(nonce))
        scramble = await stream.read(LOGIN_BYTES)
    return authenticate(users, login.user, stream.peer[0], scramble, nonce), nonce


def text_of(body: bytes) -> str:
    """SQL text: UTF-8 whatever charset the client named (as in Doris); other bytes are refused as MySQL does."""
    try:
        return body.rstrip(b"\0").decode("utf-8")
    except UnicodeDecodeError as cause:
        words = "".join(f"\\x{byte:02X}" for byte in body[cause.start : cause.start + 6])
        raise INVALID_TEXT(text=words) from cause


@answers(Commands.COM_QUERY)
async def _query(client: Client, body: bytes) -> None:
    """Run SQL."""
    await client.session.answer(text_of(body), client.stream)


@answers(Commands.COM_QUIT)
async def _quit(client: Client, body: bytes) -> None:
    raise ConnectionClosedError


@answers(Commands.COM_PING)
async def _ping(client: Client, body: bytes) -> None:
    await client.ok()


@answers(Commands.COM_INIT_DB)
async def _init_db(client: Client, body: bytes) -> None:
    await client.session.use(body.decode("utf-8", "replace"))
    await client.ok()


@answers(Commands.COM_FIELD_LIST)
async def _field_list(client: Client, body: bytes) -> None:
    """One packet a column, each with its default (never told) at the end."""
    table = body.partition(b"\0")[0].decode("utf-8", "replace")
    columns = await client.session.fields(table)
    definitions = [packet.column_definition(column, kind) + b"\xfb" for column, kind in columns]
    await client.stream.write(*definitions, packet.eof(client.session.status))


@answers(Commands.COM_STATISTICS)
async def _statistics(client: Client, body: bytes) -> None:
    services = client.services
    uptime = int(time.monotonic() - services.started)
    text = f"Uptime: {uptime}  Threads: {len(services.registry)}  Questions: {services.questions}  Slow queries: 0"
    await client.stream.write(text.encode())


@answers(Commands.COM_SET_OPTION)
async def _set_option(client: Client, body: bytes) -> None:
    """Switch CLIENT_MULTI_STATEMENTS, which is always accepted."""
    if len(body) != 2:
        raise MALFORMED_PACKET()
    await client.stream.write(packet.eof(client.session.status))


@answers(Commands.COM_PROCESS_INFO)
async def _process_info(client: Client, body: bytes) -> None:
    await client.session.answer("SHOW PROCESSLIST", client.stream)


@answers(Commands.COM_PROCESS_KILL)
async def _process_kill(client: Client, body: bytes) -> None:
    if len(body) != 4:
        raise MALFORMED_PACKET()
    await client.session.answer(f"KILL {int.from_bytes(body, 'little')}", client.stream)


@answers(Commands.COM_RESET_CONNECTION)
async def _reset_connection(client: Client, body: bytes) -> None:
    client.reset()
    await client.ok()


@answers(Commands.COM_CHANGE_USER)
async def _change_user(client: Client, body: bytes) -> None:
    """Log in anew on the same connection; as at the first login a denied one ends it."""
    try:
        login = parse_change_user(body, client.capabilities)
        _, client.nonce = await check_password(client.stream, client.services.users, login, client.nonce)
        client.reset(login.user)
        if login.database:
            await client.session.use(login.database)
    except DorisError as failure:
        raise FatalError(failure) from failure
    await client.ok()
