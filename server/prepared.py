"""The commands of prepared statements: their text is read once, values come and go in binary form.

A client's statements live as long as its connection. A cursor that a client asks for is not opened, which the protocol
leaves to the server: the rows follow at once. Source: MySQL protocol, "Prepared Statements".
"""

from __future__ import annotations

import pyarrow as pa
from mysql_mimic.types import Commands

from server import packet
from server.command import Client, answers, text_of
from server.parameter import Statement
from server.reader import Reader
from sql.result import Field
from storage.errors import MALFORMED_PACKET, NO_CURSOR, PREPARED_TOO_MANY, UNKNOWN_PREPARED
from storage.types import VARCHAR

MOST = 16_382  # statements of a connection: max_prepared_stmt_count
_PARAMETER = packet.column_definition(Field("?", VARCHAR), pa.string())


@answers(Commands.COM_STMT_PREPARE)
async def _prepare(client: Client, body: bytes) -> None:
    """Read a statement; the answer has its number, its parameters, and the columns of a query."""
    if len(client.prepared) >= MOST:
        raise PREPARED_TOO_MANY(most=MOST)
    prepared = await client.session.prepare(text_of(body))
    client.last_prepared += 1
    client.prepared[client.last_prepared] = Statement(prepared)
    end = packet.eof(client.session.status)
    packets = [packet.prepared(client.last_prepared, prepared.parameters, len(prepared.columns))]
    if prepared.parameters:
        packets += [_PARAMETER] * prepared.parameters + [end]
    if prepared.columns:
        packets += [packet.column_definition(field, kind) for field, kind in prepared.columns] + [end]
    await client.stream.write(*packets)


@answers(Commands.COM_STMT_EXECUTE)
async def _execute(client: Client, body: bytes) -> None:
    reader = Reader(body, MALFORMED_PACKET)
    statement = _found(client, reader, "mysqld_stmt_execute")
    reader.take(5)  # the cursor that is asked for, and a count that is always 1
    values = statement.values(reader)
    await client.session.execute(statement.prepared, values, client.stream)


@answers(Commands.COM_STMT_FETCH)
async def _fetch(client: Client, body: bytes) -> None:
    reader = Reader(body, MALFORMED_PACKET)
    number = int.from_bytes(body[:4], "little")
    _found(client, reader, "mysqld_stmt_fetch")
    raise NO_CURSOR(id=number)


@answers(Commands.COM_STMT_RESET)
async def _reset(client: Client, body: bytes) -> None:
    """Forget what was sent ahead."""
    _found(client, Reader(body, MALFORMED_PACKET), "mysqld_stmt_reset").ahead.clear()
    await client.ok()


@answers(Commands.COM_STMT_CLOSE)
async def _close(client: Client, body: bytes) -> None:
    """The protocol has no answer to this."""
    client.prepared.pop(int.from_bytes(body[:4], "little"), None)


@answers(Commands.COM_STMT_SEND_LONG_DATA)
async def _send_long_data(client: Client, body: bytes) -> None:
    """A piece of a value ahead of its execution. The protocol has no answer to this either."""
    statement = client.prepared.get(int.from_bytes(body[:4], "little"))
    if statement is not None and len(body) >= 6:
        statement.append(int.from_bytes(body[4:6], "little"), body[6:])


def _found(client: Client, reader: Reader, command: str) -> Statement:
    """The statement whose number comes first."""
    number = reader.number(4)
    statement = client.prepared.get(number)
    if statement is None:
        raise UNKNOWN_PREPARED(id=number, command=command)
    return statement
