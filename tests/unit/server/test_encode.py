"""Rows on the wire are equal, byte for byte, to those of a simple encoder that shares no code."""

from __future__ import annotations

import datetime
import decimal
import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.encode import MAX_PAYLOAD, TextEncoder, frame, length_encoded
from server.text import formatter
from storage.types import DorisType
from storage.types import datetime as datetime_type
from tests.unit.server import reference

Values = list[object]


def encoded(batch: pa.RecordBatch, declared: list[DorisType | None] | None = None, sequence: int = 0) -> bytes:
    encoder = TextEncoder(batch.schema, declared or [None] * batch.num_columns, sequence)
    return b"".join(bytes(piece) for piece in encoder.packets(batch))


def texts(array: pa.Array, declared: DorisType | None = None) -> list[str | None]:
    found = formatter(array.type, declared)(array).to_pylist()
    return [None if text is None else text.decode() for text in found]


COLUMNS: dict[str, tuple[pa.DataType, st.SearchStrategy[object]]] = {
    "tinyint": (pa.int8(), st.integers(-128, 127)),
    "smallint": (pa.int16(), st.integers(-(2**15), 2**15 - 1)),
    "int": (pa.int32(), st.integers(-(2**31), 2**31 - 1)),
    "bigint": (pa.int64(), st.integers(-(2**63), 2**63 - 1)),
    "unsigned": (pa.uint64(), st.integers(0, 2**64 - 1)),
    "double": (pa.float64(), st.floats(allow_nan=False)),
    "text": (pa.string(), st.text(max_size=300)),
    "long text": (pa.string(), st.sampled_from(["", "a" * 250, "b" * 251, "ü" * 200, "c" * 65_535, "d" * 65_536])),
    "large text": (pa.large_string(), st.text(max_size=5)),
    "text view": (pa.string_view(), st.text(max_size=20)),
    "blob": (pa.binary(), st.binary(max_size=300)),
    "switch": (pa.bool_(), st.booleans()),
    "date": (pa.date32(), st.dates(datetime.date(1, 1, 1), datetime.date(9999, 12, 31))),
    "moment": (pa.timestamp("us"), st.datetimes(datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31))),
    "money": (pa.decimal128(12, 2), st.decimals(-(10**9), 10**9, places=2)),
    "fine": (pa.decimal128(38, 20), st.decimals(-(10**17), 10**17, places=20)),
    "nothing": (pa.null(), st.none()),
}


@st.composite
def batches(draw: st.DrawFn) -> pa.RecordBatch:
    """A few columns of any types; often more rows than the short way takes, often a slice of something larger."""
    names = draw(st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=4))
    count = draw(st.one_of(st.integers(1, 8), st.just(60)))
    skipped = draw(st.integers(0, 3))
    arrays = []
    for name in names:
        kind, values = COLUMNS[name]
        pool = draw(st.lists(st.none() | values, min_size=1, max_size=12))
        arrays.append(pa.array([pool[i % len(pool)] for i in range(count + skipped)], kind))
    return pa.record_batch(arrays, [f"c{i}" for i in range(len(names))]).slice(skipped)


@given(batches(), st.integers(0, 255))
@settings(max_examples=300, deadline=None)
def test_rows_are_equal_byte_for_byte(batch: pa.RecordBatch, sequence: int) -> None:
    rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
    assert encoded(batch, sequence=sequence) == reference.packets(rows, sequence)


@given(st.lists(st.none() | st.datetimes(datetime.datetime(1, 1, 1)), min_size=1, max_size=70), st.integers(0, 6))
@settings(max_examples=100, deadline=None)
def test_datetime_has_exactly_its_declared_digits(values: Values, scale: int) -> None:
    batch = pa.record_batch([pa.array(values, pa.timestamp("us"))], ["c"])
    expected = reference.packets([[value] for value in values], 0, [scale])
    assert encoded(batch, [datetime_type(scale)]) == expected


@given(st.lists(st.floats(width=32, allow_nan=False), min_size=1, max_size=60))
@settings(max_examples=200, deadline=None)
def test_float_reads_back_as_the_same_float(values: list[float]) -> None:
    array = pa.array(np.array(values, np.float32))
    assert [np.float32(text) for text in texts(array)] == list(np.array(values, np.float32))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (2.25, "2.25"),
        (-0.5, "-0.5"),
        (100.0, "100"),
        (0.0, "0"),
        (-0.0, "-0"),
        (1e20, "1e+20"),
        (1e16, "1e+16"),
        (1e15, "1000000000000000"),
        (12345678901.5, "12345678901.5"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (5e-324, "5e-324"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (math.nan, "NaN"),
    ],
)
def test_double_text(number: float, text: str) -> None:
    assert texts(pa.array([number])) == [text]
    assert texts(pa.array([None, number, 1.5])) == [None, text, "1.5"]


def test_float_text_is_short() -> None:
    array = pa.array(np.array([0.1, 16777216, 1e10, 3.4028235e38, 1e-5], np.float32))
    assert texts(array) == ["0.1", "16777216", "10000000000", "3.4028235e+38", "1e-05"]


def test_decimal_keeps_its_scale_and_never_shows_an_exponent() -> None:
    tiny = pa.array(
        [decimal.Decimal("1E-10"), decimal.Decimal(0), decimal.Decimal("-12.5"), None], pa.decimal128(38, 10)
    )
    assert texts(tiny) == ["0.0000000001", "0.0000000000", "-12.5000000000", None]
    assert texts(pa.array([decimal.Decimal("10.5")], pa.decimal128(9, 2))) == ["10.50"]


