"""The hashes XXH32 and XXH3 (64 bits) of bytes, with a seed (Yann Collet, "xxHash fast digest algorithm").

Doris's XXHASH_32 is the first, XXHASH_64 the second; several texts are hashed one behind the other, each with the hash
of those before it as its seed. Source: Doris: XXHASH_32, XXHASH_64.
"""

from __future__ import annotations

import struct

_M32, _M64 = 2**32 - 1, 2**64 - 1
_P1, _P2, _P3, _P4, _P5 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1
_Q1, _Q2, _Q3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
_Q4, _Q5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
_X1, _X2 = 0x165667919E3779F9, 0x9FB21C651E98DF25
_SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248e"
    "e03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a"
    "51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8f"
    "f8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
_STRIPE, _LANES = 64, 8
_SHORT, _MIDDLE, _LONG = 16, 128, 240


def xxh32(data: bytes, seed: int = 0) -> int:
    """The hash of 32 bits, unsigned."""
    rest = data
    if len(data) >= 16:
        lanes = [seed + _P1 + _P2, seed + _P2, seed, seed - _P1]
        whole = len(data) // 16 * 16
        for block in struct.iter_unpack("<4I", data[:whole]):
            lanes = [
                _left32(lane + word * _P2 & _M32, 13) * _P1 & _M32 for lane, word in zip(lanes, block, strict=True)
            ]
        found, rest = sum(_left32(lane, turn) for lane, turn in zip(lanes, (1, 7, 12, 18), strict=True)), data[whole:]
    else:
        found = seed + _P5
    found = found + len(data) & _M32
    words = len(rest) // 4 * 4
    for (word,) in struct.iter_unpack("<I", rest[:words]):
        found = _left32(found + word * _P3 & _M32, 17) * _P4 & _M32
    for byte in rest[words:]:
        found = _left32(found + byte * _P5 & _M32, 11) * _P1 & _M32
    found = (found ^ found >> 15) * _P2 & _M32
    found = (found ^ found >> 13) * _P3 & _M32
    return found ^ found >> 16


def xxh3(data: bytes, seed: int = 0) -> int:
    """The hash of 64 bits, unsigned."""
    if len(data) <= _SHORT:
        return _short(data, seed)
    if len(data) <= _MIDDLE:
        return _middle(data, seed)
    return _long_middle(data, seed) if len(data) <= _LONG else _long(data, seed)


def _left32(value: int, bits: int) -> int:
    value &= _M32
    return (value << bits | value >> (32 - bits)) & _M32


def _left64(value: int, bits: int) -> int:
    return (value << bits | value >> (64 - bits)) & _M64


def _u32(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def _u64(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 8], "little")


def _swapped(value: int, size: int) -> int:
    return int.from_bytes(value.to_bytes(size, "little"), "big")


def _folded(left: int, right: int) -> int:
    product = left * right
    return (product ^ product >> 64) & _M64


def _avalanche(value: int) -> int:
    value = (value ^ value >> 37) * _X1 & _M64
    return value ^ value >> 32


def _old_avalanche(value: int) -> int:
    value = (value ^ value >> 33) * _Q2 & _M64
    value = (value ^ value >> 29) * _Q3 & _M64
    return value ^ value >> 32


def _short(data: bytes, seed: int) -> int:
    size = len(data)
    if size > 8:
        first = (_u64(_SECRET, 24) ^ _u64(_SECRET, 32)) + seed & _M64
        last = (_u64(_SECRET, 40) ^ _u64(_SECRET, 48)) - seed & _M64
        low, high = _u64(data, 0) ^ first, _u64(data, size - 8) ^ last
        return _avalanche(size + _swapped(low, 8) + high + _folded(low, high) & _M64)
    if size >= 4:
        seed ^= _swapped(seed & _M32, 4) << 32
        flip = (_u64(_SECRET, 8) ^ _u64(_SECRET, 16)) - seed & _M64
        value = (_u32(data, size - 4) + (_u32(data, 0) << 32)) ^ flip
        value ^= _left64(value, 49) ^ _left64(value, 24)
        value = value * _X2 & _M64
        value = (value ^ (value >> 35) + size) * _X2 & _M64
        return value ^ value >> 28
    if size:
        joined = data[0] << 16 | data[size >> 1] << 24 | data[-1] | size << 8
        return _old_avalanche(joined ^ (_u32(_SECRET, 0) ^ _u32(_SECRET, 4)) + seed & _M64)
    return _old_avalanche(seed ^ _u64(_SECRET, 56) ^ _u64(_SECRET, 64))


def _mixed(data: bytes, at: int, secret: int, seed: int) -> int:
    left = _u64(data, at) ^ (_u64(_SECRET, secret) + seed & _M64)
    return _folded(left, _u64(data, at + 8) ^ (_u64(_SECRET, secret + 8) - seed & _M64))


def _middle(data: bytes, seed: int) -> int:
    found = len(data) * _Q1
    for step in range((len(data) - 1) // 32 + 1):
        found += _mixed(data, 16 * step, 32 * step, seed)
        found += _mixed(data, len(data) - 16 * (step + 1), 32 * step + 16, seed)
    return _avalanche(found & _M64)


def _long_middle(data: bytes, seed: int) -> int:
    found = len(data) * _Q1 + sum(_mixed(data, 16 * step, 16 * step, seed) for step in range(8))
    found = _avalanche(found & _M64)
    found += sum(_mixed(data, 16 * step, 16 * (step - 8) + 3, seed) for step in range(8, len(data) // 16))
    return _avalanche(found + _mixed(data, len(data) - 16, 136 - 17, seed) & _M64)


def _seeded(seed: int) -> bytes:
    """The secret with a seed in it."""
    halves = zip(*[iter(struct.unpack("<24Q", _SECRET))] * 2, strict=True)
    return b"".join(struct.pack("<2Q", low + seed & _M64, high - seed & _M64) for low, high in halves)


def _long(data: bytes, seed: int) -> int:
    secret = _seeded(seed) if seed else _SECRET
    lanes = [_P3, _Q1, _Q2, _Q3, _Q4, _P2, _Q5, _P1]
    steps = (len(secret) - _STRIPE) // 8
    stripes = (len(data) - 1) // _STRIPE
    for stripe in range(stripes):
        _accumulate(lanes, data, stripe * _STRIPE, secret, stripe % steps * 8)
        if stripe % steps == steps - 1:
            _scramble(lanes, secret)
    _accumulate(lanes, data, len(data) - _STRIPE, secret, len(secret) - _STRIPE - 7)
    found = len(data) * _Q1
    for pair in range(4):
        left, right = (lanes[2 * pair + side] ^ _u64(secret, 11 + 16 * pair + 8 * side) for side in (0, 1))
        found += _folded(left, right)
    return _avalanche(found & _M64)


def _accumulate(lanes: list[int], data: bytes, at: int, secret: bytes, key: int) -> None:
    for lane in range(_LANES):
        value = _u64(data, at + 8 * lane)
        keyed = value ^ _u64(secret, key + 8 * lane)
        lanes[lane ^ 1] = lanes[lane ^ 1] + value & _M64
        lanes[lane] = lanes[lane] + (keyed & _M32) * (keyed >> 32) & _M64


def _scramble(lanes: list[int], secret: bytes) -> None:
    for lane in range(_LANES):
        value = lanes[lane]
        value ^= value >> 47 ^ _u64(secret, len(secret) - _STRIPE + 8 * lane)
        lanes[lane] = value * _P1 & _M64
