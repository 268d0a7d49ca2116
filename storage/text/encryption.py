"""AES_ENCRYPT, SM4_ENCRYPT and their reverses on single values: the modes that take more than one block.

    AES_128_ECB   each block by itself, padded     AES_128_CFB, CFB8, CFB1   AES_128_OFB   AES_128_CTR
    AES_256_CBC   chained, padded                  like a stream of bytes or bits, without padding

A key of any length is folded to that of the mode; an initial vector is filled up with Doris's own. What cannot be
decrypted is NULL. Source: Doris: AES_ENCRYPT, SM4_ENCRYPT; NIST SP 800-38A.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from storage.errors import ENCRYPTION_MODE
from storage.text.cipher import BLOCK, Cipher, aes
from storage.text.sm import sm4

_MODES = {
    "AES": re.compile(r"AES_(128|192|256)_(ECB|CBC|CFB|CFB1|CFB8|CFB128|CTR|OFB|GCM)", re.IGNORECASE),
    "SM4": re.compile(r"SM4_(128)_(ECB|CBC|CFB128|CTR|OFB)", re.IGNORECASE),
}
_VECTOR = b"DORISDORISDORIS_"


def encrypt(cipher: str, data: bytes, key: str, vector: str, mode: str) -> bytes | None:
    """The bytes encrypted by AES or SM4; None for what is no mode of it."""
    found = _chosen(cipher, key, mode)
    if found is None:
        return None
    kind, (forward, _) = found
    return _ENCRYPTIONS[kind](forward, data, _filled(vector))


def decrypt(cipher: str, data: bytes, key: str, vector: str, mode: str) -> bytes | None:
    """The bytes that were encrypted so; None if none were."""
    found = _chosen(cipher, key, mode)
    if found is None:
        return None
    kind, ciphers = found
    if kind not in ("ECB", "CBC"):
        return _DECRYPTIONS[kind](ciphers[0], data, _filled(vector))
    if not data or len(data) % BLOCK:
        return None
    return _unpadded(_DECRYPTIONS[kind](ciphers[1], data, _filled(vector)))


def default_mode(cipher: str) -> str:
    """The mode of AES or SM4 where none is said."""
    return f"{cipher}_128_ECB"


def needs_vector(mode: str) -> bool:
    """Whether a mode takes an initial vector."""
    return not mode.upper().endswith("_ECB")


def is_mode(cipher: str, mode: str) -> bool:
    """Whether this is a mode of AES or SM4."""
    return _MODES[cipher].fullmatch(mode) is not None


def _chosen(cipher: str, key: str, mode: str) -> tuple[str, tuple[Cipher, Cipher]] | None:
    found = _MODES[cipher].fullmatch(mode or default_mode(cipher))
    if found is None:
        return None
    kind = found[2].upper()
    if kind == "GCM":
        raise ENCRYPTION_MODE(mode=mode)
    folded = _key(key.encode(), int(found[1]) // 8)
    return kind, sm4(folded) if cipher == "SM4" else aes(folded)


def _key(given: bytes, size: int) -> bytes:
    """Folded: what is too long is laid over its beginning."""
    key = bytearray(size)
    for place, byte in enumerate(given):
        key[place % size] ^= byte
    return bytes(key)


def _filled(vector: str) -> bytes:
    given = vector.encode().partition(b"\0")[0][:BLOCK]
    return given + _VECTOR[len(given) :]


def _blocks(data: bytes) -> Iterator[bytes]:
    return (data[at : at + BLOCK] for at in range(0, len(data), BLOCK))


def _padded(data: bytes) -> bytes:
    missing = BLOCK - len(data) % BLOCK
    return data + bytes([missing]) * missing


def _unpadded(data: bytes) -> bytes | None:
    missing = data[-1]
    return data[:-missing] if 1 <= missing <= BLOCK and data.endswith(bytes([missing]) * missing) else None


def _xor(left: bytes, right: bytes) -> bytes:
    return bytes(one ^ other for one, other in zip(left, right, strict=False))


def _ecb(forward: Cipher, data: bytes, _: bytes) -> bytes:
    return b"".join(map(forward, _blocks(_padded(data))))


def _ecb_back(backward: Cipher, data: bytes, _: bytes) -> bytes:
    return b"".join(map(backward, _blocks(data)))


def _cbc(forward: Cipher, data: bytes, last: bytes) -> bytes:
    found = bytearray()
    for block in _blocks(_padded(data)):
        last = forward(_xor(block, last))
        found += last
    return bytes(found)


def _cbc_back(backward: Cipher, data: bytes, last: bytes) -> bytes:
    found = bytearray()
    for block in _blocks(data):
        found += _xor(backward(block), last)
        last = block
    return bytes(found)


def _cfb(forward: Cipher, data: bytes, last: bytes) -> bytes:
    found = bytearray()
    for block in _blocks(data):
        last = _xor(block, forward(last))
        found += last
    return bytes(found)


def _cfb_back(forward: Cipher, data: bytes, last: bytes) -> bytes:
    found = bytearray()
    for block in _blocks(data):
        found += _xor(block, forward(last))
        last = block
    return bytes(found)


def _feedback(size: int, back: bool) -> Callable[[Cipher, bytes, bytes], bytes]:
    """CFB with feedback of `size` bits, 1 or 8."""

    def run(forward: Cipher, data: bytes, vector: bytes) -> bytes:
        register, result, mask = int.from_bytes(vector, "big"), 0, (1 << size) - 1
        for place in range(len(data) * 8 // size):
            taken = int.from_bytes(data, "big") >> (len(data) * 8 - size * (place + 1)) & mask
            given = taken ^ forward(register.to_bytes(BLOCK, "big"))[0] >> (8 - size)
            register = (register << size | (taken if back else given)) & (1 << 8 * BLOCK) - 1
            result = result << size | given
        return result.to_bytes(len(data), "big")

    return run


def _ofb(forward: Cipher, data: bytes, last: bytes) -> bytes:
    found = bytearray()
    for block in _blocks(data):
        last = forward(last)
        found += _xor(block, last)
    return bytes(found)


def _ctr(forward: Cipher, data: bytes, vector: bytes) -> bytes:
    counter, found = int.from_bytes(vector, "big"), bytearray()
    for place, block in enumerate(_blocks(data)):
        found += _xor(block, forward((counter + place & (1 << 8 * BLOCK) - 1).to_bytes(BLOCK, "big")))
    return bytes(found)


_ENCRYPTIONS = {
    "ECB": _ecb, "CBC": _cbc, "CFB": _cfb, "CFB128": _cfb, "CFB8": _feedback(8, back=False),
    "CFB1": _feedback(1, back=False), "OFB": _ofb, "CTR": _ctr,
}  # fmt: skip
_DECRYPTIONS = {
    "ECB": _ecb_back, "CBC": _cbc_back, "CFB": _cfb_back, "CFB128": _cfb_back, "CFB8": _feedback(8, back=True),
    "CFB1": _feedback(1, back=True), "OFB": _ofb, "CTR": _ctr,
}  # fmt: skip
