"""The block cipher AES: blocks of 16 bytes, encrypted and decrypted one by one.

Written out, for neither Python nor DuckDB brings it along. Source: FIPS 197.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

BLOCK = 16
Cipher = Callable[[bytes], bytes]  # one block to another


def _doubled(value: int) -> int:
    return (value << 1 ^ (0x11B if value & 0x80 else 0)) & 0xFF


def _times(value: int, factor: int) -> int:
    """A product in the field of AES."""
    product = 0
    while factor:
        product ^= value if factor & 1 else 0
        value, factor = _doubled(value), factor >> 1
    return product


def _substitution() -> bytes:
    """The S-box of AES: inverses in its field, then an affine map."""
    box, power, inverse = bytearray([0x63] * 256), 1, 1
    for _ in range(255):
        power ^= _doubled(power)  # times 3
        for turn in (1, 2, 4):  # divided by 3
            inverse ^= inverse << turn & 0xFF
        inverse ^= 0x09 if inverse & 0x80 else 0
        turned = inverse * 0x101
        box[power] = 0x63 ^ inverse ^ (turned >> 4 ^ turned >> 5 ^ turned >> 6 ^ turned >> 7) & 0xFF
    return bytes(box)


_BOX = _substitution()
_BACK = bytes(_BOX.index(value) for value in range(256))
_MIX = {factor: bytes(_times(value, factor) for value in range(256)) for factor in (2, 3, 9, 11, 13, 14)}
_SHIFTED = [(place + 4 * (place % 4)) % 16 for place in range(16)]  # where the rows of a block come from
_SHIFTED_BACK = [(place - 4 * (place % 4)) % 16 for place in range(16)]


@lru_cache(256)
def aes(key: bytes) -> tuple[Cipher, Cipher]:
    """Encryption and decryption by a key of 16, 24 or 32 bytes."""
    keys = _aes_keys(key)

    def encrypt(block: bytes) -> bytes:
        state = _xor(block, keys[0])
        for key in keys[1:-1]:
            state = _xor(_mixed(_moved(state.translate(_BOX), _SHIFTED)), key)
        return _xor(_moved(state.translate(_BOX), _SHIFTED), keys[-1])

    def decrypt(block: bytes) -> bytes:
        state = _xor(block, keys[-1])
        for key in keys[-2:0:-1]:
            state = _mixed_back(_xor(_moved(state, _SHIFTED_BACK).translate(_BACK), key))
        return _xor(_moved(state, _SHIFTED_BACK).translate(_BACK), keys[0])

    return encrypt, decrypt


def _aes_keys(key: bytes) -> list[bytes]:
    """The keys of all rounds."""
    size, factor = len(key) // 4, 1
    words = [key[place : place + 4] for place in range(0, len(key), 4)]
    while len(words) < 4 * (size + 7):
        word = words[-1]
        if len(words) % size == 0:
            word = (word[1:] + word[:1]).translate(_BOX)
            word, factor = bytes([word[0] ^ factor]) + word[1:], _doubled(factor)
        elif size > 6 and len(words) % size == 4:
            word = word.translate(_BOX)
        words.append(_xor(word, words[-size]))
    return [b"".join(words[place : place + 4]) for place in range(0, len(words), 4)]


def _xor(left: bytes, right: bytes) -> bytes:
    return (int.from_bytes(left, "big") ^ int.from_bytes(right, "big")).to_bytes(len(left), "big")


def _moved(block: bytes, places: list[int]) -> bytes:
    return bytes([block[place] for place in places])


def _mixed(block: bytes) -> bytes:
    two, three, found = _MIX[2], _MIX[3], bytearray()
    for at in range(0, BLOCK, 4):
        a, b, c, d = block[at : at + 4]
        found += bytes((
            two[a] ^ three[b] ^ c ^ d, a ^ two[b] ^ three[c] ^ d, a ^ b ^ two[c] ^ three[d], three[a] ^ b ^ c ^ two[d],
        ))  # fmt: skip
    return bytes(found)


def _mixed_back(block: bytes) -> bytes:
    nine, eleven, thirteen, fourteen = (_MIX[factor] for factor in (9, 11, 13, 14))
    found = bytearray()
    for at in range(0, BLOCK, 4):
        column = block[at : at + 4] * 2
        found += bytes(
            fourteen[column[row]] ^ eleven[column[row + 1]] ^ thirteen[column[row + 2]] ^ nine[column[row + 3]]
            for row in range(4)
        )
    return bytes(found)
