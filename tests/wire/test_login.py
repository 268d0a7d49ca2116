"""Nobody gets past the login: denials end the connection, whatever the client does next."""

from __future__ import annotations

import socket

import pymysql
import pytest

from tests.waiting import wait
from tests.wire.conftest import LIMIT, FakeServer
from tests.wire.raw import Raw, connection_id, error, native, status

ROOT_DENIED = "Access denied for user 'root@127.0.0.1' (using password: YES)"


def test_a_denied_client_that_goes_on_gets_nothing(fake: FakeServer) -> None:
    """mysql-mimic 3.0.5 ran the query of a client that ignored the error packet."""
    with Raw(fake.port) as client:
        assert error(client.login("root", "wrong")) == (1045, "28000", ROOT_DENIED)
        client.sequence = 0
        client.write(b"\x03SELECT 1")
        assert client.is_closed()
    assert fake.engine.statements == []


def test_a_query_sent_together_with_a_wrong_login_gets_nothing(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.greet()
        login = (
            (0x80200 | 0x8000).to_bytes(4, "little")
            + bytes(4)
            + b"\x2d"
            + bytes(23)
            + b"root\0\x01xmysql_native_password\0"
        )
        client.socket.sendall(len(login).to_bytes(3, "little") + b"\x01" + login + b"\x09\0\0\0\x03SELECT 1")
        client.sequence = 2
        assert error(client.read())[0] == 1045
        assert client.is_closed()
    assert fake.engine.statements == []


@pytest.mark.parametrize(("user", "password", "used"), [("eve", "", "NO"), ("eve", "x", "YES"), ("", "", "NO")])
def test_unknown_users_get_the_words_of_a_wrong_password(fake: FakeServer, user: str, password: str, used: str) -> None:
    with Raw(fake.port) as client:
        words = f"Access denied for user '{user}@127.0.0.1' (using password: {used})"
        assert error(client.login(user, password)) == (1045, "28000", words)
        assert client.is_closed()


@pytest.mark.parametrize("user", ["root", "admin"])
def test_the_first_users_need_no_password(fake: FakeServer, user: str) -> None:
    with fake.connect(user=user, autocommit=None) as connection:
        assert connection.get_autocommit()


def test_a_user_with_a_hash_needs_the_password(fake: FakeServer) -> None:
    """The seam for the user store: accounts carry SHA1(SHA1(password))."""
    fake.connect(user="ann", password="Secret").close()
    for password in ("", "secret", "Secret "):
        with pytest.raises(pymysql.err.OperationalError, match="1045"):
            fake.connect(user="ann", password=password)


def test_a_client_of_another_plugin_is_asked_for_native_password(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        switch = client.login("ann", "ignored", plugin="caching_sha2_password")
        assert switch.startswith(b"\xfemysql_native_password\0")
        client.write(native("Secret", switch[-21:-1]))
        assert client.read()[0] == 0
        assert client.query("SELECT 1")[0] == 1


def test_an_unknown_database_at_login_closes_the_connection(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        assert error(client.login(database="nowhere")) == (1049, "42000", "Unknown database 'nowhere'")
        assert client.is_closed()
    fake.connect(database="shop").close()


def test_change_user_denied_ends_the_connection(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        assert error(client.command(0x11, b"eve\0\0\0"))[0] == 1045
        client.sequence = 0
        client.write(b"\x03SELECT 1")
        assert client.is_closed()
    assert fake.engine.statements == []


def test_change_user_starts_anew(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login(database="shop")
        client.query("SET wait_timeout=5")
        assert status(client.query("BEGIN")) == 3
        assert status(client.command(0x11, b"admin\0\0\0\x2d\0mysql_native_password\0")) == 2
        (process,) = fake.registry.processes()
        assert (process.user, process.database) == ("admin", None)
        assert client.command(0x11, b"admin\0\0shop\0\x2d\0mysql_native_password\0")[0] == 0
        assert fake.registry.processes()[0].database == "shop"


def test_change_user_to_an_unknown_database_ends_the_connection(fake: FakeServer) -> None:
    with Raw(fake.port) as client:
        client.login()
        assert error(client.command(0x11, b"admin\0\0nowhere\0\x2d\0mysql_native_password\0"))[0] == 1049
        assert client.is_closed()


def test_too_many_connections(fake: FakeServer) -> None:
    held = [fake.connect() for _ in range(LIMIT)]
    with pytest.raises(pymysql.err.Error) as caught:
        fake.connect()
    assert caught.value.args == (1203, f"Reach limit of connections. Total: {LIMIT}, User: 100, Current: {LIMIT}")
    held.pop().close()
    wait(lambda: len(fake.registry) < LIMIT)
    fake.connect().close()
    for connection in held:
        connection.close()


def test_connection_ids_are_small(fake: FakeServer) -> None:
    """Connector/J reads them as signed numbers."""
    with fake.connect() as first, fake.connect() as second:
        assert (connection_id(first), connection_id(second)) == (1, 2)


GARBAGE = [
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    bytes.fromhex("16030100c8010000c40303") + bytes(200),  # a TLS greeting
    b"\xff" * 64,
    b"\x20\0\0\x01" + b"\xff" * 32,
    b"\x00\0\0\x01",
    b"\x40\0\0\x01" + (0x80200 | 0x8000).to_bytes(4, "little") + b"a" * 60,  # no NUL behind the user
    b"\x30\0\0\x01" + (0x280200 | 0x8000).to_bytes(4, "little") + bytes(28) + b"u\0\xfe" + b"\xff" * 13,
    b"\xff\xff\x7f\x01" + b"x" * 100,
]


@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_gets_an_error_and_the_end(fake: FakeServer, garbage: bytes) -> None:
    with Raw(fake.port) as client:
        client.greet()
        client.socket.sendall(garbage)
        client.socket.shutdown(socket.SHUT_WR)
        answer = client.exactly(1 << 16)
        if answer:
            assert error(answer[4:])[0] in (1043, 1045, 1153, 1156)
    with fake.connect() as connection:
        connection.ping(reconnect=False)
