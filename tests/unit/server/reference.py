"""An independent, simple encoder of text rows: cell by cell from Python values, for comparison with the real one."""

from __future__ import annotations

import datetime
import decimal
import struct
from collections.abc import Iterable, Sequence

MAX = 0xFFFFFF


def length(number: int) -> bytes:
    if number < 251:
        return struct.pack("<B", number)
    if number < 1 << 16:
        return b"\xfc" + number.to_bytes(2, "little")
    if number < 1 << 24:
        return b"\xfd" + number.to_bytes(3, "little")
    return b"\xfe" + number.to_bytes(8, "little")


def value(cell: object, scale: int | None = None) -> str:
    """The text of a Python value as a Doris client sees it."""
    if isinstance(cell, bool):
        return "1" if cell else "0"
    if isinstance(cell, float):
        return real(repr(cell))
    if isinstance(cell, decimal.Decimal):
        return format(cell, "f")
    if isinstance(cell, datetime.datetime):
        plain = f"{cell.year:04}-{cell.month:02}-{cell.day:02} {cell.hour:02}:{cell.minute:02}:{cell.second:02}"
        digits = f"{cell.microsecond:06}"
        if scale is None:
            return f"{plain}.{digits}" if cell.microsecond else plain
        return f"{plain}.{digits[:scale]}" if scale else plain
    if isinstance(cell, datetime.date):
        return f"{cell.year:04}-{cell.month:02}-{cell.day:02}"
    return str(cell)


def real(text: str) -> str:
    """Python's repr of a double has Doris's digits and thresholds; only ``.0`` and the words differ."""
    words = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}
    return words.get(text) or text.removesuffix(".0")


def cell(content: object, scale: int | None = None) -> bytes:
    if content is None:
        return b"\xfb"
    data = content if isinstance(content, bytes) else value(content, scale).encode()
    return length(len(data)) + data


def packets(rows: Iterable[Sequence[object]], sequence: int, scales: Sequence[int | None] | None = None) -> bytes:
    """All packets of the rows, long ones split."""
    out = b""
    for row in rows:
        known = scales or [None] * len(row)
        payload = b"".join(cell(content, scale) for content, scale in zip(row, known, strict=True))
        while True:
            piece, payload = payload[:MAX], payload[MAX:]
            out += len(piece).to_bytes(3, "little") + bytes([sequence]) + piece
            sequence = (sequence + 1) % 256
            if len(piece) < MAX:
                break
    return out