def test_boolean_is_one_or_zero_in_both_arrow_forms() -> None:
    assert texts(pa.array([True, False, None])) == ["1", "0", None]
    lossless = pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, 0, None], pa.int8()))
    assert texts(lossless) == ["1", "0", None]


def test_hugeint_of_duckdb_is_a_number() -> None:
    kind = pa.opaque(pa.binary(16), "hugeint", "DuckDB")
    storage = pa.array(
        [(2**127 - 1).to_bytes(16, "little"), (-1).to_bytes(16, "little", signed=True), None], pa.binary(16)
    )
    assert texts(pa.ExtensionArray.from_storage(kind, storage)) == [str(2**127 - 1), "-1", None]


def test_undeclared_moment_shows_a_fraction_only_where_there_is_one() -> None:
    moments = [datetime.datetime(2024, 1, 2, 3, 4, 5), datetime.datetime(1969, 12, 31, 23, 59, 59, 500_000)]
    assert texts(pa.array(moments, pa.timestamp("us"))) == ["2024-01-02 03:04:05", "1969-12-31 23:59:59.500000"]
    assert texts(pa.array(moments[:1], pa.timestamp("s"))) == ["2024-01-02 03:04:05"]
    assert texts(pa.array([datetime.time(1, 2, 3)])) == ["01:02:03"]


NESTED: list[tuple[pa.Array, list[str | None]]] = [
    (pa.array([[1, 2, None], [], None]), ["[1, 2, null]", "[]", None]),
    (pa.array([["a", 'b"c'], [None]]), ['["a", "b"c"]', "[null]"]),
    (pa.array([[[1], None], [[]]]), ["[[1], null]", "[[]]"]),
    (pa.array([[True, None]]), ["[1, null]"]),
    (pa.array([[1.0, 2.5]]), ["[1, 2.5]"]),
    (pa.array([[datetime.date(2024, 1, 2)]]), ['["2024-01-02"]']),
    (pa.array([[("a", 1), ("b", None)], None], pa.map_(pa.string(), pa.int32())), ['{"a":1, "b":null}', None]),
    (pa.array([[(1, "x")]], pa.map_(pa.int32(), pa.string())), ['{1:"x"}']),
    (pa.array([{"f": 1, "g": "x"}, None, {"f": None, "g": None}]), ['{"f":1, "g":"x"}', None, '{"f":null, "g":null}']),
    (pa.array([[1, 2], None], pa.list_(pa.int32(), 2)), ["[1, 2]", None]),
    (pa.array([[{"f": [decimal.Decimal("1.50")]}]]), ['[{"f":[1.50]}]']),
]


@pytest.mark.parametrize(("array", "expected"), NESTED)
def test_nested_values(array: pa.Array, expected: list[str | None]) -> None:
    assert texts(array) == expected
    padded = pa.concat_arrays([array, array])
    assert texts(padded.slice(len(array))) == expected, "a slice starts where it starts"


def test_a_cell_of_sixteen_mebibytes_is_split_and_an_exact_multiple_ends_with_an_empty_packet() -> None:
    for size in (MAX_PAYLOAD - 4, MAX_PAYLOAD - 3, MAX_PAYLOAD, 20_000_000, 2 * MAX_PAYLOAD - 9):
        batch = pa.record_batch([pa.array([b"z" * size], pa.binary())], ["c"])
        assert encoded(batch, sequence=254) == reference.packets([[b"z" * size]], 254)


def test_one_huge_row_among_many() -> None:
    cells = [b"s"] * 70 + [b"z" * (MAX_PAYLOAD + 5)] + [b"t"] * 70
    batch = pa.record_batch([pa.array(cells, pa.binary()), pa.array(range(141))], ["c", "n"])
    assert encoded(batch) == reference.packets(zip(cells, range(141), strict=True), 0)


def test_sequence_ids_wrap_over_many_batches() -> None:
    batch = pa.record_batch([pa.array(range(1000))], ["c"])
    encoder = TextEncoder(batch.schema, [None], 250)
    data = b"".join(bytes(piece) for _ in range(2) for piece in encoder.packets(batch))
    assert data == reference.packets([[n] for n in [*range(1000), *range(1000)]], 250)
    assert encoder.sequence == (250 + 2000) % 256


def test_pieces_are_bounded() -> None:
    batch = pa.record_batch([pa.array(["w" * 1000] * 10_000)], ["c"])
    sizes = [len(piece) for piece in TextEncoder(batch.schema, [None], 0).packets(batch)]
    assert len(sizes) > 5 and max(sizes) <= 1 << 20


def test_empty_batch_gives_nothing() -> None:
    assert encoded(pa.record_batch([pa.array([], pa.int64())], ["c"])) == b""


@given(st.integers(0, 2**64 - 1))
def test_length_encoding(number: int) -> None:
    assert length_encoded(number) == reference.length(number)


def test_frame_splits() -> None:
    packets, sequence = frame(b"q" * MAX_PAYLOAD, 255)
    assert packets == b"\xff\xff\xff\xff" + b"q" * MAX_PAYLOAD + b"\0\0\0\0"
    assert sequence == 1
