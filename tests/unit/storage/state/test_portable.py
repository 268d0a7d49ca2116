"""States as base64 texts: BITMAP in Doris's bytes, all of them read back, and nothing else taken for a state."""

from __future__ import annotations

import base64
import math
import struct

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyroaring import BitMap, BitMap64

from storage.state import bitmap, hll, portable, quantile

LIMITS = (0, 1, (1 << 32) - 1, 1 << 32, bitmap.MAX)
numbers = st.one_of(st.integers(0, 300), st.integers(0, bitmap.MAX), st.sampled_from(LIMITS))


def _bytes(*items: bytes | None) -> pa.Array:
    return pa.array(items, pa.binary())


def _text(payload: bytes) -> str:
    return base64.b64encode(payload).decode()


@given(st.lists(st.sets(numbers, max_size=300)))
def test_bitmaps_come_back(sets: list[set[int]]) -> None:
    stored = _bytes(None, *(BitMap64(items).serialize() for items in sets))
    assert portable.bitmap_of(portable.bitmap_text(stored)) == stored


def test_bitmaps_are_in_the_bytes_of_doris() -> None:
    """The five forms, as apache/doris BitmapValue documents them; the first four texts are of Doris's own pages."""
    low, high = BitMap([7]).serialize(), BitMap([0, 9]).serialize()
    forms = {
        (): "AA==",
        (1,): "AQEAAAA=",
        (1, 9999999): "AjowAAACAAAAAAAAAJgAAAAYAAAAGgAAAAEAf5Y=",
        (1 << 32,): _text(b"\3" + struct.pack("<Q", 1 << 32)),
        (7, 5 << 32, (5 << 32) + 9): _text(b"\4\2" + struct.pack("<I", 0) + low + struct.pack("<I", 5) + high),
        tuple(part << 32 for part in range(1, 301)): _text(
            b"\4\xac\2" + b"".join(struct.pack("<I", part) + BitMap([0]).serialize() for part in range(1, 301))
        ),
    }
    stored = _bytes(*(BitMap64(items).serialize() for items in forms))
    assert portable.bitmap_text(stored).to_pylist() == list(forms.values())
    assert portable.bitmap_of(pa.array(forms.values())) == stored


@pytest.mark.parametrize("values", [0, 1, 3, 200, 5000])
def test_sketches_and_quantiles_come_back(values: int) -> None:
    sketches = hll.build(pa.array([[str(number) for number in range(values)]], pa.list_(pa.string())))
    assert portable.hll_of(portable.hll_text(sketches)) == sketches
    lists = pa.array([[float(number) for number in range(values)]], pa.list_(pa.float64()))
    states = quantile.build(lists, pa.array([4096.0]))
    assert portable.quantile_of(portable.quantile_text(states)) == states


def test_quantiles_are_in_the_bytes_of_doris() -> None:
    """The first two texts are of Doris's page; the values of the third are put in order."""
    unsorted = struct.pack("<fBHdd", 2048, 2, 2, 9, 4)
    texts = ["AAAARQA=", "AAAARQEAAAAAAADwPw==", _text(unsorted)]
    made = portable.quantile_of(pa.array(texts))
    assert portable.quantile_text(made).to_pylist()[:2] == texts[:2]
    assert quantile.at(made, pa.array([0.5, 0.5, 0.0])).to_pylist() == [None, 1, 4]


def _estimating(number: float) -> str:
    """A sketch of many values that says how many it has seen."""
    sketch = bytearray(hll.build(pa.array([[str(value) for value in range(5000)]]))[0].as_py())
    sketch[8:16] = struct.pack("<d", number)
    return _text(bytes(sketch))


def _cut(text: str, bytes_: int) -> str:
    return _text(base64.b64decode(text)[:bytes_])


GOOD = _text(b"\2" + BitMap([1, 2, 70_000]).serialize())
SKETCH = _text(hll.build(pa.array([["a"] * 9 + ["b"]]))[0].as_py())
BAD = {
    "bitmap": [
        "", "invalid", "A===", "AAA=", _text(b"\1\0"), _text(b"\2"), _text(b"\4\1"), _text(b"\4" + b"\xff" * 12),
        _text(b"\5"), _cut(GOOD, 12), GOOD + "AA",
    ],
    "hll": ["", "invalid", "AQEC5XSzrpDsdw==", _cut(SKETCH, 9), *map(_estimating, (math.inf, math.nan, 1e19, -1.0))],
    "quantile": [
        "", "AA==", "AAAARQE=", "AAAARQIBAA==", "AAAARQP/", "AAAAAAA=", "AAAARQQ=",
        _text(struct.pack("<fBH", 2048, 2, 65535) + bytes(8 * 65535)),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in BAD.items() for text in texts])
def test_what_is_no_state_is_null(kind: str, text: str) -> None:
    read = {"bitmap": portable.bitmap_of, "hll": portable.hll_of, "quantile": portable.quantile_of}[kind]
    assert read(pa.array([text, None])).to_pylist() == [None, None]


@given(st.sampled_from([GOOD, SKETCH, "AAAARQEAAAAAAADwPw=="]), st.lists(st.tuples(st.integers(), st.integers(0, 255))))
def test_texts_that_were_tampered_with_do_no_harm(text: str, changes: list[tuple[int, int]]) -> None:
    """They are NULL, or states that the other functions can use."""
    payload = bytearray(base64.b64decode(text))
    for place, value in changes:
        payload[place % len(payload)] = value
    texts = pa.array([_text(bytes(payload))])
    bitmap.union(pa.array([portable.bitmap_of(texts).to_pylist()], pa.list_(pa.binary())))
    hll.union_count(pa.array([portable.hll_of(texts).to_pylist()], pa.list_(pa.binary())))
    quantile.at(portable.quantile_of(texts), pa.array([0.5]))
