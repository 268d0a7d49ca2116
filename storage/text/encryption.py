"""AES_ENCRYPT, SM4_ENCRYPT and their reverses on single values.

    AES_128_ECB   each block by itself, padded     AES_128_CFB, CFB8, CFB1   AES_128_OFB   AES_128_CTR
    AES_256_CBC   chained, padded                  like a stream of bytes or bits, without padding

A key of any length is folded to that of the mode; an initial vector is filled up with Doris's own. What cannot be
decrypted is NULL. Source: Doris: AES_ENCRYPT, SM4_ENCRYPT.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from cryptography.hazmat.decrepit.ciphers import modes as streamed
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers import BlockCipherAlgorithm, Cipher, CipherContext, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7, PaddingContext

from storage.errors import ENCRYPTION_MODE

_MODES = {
    "AES": re.compile(r"AES_(128|192|256)_(ECB|CBC|CFB|CFB1|CFB8|CFB128|CTR|OFB|GCM)", re.IGNORECASE),
    "SM4": re.compile(r"SM4_(128)_(ECB|CBC|CFB128|CTR|OFB)", re.IGNORECASE),
}
_VECTOR = b"DORISDORISDORIS_"
_BLOCK = 16
_Plain = modes.ECB | modes.ModeWithInitializationVector | modes.ModeWithNonce  # no mode that authenticates
_KINDS: dict[str, Callable[[bytes], _Plain]] = {
    "ECB": lambda _: modes.ECB(),
    "CBC": modes.CBC,
    "CTR": modes.CTR,
    "CFB": streamed.CFB,
    "CFB128": streamed.CFB,
    "CFB8": streamed.CFB8,
    "OFB": streamed.OFB,
}
_PADDED = ("ECB", "CBC")


def encrypt(cipher: str, data: bytes, key: str, vector: str, mode: str) -> bytes | None:
    """The bytes encrypted by AES or SM4; None for what is no mode of it."""
    found = _chosen(cipher, key, mode)
    if found is None:
        return None
    kind, algorithm = found
    if kind == "CFB1":
        return _bit_by_bit(algorithm, data, _filled(vector), back=False)
    if kind in _PADDED:
        data = _through(PKCS7(8 * _BLOCK).padder(), data)
    return _through(_cipher(kind, algorithm, vector).encryptor(), data)


def decrypt(cipher: str, data: bytes, key: str, vector: str, mode: str) -> bytes | None:
    """The bytes that were encrypted so; None if none were."""
    found = _chosen(cipher, key, mode)
    if found is None:
        return None
    kind, algorithm = found
    if kind == "CFB1":
        return _bit_by_bit(algorithm, data, _filled(vector), back=True)
    if kind in _PADDED and (not data or len(data) % _BLOCK):
        return None
    plain = _through(_cipher(kind, algorithm, vector).decryptor(), data)
    return _unpadded(plain) if kind in _PADDED else plain


def sm3(text: str) -> str:
    """The digest SM3 of 256 bits, hexadecimal (Doris: SM3)."""
    digest = hashes.Hash(hashes.SM3())
    digest.update(text.encode())
    return digest.finalize().hex()


def default_mode(cipher: str) -> str:
    """The mode of AES or SM4 where none is said."""
    return f"{cipher}_128_ECB"


def needs_vector(mode: str) -> bool:
    """Whether a mode takes an initial vector."""
    return not mode.upper().endswith("_ECB")


def is_mode(cipher: str, mode: str) -> bool:
    """Whether this is a mode of AES or SM4."""
    return _MODES[cipher].fullmatch(mode) is not None


def _chosen(cipher: str, key: str, mode: str) -> tuple[str, BlockCipherAlgorithm] | None:
    found = _MODES[cipher].fullmatch(mode or default_mode(cipher))
    if found is None:
        return None
    kind = found[2].upper()
    if kind == "GCM":
        raise ENCRYPTION_MODE(mode=mode)
    folded = _key(key.encode(), int(found[1]) // 8)
    return kind, algorithms.SM4(folded) if cipher == "SM4" else algorithms.AES(folded)


def _key(given: bytes, size: int) -> bytes:
    """Folded: what is too long is laid over its beginning."""
    key = bytearray(size)
    for place, byte in enumerate(given):
        key[place % size] ^= byte
    return bytes(key)


def _filled(vector: str) -> bytes:
    given = vector.encode().partition(b"\0")[0][:_BLOCK]
    return given + _VECTOR[len(given) :]


def _cipher(kind: str, algorithm: BlockCipherAlgorithm, vector: str) -> Cipher[_Plain]:
    return Cipher(algorithm, _KINDS[kind](_filled(vector)))


def _through(step: CipherContext | PaddingContext, data: bytes) -> bytes:
    return step.update(data) + step.finalize()


def _unpadded(data: bytes) -> bytes | None:
    try:
        return _through(PKCS7(8 * _BLOCK).unpadder(), data)
    except ValueError:
        return None


def _bit_by_bit(algorithm: BlockCipherAlgorithm, data: bytes, vector: bytes, *, back: bool) -> bytes:
    """CFB with feedback of one bit, which the library lacks."""
    forward = Cipher(algorithm, modes.ECB()).encryptor()
    register, taken, result = int.from_bytes(vector, "big"), int.from_bytes(data, "big"), 0
    for place in range(len(data) * 8 - 1, -1, -1):
        bit = taken >> place & 1
        given = bit ^ forward.update(register.to_bytes(_BLOCK, "big"))[0] >> 7
        register = (register << 1 | (bit if back else given)) & (1 << 8 * _BLOCK) - 1
        result = result << 1 | given
    return result.to_bytes(len(data), "big")
