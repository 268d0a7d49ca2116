"""Packets on a socket: reading with limits, writing with back-pressure, sequence ids.

Payloads of 16 MiB and more are joined and split here. The stream notices a client that goes away while nobody
reads. It knows no meaning of any packet. Source: MySQL protocol, "MySQL Packets".
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable

from server.encode import MAX_PAYLOAD, Chunk, frame
from storage.errors import PACKET_TOO_LARGE, PACKETS_OUT_OF_ORDER

MAX_PACKET = 16_777_216  # max_allowed_packet
WRITE_TIMEOUT_SECONDS = 600.0  # net_write_timeout
_READ_AHEAD = 1 << 18
_LINGER_SECONDS = 2.0
_LINGER_BYTES = 1 << 26


class ConnectionClosedError(Exception):
    """The client has gone."""


class WireProtocol(asyncio.StreamReaderProtocol):
    """Builds a `WireStream` for each connection and tells it when the client has gone."""

    def __init__(self, accept: Callable[[WireStream], None]) -> None:
        reader = asyncio.StreamReader(limit=_READ_AHEAD)
        super().__init__(reader)
        self._reader, self._accept = reader, accept
        self._stream: WireStream | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        assert isinstance(transport, asyncio.Transport)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        writer = asyncio.StreamWriter(transport, self, self._reader, asyncio.get_running_loop())
        self._stream = WireStream(self._reader, writer)
        self._accept(self._stream)

    def eof_received(self) -> bool | None:
        result = super().eof_received()
        self._gone()
        return result

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._gone()

    def _gone(self) -> None:
        if self._stream is not None:
            self._stream.on_gone()


class WireStream:
    """One client's packets; `sequence` is the id of the next packet in either direction."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.sequence = 0
        self.write_timeout = WRITE_TIMEOUT_SECONDS
        self.on_gone: Callable[[], None] = lambda: None
        self._reader, self._writer = reader, writer

    @property
    def peer(self) -> tuple[str, int]:
        """Address and port of the client."""
        name = self._writer.get_extra_info("peername") or ("", 0)
        return str(name[0]), int(name[1])

    async def read(self, limit: int = MAX_PACKET) -> bytes:
        """Read one payload; raises ConnectionClosedError, PACKET_TOO_LARGE, PACKETS_OUT_OF_ORDER; all are the end."""
        payload = await self._packet(limit)
        if len(payload) < MAX_PAYLOAD:
            return payload
        pieces = [payload]
        while len(pieces[-1]) == MAX_PAYLOAD:
            pieces.append(await self._packet(limit - sum(map(len, pieces))))
        return b"".join(pieces)

    async def _packet(self, limit: int) -> bytes:
        try:
            header = await self._reader.readexactly(4)
            length, expected = int.from_bytes(header[:3], "little"), self.sequence
            self.sequence = (header[3] + 1) & 0xFF
            if header[3] != expected:
                raise PACKETS_OUT_OF_ORDER()
            if length > limit:
                raise PACKET_TOO_LARGE()
            return await self._reader.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError) as cause:
            raise ConnectionClosedError from cause

    async def write(self, *payloads: bytes) -> None:
        """Send payloads as packets."""
        data = bytearray()
        for payload in payloads:
            packets, self.sequence = frame(payload, self.sequence)
            data += packets
        await self.write_raw(data)

    async def write_raw(self, chunk: Chunk) -> None:
        """Send finished packets, or a cut of them, and wait until nearly all is taken; raises ConnectionClosedError."""
        transport = self._writer.transport
        if transport.is_closing():
            raise ConnectionClosedError
        self._writer.write(chunk)
        if not transport.get_write_buffer_size():
            return
        try:
            async with asyncio.timeout(self.write_timeout):
                await self._writer.drain()
        except (ConnectionError, TimeoutError) as cause:
            self.abort()
            raise ConnectionClosedError from cause

    async def linger(self) -> None:
        """Say no more and let the client finish sending, for a while: a reset would cost it our last words."""
        with contextlib.suppress(OSError, RuntimeError, TimeoutError):
            self._writer.write_eof()
            async with asyncio.timeout(_LINGER_SECONDS):
                left = _LINGER_BYTES
                while left > 0 and (piece := await self._reader.read(1 << 16)):
                    left -= len(piece)

    def close(self) -> None:
        """Close at once; what was written is still sent. May be called again."""
        self._writer.close()

    def abort(self) -> None:
        """Drop the connection with all that is unsent."""
        self._writer.transport.abort()
