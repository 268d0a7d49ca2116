"""The packets that answer one command: results become column definitions, rows, EOF and OK.

Runs on the worker thread. Small answers leave in one piece; rows are handed over as soon as there are 16 KiB of
them, so that the first byte goes out long before the query ends. Whether a result is the last of its command is
known only when the next statement has run; until then its closing packet is held back.
Source: MySQL protocol, "Text Resultset", "Binary Protocol Resultset", "Multi-Resultset".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pyarrow as pa

from server import packet
from server.encode import Chunk, RowEncoder, frame, length_encoded
from server.outlet import Outlet
from sql.result import Done, Result, Rows
from storage.errors import DorisError
from storage.types import DorisType

Encoder = Callable[[pa.Schema, Sequence[DorisType | None], int], RowEncoder]  # TextEncoder or BinaryEncoder

_FLUSH = 1 << 14  # as MySQL's net_buffer_length


class Answer:
    """Builds the packets of one command; `status` tells the session's status flags at any moment."""

    def __init__(self, outlet: Outlet, sequence: int, status: Callable[[], int], encoder: Encoder) -> None:
        self.sequence = sequence
        self._encoder = encoder
        self._outlet, self._status = outlet, status
        self._buffer = bytearray()
        self._closing: Callable[[int], bytes] | None = None  # takes further status flags

    def add(self, result: Result) -> int:
        """Answer one statement; return its rows: sent, or affected."""
        self._close(packet.MORE_RESULTS)
        if isinstance(result, Rows):
            return self._rows(result)
        self._done(result)
        return result.affected

    def end(self) -> bytes:
        """The last packets of the command; a text without a statement is answered by OK."""
        if self._closing is None:
            self._done(Done())
        self._close(0)
        return self._taken()

    def fail(self, error: DorisError) -> bytes:
        """The last packets of a command that ends in an error: the client still gets all results before it."""
        self._close(packet.MORE_RESULTS)
        self._put(packet.error(error))
        return self._taken()

    def _done(self, done: Done) -> None:
        status = self._status()
        self._closing = lambda more: packet.ok(status | more, done.affected, done.warnings or done.filtered, done.info)

    def _rows(self, rows: Rows) -> int:
        status, count = self._status(), 0
        try:
            self._head(rows, status)
            declared = [field.type for field in rows.fields]
            for batch in rows.source:
                count += batch.num_rows
                self._batch(self._encoder(batch.schema, declared, self.sequence), batch)
        finally:
            rows.close()
        self._closing = lambda more: packet.eof(status | more)
        return count

    def _batch(self, encoder: RowEncoder, batch: pa.RecordBatch) -> None:
        for packets in encoder.packets(batch):
            self._flow(packets, encoder.sequence)

    def _head(self, rows: Rows, status: int) -> None:
        self._put(length_encoded(len(rows.fields)))
        for field, kind in zip(rows.fields, rows.source.schema.types, strict=True):
            self._put(packet.column_definition(field, kind))
        self._put(packet.eof(status))

    def _flow(self, packets: Chunk, sequence: int) -> None:
        """Gather small pieces, hand over large ones without a copy; what was handed over counts even if that raises."""
        if len(packets) < _FLUSH:
            self._buffer += packets
            self.sequence = sequence
            if len(self._buffer) >= _FLUSH:
                self._outlet.send(self._taken())
            return
        if self._buffer:
            self._outlet.send(self._taken())
        self.sequence = sequence
        self._outlet.send(packets)

    def _put(self, payload: bytes) -> None:
        packets, self.sequence = frame(payload, self.sequence)
        self._buffer += packets

    def _close(self, more: int) -> None:
        if self._closing is not None:
            self._put(self._closing(more))
            self._closing = None

    def _taken(self) -> bytes:
        taken, self._buffer = bytes(self._buffer), bytearray()
        return taken
