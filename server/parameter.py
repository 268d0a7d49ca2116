"""The values that a client sends with COM_STMT_EXECUTE, in the binary form of their types.

Numbers become numbers, moments the text that Doris reads, texts are UTF-8; other bytes stay bytes. MALFORMED_PACKET for
what does not fit. Source: MySQL protocol, "COM_STMT_EXECUTE", "Binary Protocol Value".
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

import numpy as np
from mysql_mimic.types import ColumnType

from server.reader import Reader
from sql.prepared import Prepared, Value
from storage.errors import MALFORMED_PACKET, PACKET_TOO_LARGE

_UNSIGNED = 0x8000
_LONGEST = 1 << 26  # bytes that may be sent ahead for the parameters of a statement
_T = ColumnType
_WHOLE = {_T.TINY: 1, _T.SHORT: 2, _T.YEAR: 2, _T.LONG: 4, _T.INT24: 4, _T.LONGLONG: 8}


@dataclass(slots=True)
class Statement:
    """A prepared statement of a client: the types it named last, and what it has sent ahead of values, by place."""

    prepared: Prepared
    types: list[int] = field(default_factory=list)
    ahead: dict[int, bytearray] = field(default_factory=dict)

    def append(self, place: int, data: bytes) -> None:
        """A further piece of a value; what is too much, or for no parameter, fails when it is used."""
        if sum(map(len, self.ahead.values())) <= _LONGEST:
            self.ahead.setdefault(place, bytearray()).extend(data)

    def values(self, reader: Reader) -> list[Value]:
        """Read the values of one execution; what was sent ahead is used up."""
        ahead, self.ahead = self.ahead, {}
        if sum(map(len, ahead.values())) > _LONGEST:
            raise PACKET_TOO_LARGE()
        count = self.prepared.parameters
        if not count:
            return []
        nulls = reader.number((count + 7) // 8)
        if reader.number(1):
            self.types = [reader.number(2) for _ in range(count)]
        if len(self.types) != count:
            raise MALFORMED_PACKET()
        return [
            None if nulls >> place & 1 else _text(bytes(ahead[place])) if place in ahead else _value(reader, kind)
            for place, kind in enumerate(self.types)
        ]


def _value(reader: Reader, kind: int) -> Value:
    try:
        this = ColumnType(kind & 0xFF)
    except ValueError as cause:
        raise MALFORMED_PACKET() from cause
    if this in _WHOLE:
        return reader.number(_WHOLE[this], signed=not kind & _UNSIGNED)
    return _READ.get(this, _counted)(reader)


def _counted(reader: Reader) -> Value:
    return _text(reader.counted(is_length_encoded=True))


def _text(data: bytes) -> str | bytes:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data


def _decimal(reader: Reader) -> Value:
    try:
        number = Decimal(reader.counted(is_length_encoded=True).decode("ascii"))
    except (UnicodeDecodeError, InvalidOperation) as cause:
        raise MALFORMED_PACKET() from cause
    if not number.is_finite():
        raise MALFORMED_PACKET()
    return number


def _float(reader: Reader) -> Value:
    """The shortest digits of a FLOAT, as the client meant it."""
    return float(str(np.frombuffer(reader.take(4), "<f4")[0]))


def _double(reader: Reader) -> Value:
    number: float = struct.unpack("<d", reader.take(8))[0]
    return number


def _moment(reader: Reader) -> Value:
    """A DATE or DATETIME: as many parts as are not zero at the end."""
    data = reader.counted()
    if len(data) not in (0, 4, 7, 11):
        raise MALFORMED_PACKET()
    year, month, day, hour, minute, second, micro = struct.unpack("<HBBBBBI", data.ljust(11, b"\0"))
    date = f"{year:04}-{month:02}-{day:02}"
    if len(data) <= 4:
        return date
    return f"{date} {hour:02}:{minute:02}:{second:02}" + (f".{micro:06}" if micro else "")


def _time(reader: Reader) -> Value:
    data = reader.counted()
    if len(data) not in (0, 8, 12):
        raise MALFORMED_PACKET()
    negative, days, hour, minute, second, micro = struct.unpack("<BIBBBI", data.ljust(12, b"\0"))
    sign = "-" if negative else ""
    return f"{sign}{days * 24 + hour:02}:{minute:02}:{second:02}" + (f".{micro:06}" if micro else "")


_READ: dict[ColumnType, Callable[[Reader], Value]] = {
    _T.NULL: lambda _: None,
    _T.FLOAT: _float,
    _T.DOUBLE: _double,
    _T.DECIMAL: _decimal,
    _T.NEWDECIMAL: _decimal,
    **dict.fromkeys((_T.DATE, _T.DATETIME, _T.TIMESTAMP), _moment),
    _T.TIME: _time,
}
