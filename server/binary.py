"""Rows of the binary protocol, which answers a prepared statement: numbers and moments in bytes, all else as text.

A row is a zero byte, a bit a column for NULL, and the values that are none. One writer a column, chosen by the type
that its definition tells the client (server/packet.py). Source: MySQL protocol, "Binary Protocol Resultset Row".
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from server.encode import Cells, Chunk, RowEncoder, fixed, prefixed
from server.packet import from_arrow
from server.text import formatter
from storage.types import DorisType, Wire

Writer = Callable[[pa.Array, np.ndarray], Sequence[Cells]]  # adds the size of each cell to the second

_FIRST_BIT = 2  # the two bits before are reserved
_EMPTY = pa.scalar(b"", pa.binary())
_NUMBERS = {
    Wire.TINY: (pa.int8(), "<i1"),
    Wire.SHORT: (pa.int16(), "<i2"),
    Wire.LONG: (pa.int32(), "<i4"),
    Wire.LONGLONG: (pa.int64(), "<i8"),
    Wire.FLOAT: (pa.float32(), "<f4"),
    Wire.DOUBLE: (pa.float64(), "<f8"),
}
_DATE = [("length", "u1"), ("year", "<u2"), ("month", "u1"), ("day", "u1")]
_DATETIME = [*_DATE, ("hour", "u1"), ("minute", "u1"), ("second", "u1")]
_FRACTION = [*_DATETIME, ("microsecond", "<u4")]
_TIME = re.compile(rb"(-?)(\d+):(\d\d):(\d\d)(?:\.(\d{1,6}))?")


class BinaryEncoder(RowEncoder):
    """Rows of a prepared statement."""

    def __init__(self, schema: pa.Schema, declared: Sequence[DorisType | None], sequence: int) -> None:
        super().__init__(sequence)
        self._writers = [_writer(kind, known) for kind, known in zip(schema.types, declared, strict=True)]

    def _encode(self, batch: pa.RecordBatch) -> Chunk:
        head = _nulls(batch)
        sizes = np.full(batch.num_rows, head.itemsize, np.int64)
        cells: list[Cells] = [fixed(head)]
        for write, column in zip(self._writers, batch.columns, strict=True):
            cells += write(column, sizes)
        return self._joined(cells, sizes)


def _nulls(batch: pa.RecordBatch) -> np.ndarray:
    """The zero byte and the NULL bits of each row, as one value of so many bytes."""
    width = (batch.num_columns + _FIRST_BIT + 7) // 8
    bits = np.zeros((batch.num_rows, width * 8), np.bool_)
    for place, column in enumerate(batch.columns, _FIRST_BIT):
        if column.null_count:
            bits[:, place] = column.is_null().to_numpy(zero_copy_only=False)
    rows = np.zeros((batch.num_rows, 1 + width), np.uint8)
    rows[:, 1:] = np.packbits(bits, axis=1, bitorder="little")
    return rows.view(f"V{1 + width}").reshape(-1)


def _writer(arrow: pa.DataType, declared: DorisType | None) -> Writer:
    kind = declared or from_arrow(arrow)
    if kind.wire in _NUMBERS:
        return _number(*_NUMBERS[kind.wire])
    if kind.wire in (Wire.DATE, Wire.DATETIME) and pa.types.is_temporal(arrow):
        return lambda array, sizes: _sized(array, _moments(array, kind.wire is Wire.DATE), sizes)
    write = formatter(arrow, declared)
    if kind.wire is Wire.TIME:
        return lambda array, sizes: _times(write(array), sizes)
    return lambda array, sizes: prefixed(write(array), sizes, b"")


def _sized(array: pa.Array, values: np.ndarray, sizes: np.ndarray) -> Sequence[Cells]:
    """Values of one width, nothing for NULL."""
    cells = fixed(values)
    if not array.null_count:
        sizes += values.itemsize
        return [cells]
    there = array.is_valid()
    sizes += np.where(there.to_numpy(zero_copy_only=False), values.itemsize, 0)
    return [pc.if_else(there, cells, _EMPTY)]


def _number(arrow: pa.DataType, form: str) -> Writer:
    def write(array: pa.Array, sizes: np.ndarray) -> Sequence[Cells]:
        plain = array.storage if isinstance(array.type, pa.BaseExtensionType) else array
        if not pa.types.is_unsigned_integer(plain.type):
            plain = plain.cast(arrow, safe=False)
        return _sized(array, plain.fill_null(0).to_numpy(zero_copy_only=False).astype(form), sizes)

    return write


def _moments(array: pa.Array, is_date: bool) -> np.ndarray:
    """Dates in five bytes, datetimes in eight, or twelve where one has a fraction."""
    array = (pc.local_timestamp(array) if getattr(array.type, "tz", None) else array).cast(
        pa.timestamp("us"), safe=False
    )
    micros = array.fill_null(0).cast(pa.int64()).to_numpy() % 1_000_000
    form = np.dtype(_DATE if is_date else _FRACTION if micros.any() else _DATETIME)
    values = np.zeros(len(array), form)
    values["length"] = form.itemsize - 1
    for part in (form.names or ())[1:]:
        found = micros if part == "microsecond" else getattr(pc, part)(array).fill_null(0).to_numpy()
        values[part] = found
    return values


def _times(texts: pa.Array, sizes: np.ndarray) -> Sequence[Cells]:
    return prefixed(
        pa.array([None if text is None else _time(text) for text in texts.to_pylist()], pa.binary()), sizes, b""
    )


def _time(text: bytes) -> bytes:
    """Sign, days, and the time of day, from the text that Doris shows."""
    found = _TIME.fullmatch(text)
    if found is None:
        raise ValueError(f"no time: {text!r}")
    days, hours = divmod(int(found[2]), 24)
    fraction = int((found[5] or b"").ljust(6, b"0"))
    plain = struct.pack("<BIBBB", bool(found[1]), days, hours, int(found[3]), int(found[4]))
    return plain + struct.pack("<I", fraction) if fraction else plain
