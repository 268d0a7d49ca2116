"""Hashes of texts that DuckDB lacks: MurmurHash3, as BITMAP_HASH numbers texts, too, CRC32, SHA-2.

The algorithm of the first is in the public domain (Austin Appleby, "MurmurHash3"). Several texts are hashed one behind
the other: the hash of those before is the seed. Source: Doris: BITMAP_HASH, MURMUR_HASH3_32, MURMUR_HASH3_64, CRC32,
SHA2.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Callable, Sequence

Texts = Callable[[Sequence[str | None]], int | None]

_MASK, _MASK64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF
_C1, _C2 = 0xCC9E2D51, 0x1B873593
_D1, _D2 = 0x87C37B91114253D5, 0x4CF5AD432745937F
SEED = 104729  # Doris: HashUtil


def of_text(text: str) -> int:
    """The hash of 32 bits that numbers a text, unsigned (Doris: BITMAP_HASH)."""
    return murmur32(text.encode())


def crc32(text: str) -> int:
    """The cyclic redundancy check of a text."""
    return zlib.crc32(text.encode())


def sha2(text: str, bits: int) -> str:
    """The SHA-2 digest of 224, 256, 384 or 512 bits, hexadecimal."""
    return hashlib.new(f"sha{bits}", text.encode()).hexdigest()


def chained(function: Callable[[bytes, int], int], bits: int, seed: int = 0) -> Texts:
    """A function of texts that hashes them one behind the other to a signed number; None if one of them is."""

    def compute(texts: Sequence[str | None]) -> int | None:
        found = seed
        for text in texts:
            if text is None:
                return None
            found = function(text.encode(), found)
        return found - (1 << bits) if found >> (bits - 1) else found

    return compute


def murmur32(data: bytes, seed: int = SEED) -> int:
    """The hash of 32 bits, unsigned."""
    found, blocks = seed, len(data) // 4
    for (word,) in struct.iter_unpack("<I", data[: blocks * 4]):
        found = (_rotated(found ^ _mixed(word), 13) * 5 + 0xE6546B64) & _MASK
    tail = data[blocks * 4 :]
    if tail:
        found ^= _mixed(int.from_bytes(tail, "little"))
    found ^= len(data)
    found = (found ^ found >> 16) * 0x85EBCA6B & _MASK
    found = (found ^ found >> 13) * 0xC2B2AE35 & _MASK
    return found ^ found >> 16


def murmur64(data: bytes, seed: int) -> int:
    """Doris's hash of 64 bits, unsigned: the first half of the one of 128 bits, by itself."""
    found, blocks = seed, len(data) // 8
    for (word,) in struct.iter_unpack("<Q", data[: blocks * 8]):
        found = (_rotated64(found ^ _first(word), 27) * 5 + 0x52DCE729) & _MASK64
    tail = data[blocks * 8 :]
    if tail:
        found ^= _first(int.from_bytes(tail, "little"))
    return _final(found ^ len(data))


def murmur64_v2(data: bytes, seed: int) -> int:
    """The first half of the hash of 128 bits, unsigned."""
    one = two = seed
    blocks = len(data) // 16
    for low, high in struct.iter_unpack("<2Q", data[: blocks * 16]):
        one = ((_rotated64(one ^ _first(low), 27) + two & _MASK64) * 5 + 0x52DCE729) & _MASK64
        two = ((_rotated64(two ^ _second(high), 31) + one & _MASK64) * 5 + 0x38495AB5) & _MASK64
    tail = data[blocks * 16 :]
    if len(tail) > 8:
        two ^= _second(int.from_bytes(tail[8:], "little"))
    if tail:
        one ^= _first(int.from_bytes(tail[:8], "little"))
    one, two = one ^ len(data), two ^ len(data)
    one = one + two & _MASK64
    two = two + one & _MASK64
    return _final(one) + _final(two) & _MASK64


def _rotated(value: int, bits: int) -> int:
    return (value << bits | value >> (32 - bits)) & _MASK


def _mixed(word: int) -> int:
    return _rotated(word * _C1 & _MASK, 15) * _C2 & _MASK


def _rotated64(value: int, bits: int) -> int:
    return (value << bits | value >> (64 - bits)) & _MASK64


def _first(word: int) -> int:
    return _rotated64(word * _D1 & _MASK64, 31) * _D2 & _MASK64


def _second(word: int) -> int:
    return _rotated64(word * _D2 & _MASK64, 33) * _D1 & _MASK64


def _final(value: int) -> int:
    value = (value ^ value >> 33) * 0xFF51AFD7ED558CCD & _MASK64
    value = (value ^ value >> 33) * 0xC4CEB9FE1A85EC53 & _MASK64
    return value ^ value >> 33
