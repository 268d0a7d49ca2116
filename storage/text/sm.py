"""The digest SM3 and the block cipher SM4, which OpenSSL does not have everywhere.

Source: GB/T 32905 (SM3), GB/T 32907 (SM4); Doris: SM3, SM3SUM, SM4_ENCRYPT.
"""

from __future__ import annotations

import struct
from functools import lru_cache

from storage.text.cipher import Cipher

_M = 2**32 - 1
_START: tuple[int, ...] = (
    0x7380166F,
    0x4914B2B9,
    0x172442D7,
    0xDA8A0600,
    0xA96F30BC,
    0x163138AA,
    0xE38DEE4D,
    0xB0FB0E4E,
)
_BOX = bytes.fromhex(
    "d690e9fecce13db716b614c228fb2c052b679a762abe04c3aa441326498606999c4250f491ef987a33540b43edcfac62e4b31ca9c908e895"
    "80df94fa758f3fa64707a7fcf37317ba83593c19e6854fa8686b81b27164da8bf8eb0f4b70569d351e240e5e6358d1a225227c3b01217887"
    "d40046579fd327524c3602e7a0c4c89eeabf8ad240c738b5a3f7f2cef96115a1e0ae5da49b341a55ad933230f58cb1e31df6e22e8266ca60"
    "c02923ab0d534e6fd5db3745defd8e2f03ff6a726d6c5b518d1baf92bbddbc7f11d95c411f105ad80ac13188a5cd7bbd2d74d012b8e5b4b0"
    "8969974a0c96777e65b9f109c56ec68418f07dec3adc4d2079ee5f3ed7cb3948"
)
_FAMILY = (0xA3B1BAC6, 0x56AA3350, 0x677D9197, 0xB27022DC)
_FIXED = [sum((4 * place + byte) * 7 % 256 << 24 - 8 * byte for byte in range(4)) for place in range(32)]


def sm3(text: str) -> str:
    """The digest of 256 bits, hexadecimal."""
    data = text.encode()
    padded = data + b"\x80" + bytes(-(len(data) + 9) % 64) + (len(data) * 8).to_bytes(8, "big")
    state = _START
    for place in range(0, len(padded), 64):
        state = _compressed(state, struct.unpack(">16I", padded[place : place + 64]))
    return "".join(f"{word:08x}" for word in state)


@lru_cache(256)
def sm4(key: bytes) -> tuple[Cipher, Cipher]:
    """Encryption and decryption by a key of 16 bytes."""
    words = [word ^ fixed for word, fixed in zip(struct.unpack(">4I", key), _FAMILY, strict=True)]
    for place in range(32):
        mixed = _substituted(words[-1] ^ words[-2] ^ words[-3] ^ _FIXED[place])
        words.append(words[-4] ^ mixed ^ _left(mixed, 13) ^ _left(mixed, 23))
    keys = words[4:]
    return lambda block: _rounds(block, keys), lambda block: _rounds(block, keys[::-1])


def _left(word: int, bits: int) -> int:
    bits %= 32
    return (word << bits | word >> (32 - bits)) & _M


def _compressed(state: tuple[int, ...], block: tuple[int, ...]) -> tuple[int, ...]:
    words = list(block)
    for place in range(16, 68):
        mixed = words[place - 16] ^ words[place - 9] ^ _left(words[place - 3], 15)
        mixed ^= _left(mixed, 15) ^ _left(mixed, 23)
        words.append(mixed ^ _left(words[place - 13], 7) ^ words[place - 6])
    a, b, c, d, e, f, g, h = state
    for place in range(64):
        early = place < 16
        turned = _left(a, 12)
        first = _left(turned + e + _left(0x79CC4519 if early else 0x7A879D8A, place) & _M, 7)
        left = a ^ b ^ c if early else a & b | a & c | b & c
        right = e ^ f ^ g if early else e & f | ~e & g
        one = left + d + (first ^ turned) + (words[place] ^ words[place + 4]) & _M
        two = right + h + first + words[place] & _M
        a, b, c, d, e, f, g, h = one, a, _left(b, 9), c, two ^ _left(two, 9) ^ _left(two, 17), e, _left(f, 19), g
    return tuple(old ^ new for old, new in zip(state, (a, b, c, d, e, f, g, h), strict=True))


def _substituted(word: int) -> int:
    return int.from_bytes(word.to_bytes(4, "big").translate(_BOX), "big")


def _rounds(block: bytes, keys: list[int]) -> bytes:
    words = list(struct.unpack(">4I", block))
    for key in keys:
        mixed = _substituted(words[-1] ^ words[-2] ^ words[-3] ^ key)
        spread = mixed ^ _left(mixed, 2) ^ _left(mixed, 10) ^ _left(mixed, 18) ^ _left(mixed, 24)
        words.append(words[-4] ^ spread)
    return struct.pack(">4I", *words[:-5:-1])
