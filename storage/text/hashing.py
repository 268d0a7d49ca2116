"""Hashes of texts that DuckDB lacks, on columns: MurmurHash3 of 32 bits, as BITMAP_HASH numbers texts, CRC32, SHA-2.

The algorithm of the first is in the public domain (Austin Appleby, "MurmurHash3"). Source: Doris: BITMAP_HASH,
MURMUR_HASH3_32, CRC32, SHA2.
"""

from __future__ import annotations

import hashlib
import struct
import zlib

import pyarrow as pa

from storage.column import Column, whole

_MASK = 0xFFFFFFFF
_C1, _C2 = 0xCC9E2D51, 0x1B873593
_SEED = 104729  # Doris: HashUtil


def murmur3_32(texts: Column) -> pa.Array:
    """The unsigned hash of each text; NULL of NULL."""
    return pa.array((None if text is None else _hash(text.encode()) for text in whole(texts).to_pylist()), pa.uint64())


def crc32(texts: Column) -> pa.Array:
    """The cyclic redundancy check of each text; NULL of NULL."""
    return pa.array(
        (None if text is None else zlib.crc32(text.encode()) for text in whole(texts).to_pylist()), pa.int64()
    )


def sha2(texts: Column, lengths: Column) -> pa.Array:
    """The SHA-2 digest of 224, 256, 384 or 512 bits of each text, hexadecimal; NULL of NULL."""
    pairs = zip(whole(texts).to_pylist(), whole(lengths).to_pylist(), strict=True)
    return pa.array(
        (None if text is None else hashlib.new(f"sha{bits}", text.encode()).hexdigest() for text, bits in pairs),
        pa.string(),
    )


def _rotated(value: int, bits: int) -> int:
    return (value << bits | value >> (32 - bits)) & _MASK


def _mixed(word: int) -> int:
    return _rotated(word * _C1 & _MASK, 15) * _C2 & _MASK


def _hash(data: bytes) -> int:
    found, blocks = _SEED, len(data) // 4
    for (word,) in struct.iter_unpack("<I", data[: blocks * 4]):
        found = (_rotated(found ^ _mixed(word), 13) * 5 + 0xE6546B64) & _MASK
    tail = data[blocks * 4 :]
    if tail:
        found ^= _mixed(int.from_bytes(tail, "little"))
    found ^= len(data)
    found = (found ^ found >> 16) * 0x85EBCA6B & _MASK
    found = (found ^ found >> 13) * 0xC2B2AE35 & _MASK
    return found ^ found >> 16
