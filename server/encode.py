"""Arrow record batches become packets of rows: those of the text protocol here, those of the binary one in binary.py.

`packets` yields bytes ready for the socket: headers, length-encoded cells, sequence ids. Two ways
give the same bytes: many rows are joined column by column in Arrow, few rows (the usual small answer) in
Python, where Arrow's start-up cost would dominate. How a value is written is decided in server/text.py alone.
Source: MySQL protocol, "Text Resultset Row", "Sending More Than 16Mb".
"""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from server.text import Formatter, few, formatter
from storage.types import DorisType

Chunk = bytes | bytearray | memoryview
Cells: TypeAlias = "pa.Array | pa.Scalar"  # one value a row, or one for all

CHUNK = 1 << 20  # most bytes that are handed to the socket at once
MAX_PAYLOAD = 0xFFFFFF  # a longer payload goes on in further packets, the last one shorter (maybe empty)
NULL = b"\xfb"

_TARGET = CHUNK  # bytes of rows to aim at in one piece of work
_MOST_ROWS = 16_384
_FEW_ROWS = 48
_BYTES = pa.binary()
_EMPTY = pa.scalar(b"", _BYTES)


def length_encoded(number: int) -> bytes:
    """A length-encoded integer of the MySQL protocol."""
    if number < 0xFB:
        return bytes((number,))
    if number <= 0xFFFF:
        return struct.pack("<BH", 0xFC, number)
    if number <= 0xFFFFFF:
        return struct.pack("<I", number << 8 | 0xFD)
    return struct.pack("<BQ", 0xFE, number)


_SHORT_LENGTHS = pa.array([length_encoded(number) for number in range(0xFB)], pa.binary())


def frame(payload: bytes | memoryview, sequence: int) -> tuple[bytes, int]:
    """Put packet headers on one payload; return the packets and the next sequence id."""
    view, packets = memoryview(payload), bytearray()
    while True:
        piece, view = view[:MAX_PAYLOAD], view[MAX_PAYLOAD:]
        packets += struct.pack("<I", len(piece) | sequence << 24)
        packets += piece
        sequence = (sequence + 1) & 0xFF
        if len(piece) < MAX_PAYLOAD:
            return bytes(packets), sequence


class RowEncoder(ABC):
    """Encodes the batches of one result; `sequence` is the id of the next packet."""

    def __init__(self, sequence: int) -> None:
        self.sequence = sequence

    def packets(self, batch: pa.RecordBatch) -> Iterator[Chunk]:
        """Encode a batch in pieces of bounded size; a single huge row comes in one piece."""
        rows = self._rows_at_once(batch)
        for start in range(0, batch.num_rows, rows):
            yield self._encode(batch.slice(start, rows))

    @abstractmethod
    def _encode(self, batch: pa.RecordBatch) -> Chunk:
        """All packets of a few thousand rows at most."""

    def _rows_at_once(self, batch: pa.RecordBatch) -> int:
        if not batch.num_rows:
            return 1
        width = batch.nbytes / batch.num_rows * 1.5 + 4 * batch.num_columns + 4
        return max(1, min(_MOST_ROWS, int(_TARGET / width)))

    def _joined(self, cells: Sequence[Cells], sizes: np.ndarray) -> Chunk:
        """All packets of the piece in one Arrow buffer: header and cells of each row, whose sizes are known, joined."""
        rows = len(sizes)
        if sizes.max() >= MAX_PAYLOAD:
            return self._framed(row.as_buffer() for row in pc.binary_join_element_wise(*cells, _EMPTY))
        ids = (np.arange(self.sequence, self.sequence + rows, dtype=np.int64) & 0xFF) << 24
        headers = fixed((sizes | ids).astype("<u4"))
        packets = pc.binary_join_element_wise(headers, *cells, _EMPTY)
        self.sequence = (self.sequence + rows) & 0xFF
        return memoryview(packets.buffers()[2])[: int(sizes.sum()) + 4 * rows]

    def _framed(self, payloads: Iterator[bytes]) -> bytes:
        packets = bytearray()
        for payload in payloads:
            framed, self.sequence = frame(payload, self.sequence)
            packets += framed
        return bytes(packets)


class TextEncoder(RowEncoder):
    """Rows of the text protocol."""

    def __init__(self, schema: pa.Schema, declared: Sequence[DorisType | None], sequence: int) -> None:
        super().__init__(sequence)
        self._formatters: list[Formatter] = [
            formatter(kind, known) for kind, known in zip(schema.types, declared, strict=True)
        ]

    def _encode(self, batch: pa.RecordBatch) -> Chunk:
        columns = zip(self._formatters, batch.columns, strict=True)
        if batch.num_rows <= _FEW_ROWS:
            return self._few([few(write, column) for write, column in columns])
        texts = [write(column) for write, column in columns]
        cells: list[Cells] = []
        sizes = np.full(batch.num_rows, 0, np.int64)
        for text in texts:
            cells += prefixed(text, sizes)
        return self._joined(cells, sizes)

    def _few(self, texts: Sequence[Sequence[bytes | None]]) -> bytes:
        return self._framed(
            b"".join([NULL if cell is None else length_encoded(len(cell)) + cell for cell in row])
            for row in zip(*texts, strict=True)
        )


def fixed(values: np.ndarray) -> pa.Array:
    """Numbers, or whole rows of bytes, as an array of as many bytes each."""
    width = values.dtype.itemsize
    return pa.Array.from_buffers(pa.binary(width), len(values), [None, pa.py_buffer(values)]).cast(_BYTES)


def prefixed(text: pa.Array, sizes: np.ndarray, null: bytes = NULL) -> tuple[Cells, pa.Array]:
    """Length prefix and bytes of each cell, NULL as `null` alone; add their sizes to `sizes`."""
    prefixes, text = _prefixes(pc.binary_length(text), null), text.fill_null(b"") if text.null_count else text
    sizes += pc.binary_length(text).to_numpy()
    sizes += len(prefixes.as_py()) if isinstance(prefixes, pa.Scalar) else pc.binary_length(prefixes).to_numpy()
    return prefixes, text


def _prefixes(lengths: pa.Array, null: bytes) -> Cells:
    """The length of each cell as the protocol writes it; one scalar for all when they are equal (dates, switches)."""
    shortest, longest = pc.min_max(lengths).as_py().values()
    if shortest == longest and not lengths.null_count:
        return pa.scalar(length_encoded(shortest), pa.binary())
    if longest is None or longest < len(_SHORT_LENGTHS):
        prefixes = _SHORT_LENGTHS.take(lengths)
    else:
        distinct = lengths.dictionary_encode()
        words = [length_encoded(number) for number in distinct.dictionary.to_pylist()]
        prefixes = pa.array(words, pa.binary()).take(distinct.indices)
    return prefixes.fill_null(null) if lengths.null_count else prefixes
