"""The packets of prepared statements, byte by byte, where a driver would never send them so."""

from __future__ import annotations

import struct

import pytest

from server import prepared
from tests.wire.conftest import FakeServer
from tests.wire.raw import Raw, error

PREPARE, EXECUTE, SEND_LONG_DATA, CLOSE, RESET, FETCH, RESET_CONNECTION = 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1C, 0x1F
TEXT, NUMBER = b"\xfd\0", b"\x08\0"
UNKNOWN = "Unknown prepared statement handler ({}) given to {}"


def _prepare(client: Raw, text: str = "SELECT ?", parameters: int = 1) -> int:
    """Prepare a statement and read the definitions of its parameters."""
    answer = client.command(PREPARE, text.encode())
    head, number, columns, found, warnings = struct.unpack("<BIHHxH", answer)
    assert (head, columns, found, warnings) == (0, 0, parameters, 0)
    if parameters:
        assert len(client.rest_until_eof()) == parameters + 1
    return int(number)


def _execute(client: Raw, number: int, values: bytes) -> bytes:
    return client.command(EXECUTE, struct.pack("<IBI", number, 0, 1) + values)


def _silent(client: Raw, number: int, body: bytes) -> None:
    client.sequence = 0
    client.write(bytes([number]) + body)


def test_values_come_and_go_in_binary_form(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        number = _prepare(client)
        assert _execute(client, number, b"\0\1" + NUMBER + struct.pack("<q", 5)) == b"\1"
        client.rest_until_eof()
        assert client.rest_until_eof()[0] == b"\0\0" + struct.pack("<q", 5)
        assert _execute(client, number, b"\0\0" + struct.pack("<q", 7)) == b"\1", "with the types of before"
        client.rest_until_eof()
        assert client.rest_until_eof()[0] == b"\0\0" + struct.pack("<q", 7)
    assert fake.engine.statements == ["SELECT 5", "SELECT 7"]


def test_a_value_may_be_sent_ahead_in_pieces(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        number = _prepare(client)
        for piece in (b"it's ", "\U0001f680".encode()[:2], "\U0001f680".encode()[2:]):
            _silent(client, SEND_LONG_DATA, struct.pack("<IH", number, 0) + piece)
        assert _execute(client, number, b"\0\1" + TEXT) == b"\1"
        client.rest_until_eof(), client.rest_until_eof()
        _silent(client, SEND_LONG_DATA, struct.pack("<IH", number, 0) + b"forgotten")
        assert client.command(RESET, struct.pack("<I", number))[:1] == b"\0"
        assert _execute(client, number, b"\0\1" + TEXT + b"\4kept") == b"\1"
    assert fake.engine.statements == ["SELECT 'it''s \U0001f680'", "SELECT 'kept'"]


@pytest.mark.parametrize(
    ("number", "command"),
    [(EXECUTE, "mysqld_stmt_execute"), (FETCH, "mysqld_stmt_fetch"), (RESET, "mysqld_stmt_reset")],
)
def test_a_statement_that_is_not_there(fake: FakeServer, number: int, command: str) -> None:
    with Raw(fake.port) as client:
        client.login()
        answer = client.command(number, struct.pack("<I", 9) + bytes(8))
        assert error(answer) == (1243, "HY000", UNKNOWN.format(9, command))
        assert client.query("SELECT 1") == b"\1"


def test_closed_and_reset_statements_are_gone(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        first, second = _prepare(client), _prepare(client)
        _silent(client, CLOSE, struct.pack("<I", first))
        assert error(_execute(client, first, b""))[0] == 1243
        assert error(client.command(FETCH, struct.pack("<II", second, 1)))[:2] == (1421, "HY000")
        assert client.command(RESET_CONNECTION)[:1] == b"\0"
        assert error(_execute(client, second, b""))[0] == 1243
        assert _prepare(client) == 3, "a number is never given again"


def test_packets_that_end_too_early_or_name_no_type(fake: FakeServer) -> None:
    whole = b"\0\1" + TEXT + NUMBER + b"\3abc" + struct.pack("<q", 5)
    with Raw(fake.port) as client:
        client.login()
        number = _prepare(client, "SELECT ?, ?", 2)
        for length in range(len(whole)):
            assert error(_execute(client, number, whole[:length]))[:2] == (1835, "HY000")
        assert error(_execute(client, number, b"\0\1" + b"\x63\0" * 2 + bytes(20)))[:2] == (1835, "HY000")
        assert client.command(EXECUTE, b"\1")[:1] == b"\xff"
        assert _execute(client, number, whole) == b"\1", "the connection goes on"
    assert fake.engine.statements == ["SELECT 'abc', 5"]


def test_how_many_a_connection_may_have(fake: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared, "MOST", 2)
    with Raw(fake.port) as client:
        client.login()
        _prepare(client), _prepare(client)
        assert error(client.command(PREPARE, b"SELECT ?"))[:2] == (1461, "42000")
