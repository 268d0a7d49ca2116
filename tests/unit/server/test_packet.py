"""Packets have the bytes that MySQL clients expect."""

from __future__ import annotations

import pyarrow as pa
import pytest

from server import packet
from sql.result import Field
from storage.errors import NO_SUCH_TABLE, SYNTAX_ERROR
from storage.types import BIGINT, BOOLEAN, DATE, DOUBLE, LARGEINT, STRING, DorisType, datetime, decimal, varchar


def test_ok_without_and_with_figures() -> None:
    assert packet.ok(2) == b"\0\0\0\2\0\0\0"
    assert packet.ok(3, affected=251, warnings=70_000, info="hé") == b"\0\xfc\xfb\0\0\3\0\xff\xff\3h\xc3\xa9"


def test_eof() -> None:
    assert packet.eof(2, 1) == b"\xfe\1\0\2\0"


def test_only_general_errors_carry_doris_prefix() -> None:
    assert packet.error(NO_SUCH_TABLE(name="t")) == b"\xff\x7a\4#42S02Table 't' doesn't exist"
    assert packet.error(SYNTAX_ERROR(line=1, column=2, reason="x")).startswith(
        b"\xff\x51\4#HY000errCode = 2, detailMessage = Syntax error in line 1"
    )
    assert packet.error(NO_SUCH_TABLE(name="\udcff")).endswith(b"'?' doesn't exist"), "lone surrogates do not hurt"


def test_greeting() -> None:
    data = packet.greeting("5.7.99", 7, b"abcdefghijklmnopqrst")
    assert data.startswith(b"\x0a5.7.99\0\7\0\0\0abcdefgh\0")
    assert data.endswith(b"\x15" + bytes(10) + b"ijklmnopqrst\0mysql_native_password\0")
    offered = int.from_bytes(data[21:23], "little") | int.from_bytes(data[26:28], "little") << 16
    assert offered == packet.OFFERED
    assert not offered & (1 << 24), "CLIENT_DEPRECATE_EOF breaks MariaDB Connector/J"
    assert not offered & (1 << 7), "CLIENT_LOCAL_FILES"
    assert offered & (1 << 16), "CLIENT_MULTI_STATEMENTS"
    assert data[24] | data[25] << 8 == packet.AUTOCOMMIT


def fixed(field: Field, arrow: pa.DataType) -> tuple[int, int, int, int, int]:
    """Charset, length, type, flags and decimals of a definition."""
    data = packet.column_definition(field, arrow)
    tail = data[data.rindex(b"\x0c", 0, len(data) - 12 + 1) + 1 :]
    assert len(tail) == 12
    numbers = (tail[0:2], tail[2:6], tail[6:7], tail[7:9], tail[9:10])
    charset, length, kind, flags, decimals = (int.from_bytes(number, "little") for number in numbers)
    return charset, length, kind, flags, decimals


BINARY, TEXT = 63, 45


@pytest.mark.parametrize(
    ("declared", "arrow", "expected"),
    [
        (BIGINT, pa.int64(), (BINARY, 20, 8, 128, 0)),
        (BOOLEAN, pa.bool8(), (BINARY, 1, 1, 128, 0)),
        (LARGEINT, pa.string(), (TEXT, 160, 254, 0, 0)),
        (DOUBLE, pa.float64(), (BINARY, 22, 5, 128, 31)),
        (decimal(10, 2), pa.decimal128(10, 2), (BINARY, 12, 246, 128, 2)),
        (DATE, pa.date32(), (BINARY, 10, 10, 128, 0)),
        (datetime(3), pa.timestamp("us"), (BINARY, 23, 12, 128, 3)),
        (varchar(10), pa.string(), (TEXT, 40, 253, 0, 0)),
        (DorisType("bitmap"), pa.binary(), (BINARY, 1048576, 252, 144, 0)),
        (None, pa.uint64(), (BINARY, 20, 8, 160, 0)),
        (None, pa.decimal128(38, 4), (BINARY, 40, 246, 128, 4)),
        (None, pa.binary(), (BINARY, 1048576, 252, 144, 0)),
        (None, pa.list_(pa.int32()), (TEXT, 4194304, 253, 0, 0)),
        (None, pa.timestamp("us", "UTC"), (BINARY, 19, 12, 128, 0)),
        (None, pa.null(), (BINARY, 4, 6, 128, 0)),
    ],
)
def test_column_definitions(declared: DorisType | None, arrow: pa.DataType, expected: tuple[int, ...]) -> None:
    assert fixed(Field("c", declared), arrow) == expected


def test_column_definition_names_and_flags() -> None:
    field = Field("alias", STRING, nullable=False, table="t", origin="name", database="shop", key=True)
    data = packet.column_definition(field, pa.string())
    assert data.startswith(b"\3def\4shop\1t\1t\5alias\4name\x0c")
    assert fixed(field, pa.string())[3] == 3, "NOT_NULL and PRI_KEY"
