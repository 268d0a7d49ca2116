"""A MySQL client that does only what a test tells it: raw packets over a socket."""

from __future__ import annotations

import hashlib
import socket
from types import TracebackType

import pymysql

PROTOCOL_41 = 0x0200
SECURE = 0x8000
WITH_DB = 0x08
PLUGIN_AUTH = 0x80000
MULTI_STATEMENTS = 0x10000
LONG_PASSWORD = 0x01
BASE = PROTOCOL_41 | SECURE | PLUGIN_AUTH | LONG_PASSWORD | MULTI_STATEMENTS

OK, ERR, EOF = 0x00, 0xFF, 0xFE


class Raw:
    """One connection; `sequence` is the next packet's id."""

    def __init__(self, port: int, receive_buffer: int | None = None) -> None:
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(20)
        self.socket.connect(("127.0.0.1", port))
        self.sequence = 0

    def __enter__(self) -> Raw:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()

    def exactly(self, count: int) -> bytes:
        """Receive `count` bytes, fewer when the server closes."""
        data = b""
        while len(data) < count and (piece := self.socket.recv(min(count - len(data), 1 << 20))):
            data += piece
        return data

    def read(self) -> bytes:
        """Receive one payload; empty when the server has closed the connection."""
        header = self.exactly(4)
        if len(header) < 4:
            return b""
        assert header[3] == self.sequence, f"packet {header[3]}, expected {self.sequence}"
        self.sequence = (self.sequence + 1) % 256
        return self.exactly(int.from_bytes(header[:3], "little"))

    def write(self, payload: bytes) -> None:
        """Send one payload, split as the protocol wants."""
        while True:
            piece, payload = payload[:0xFFFFFF], payload[0xFFFFFF:]
            self.socket.sendall(len(piece).to_bytes(3, "little") + bytes([self.sequence]) + piece)
            self.sequence = (self.sequence + 1) % 256
            if len(piece) < 0xFFFFFF:
                return

    def greet(self) -> bytes:
        """Read the greeting and return the nonce."""
        greeting = self.read()
        rest = greeting[greeting.index(b"\0", 1) + 1 :]
        return rest[4:12] + rest[31:43]

    def login(
        self, user: str = "root", password: str = "", database: str = "", plugin: str = "mysql_native_password"
    ) -> bytes:
        """Log in and return the server's answer."""
        nonce = self.greet()
        flags = BASE | (WITH_DB if database else 0)
        scramble = native(password, nonce)
        self.write(
            flags.to_bytes(4, "little") + (1 << 24).to_bytes(4, "little") + bytes([45]) + bytes(23)
            + user.encode() + b"\0" + bytes([len(scramble)]) + scramble
            + (database.encode() + b"\0" if database else b"")
            + plugin.encode() + b"\0"
        )  # fmt: skip
        return self.read()

    def command(self, number: int, body: bytes = b"") -> bytes:
        """Send a command and return the first packet of its answer."""
        self.sequence = 0
        self.write(bytes([number]) + body)
        return self.read()

    def query(self, text: str) -> bytes:
        return self.command(3, text.encode())

    def rest_until_eof(self) -> list[bytes]:
        """Packets up to and with the next EOF or ERR."""
        packets = [self.read()]
        while not is_end(packets[-1]):
            packets.append(self.read())
        return packets

    def is_closed(self) -> bool:
        """Whether the server has closed the connection and sends nothing more."""
        try:
            return self.socket.recv(1) == b""
        except ConnectionError:
            return True


def connection_id(connection: pymysql.connections.Connection) -> int:
    """The id that KILL takes."""
    number: int = connection.thread_id()
    return number


def is_end(payload: bytes) -> bool:
    return not payload or payload[0] == ERR or (payload[0] == EOF and len(payload) < 9)


def native(password: str, nonce: bytes) -> bytes:
    """The answer of mysql_native_password."""
    if not password:
        return b""
    first = hashlib.sha1(password.encode()).digest()
    second = hashlib.sha1(nonce + hashlib.sha1(first).digest()).digest()
    return bytes(a ^ b for a, b in zip(first, second, strict=True))


def error(payload: bytes) -> tuple[int, str, str]:
    """Code, SQLSTATE and message of an ERR packet."""
    assert payload[:1] == b"\xff", payload
    return int.from_bytes(payload[1:3], "little"), payload[4:9].decode(), payload[9:].decode()


def status(ok: bytes) -> int:
    """The status flags of an OK packet with small numbers."""
    assert ok[:1] == b"\0", ok
    return int.from_bytes(ok[3:5], "little")
