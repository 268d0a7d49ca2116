"""BITMAP, HLL and QUANTILE_STATE as base64 texts, and states from such texts.

    BITMAP           0                                   no value
                     1 | value (4 bytes)                 one of 32 bits
                     2 | Roaring, portable form          several of them
                     3 | value (8 bytes)                 one of 64 bits
                     4 | count (varint) | { high 4 bytes | Roaring, portable form }
    HLL              0 | nothing                         no value
                     DataSketches' sketch                not Doris's, whose hashes are other ones
    QUANTILE_STATE   as stored (quantile.py)             Doris's own as long as it has all values

Little-endian, and Doris's bytes where nothing else is said, so that both engines read each other's. A text that is
no such state gives NULL, and so does NULL. Source: Doris: BITMAP_TO_BASE64, HLL_TO_BASE64, QUANTILE_STATE_TO_BASE64
and their opposites; apache/doris, BitmapValue.
"""

from __future__ import annotations

import binascii
import struct
from collections.abc import Callable

import pyarrow as pa
from pyroaring import BitMap64

from storage.column import Column, whole
from storage.state import bitmap, hll, quantile

_NONE, _ONE32, _MANY32, _ONE64, _MANY64 = range(5)
_ONES = {_ONE32: struct.Struct("<I"), _ONE64: struct.Struct("<Q")}
_LOW = struct.pack("<QI", 1, 0)  # what stored bitmaps of 32-bit values begin with: one high word, and it is 0
_NOTHING = bytes([_NONE])


# -- texts -----------------------------------------------------------------------------------------
def bitmap_text(states: Column) -> pa.Array:
    """BITMAP_TO_BASE64."""
    return _encoded(_bitmap_bytes, states)


def hll_text(states: Column) -> pa.Array:
    """HLL_TO_BASE64."""
    return _encoded(lambda item: _NOTHING if item == hll.EMPTY else item, states)


def quantile_text(states: Column) -> pa.Array:
    """QUANTILE_STATE_TO_BASE64."""
    return _encoded(lambda item: item, states)


def _encoded(write: Callable[[bytes], bytes], states: Column) -> pa.Array:
    items = whole(states).to_pylist()
    texts = (None if item is None else binascii.b2a_base64(write(item), newline=False).decode() for item in items)
    return pa.array(texts, pa.string())


def _bitmap_bytes(item: bytes) -> bytes:
    found = bitmap.read(item)
    if not found:
        return _NOTHING
    form = _ONE32 if found.max() < 1 << 32 else _ONE64
    if len(found) == 1:
        return bytes([form]) + _ONES[form].pack(found.max())
    stored: bytes = found.serialize()
    if form == _ONE32:
        return bytes([_MANY32]) + stored[len(_LOW) :]
    return bytes([_MANY64]) + _varint(int.from_bytes(stored[:8], "little")) + stored[8:]


def _varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first; the last byte is below 128."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


# -- states ----------------------------------------------------------------------------------------
def bitmap_of(texts: Column) -> pa.Array:
    """BITMAP_FROM_BASE64."""
    return _decoded(_stored_bitmap, texts)


def hll_of(texts: Column) -> pa.Array:
    """HLL_FROM_BASE64."""
    return _decoded(lambda item: hll.EMPTY if item == _NOTHING else hll.checked(item), texts)


def quantile_of(texts: Column) -> pa.Array:
    """QUANTILE_STATE_FROM_BASE64."""
    return _decoded(quantile.checked, texts)


def _decoded(read: Callable[[bytes], bytes], texts: Column) -> pa.Array:
    """`read` raises for bytes that are no state: what, depends on the library that finds out."""

    def state(text: str | None) -> bytes | None:
        try:
            return None if text is None else read(binascii.a2b_base64(text, strict_mode=True))
        except (ValueError, IndexError, RuntimeError, MemoryError, struct.error):
            return None

    return pa.array(map(state, whole(texts).to_pylist()), pa.binary())


def _stored_bitmap(item: bytes) -> bytes:
    form, rest = item[0], item[1:]
    found = BitMap64(_ONES[form].unpack(rest)) if form in _ONES else bitmap.read(_roaring(form, rest))
    serialized: bytes = found.serialize()
    return serialized


def _roaring(form: int, rest: bytes) -> bytes:
    """The payload of several values as the stored form has it."""
    if form == _NONE and not rest:
        return bitmap.EMPTY
    if form == _MANY32:
        return _LOW + rest
    if form != _MANY64:
        raise ValueError
    count, width = 0, 0
    while width == 0 or rest[width - 1] & 0x80:
        count |= (rest[width] & 0x7F) << 7 * width
        width += 1
    return struct.pack("<Q", count) + rest[width:]
