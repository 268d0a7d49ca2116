"""What a client's driver packs for COM_STMT_EXECUTE is what it was given."""

from __future__ import annotations

import struct
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.parameter import Statement
from server.reader import Reader
from sql.dialect.doris import parse
from sql.prepared import Value, filled, prepare
from storage.errors import MALFORMED_PACKET, DorisError


def _values(kind: int, data: bytes) -> list[Value]:
    body = b"\0\1" + struct.pack("<H", kind) + data
    return Statement(prepare("SELECT ?")).values(Reader(body, MALFORMED_PACKET))


@pytest.mark.parametrize(
    ("kind", "data", "wanted"),
    [
        (1, b"\xff", -1),
        (0x8001, b"\xff", 255),
        (2, b"\0\x80", -32768),
        (13, b"\xe8\x07", 2024),
        (3, b"\xff\xff\xff\x7f", 2147483647),
        (9, b"\xfe\xff\xff\xff", -2),
        (8, b"\0" * 7 + b"\x80", -(1 << 63)),
        (0x8008, b"\xff" * 8, (1 << 64) - 1),
        (4, struct.pack("<f", 0.1), 0.1),
        (5, struct.pack("<d", -2.5), -2.5),
        (6, b"", None),
        (0, b"\0041.50", Decimal("1.50")),
        (246, b"\3-12", Decimal(-12)),
        (253, b"\3abc", "abc"),
        (15, "\3\u4f60".encode(), "\u4f60"),
        (254, b"\0", ""),
        (252, b"\2\xff\0", b"\xff\0"),
        (10, b"\0", "0000-00-00"),
        (10, b"\4\xe8\x07\x02\x1d", "2024-02-29"),
        (12, b"\4\xe8\x07\x02\x1d", "2024-02-29"),
        (12, b"\7\xe8\x07\x02\x1d\1\2\3", "2024-02-29 01:02:03"),
        (7, b"\x0b\xe8\x07\x02\x1d\1\2\3" + struct.pack("<I", 45), "2024-02-29 01:02:03.000045"),
        (11, b"\0", "00:00:00"),
        (11, b"\x08\1" + struct.pack("<I", 2) + b"\3\4\5", "-51:04:05"),
        (11, b"\x0c\0" + struct.pack("<I", 0) + b"\3\4\5" + struct.pack("<I", 6), "03:04:05.000006"),
    ],
)
def test_values(kind: int, data: bytes, wanted: Value) -> None:
    assert _values(kind, data) == [wanted]


@pytest.mark.parametrize(
    ("kind", "data"),
    [(246, b"\3abc"), (246, b"\3NaN"), (10, b"\3abc"), (11, b"\5abcde"), (253, b"\xfe\xff"), (200, b"\0")],
)
def test_malformed(kind: int, data: bytes) -> None:
    with pytest.raises(DorisError) as caught:
        _values(kind, data)
    assert caught.value.kind is MALFORMED_PACKET


@given(st.lists(st.none() | st.integers(0, 1 << 64) | st.text(st.characters(codec="utf-8")), min_size=2, max_size=2))
def test_the_text_reads_as_the_tree(values: list[Value]) -> None:
    statement = filled(prepare("SELECT concat(?, '?'), ? -- ?"), values)
    assert parse(statement.text)[0].node == statement.node


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (None, "SELECT NULL"),
        (-5, "SELECT -5"),
        (5.0, "SELECT 5"),
        (2.5, "SELECT 2.5"),
        (1e300, "SELECT 1e+300"),
        (float("nan"), "SELECT 'nan'"),
        (Decimal("1E+3"), "SELECT 1000"),
        ("a'b\\c", "SELECT 'a''b\\\\c'"),
        (b"\xff", "SELECT x'ff'"),
    ],
)
def test_the_text_that_says_the_same(value: Value, wanted: str) -> None:
    assert filled(prepare("SELECT ?"), [value]).text == wanted
