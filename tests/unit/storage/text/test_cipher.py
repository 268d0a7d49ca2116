"""AES and the hashes against published vectors."""

from __future__ import annotations

import base64

import pytest

from storage.text.cipher import aes
from storage.text.encryption import decrypt, encrypt
from storage.text.hashing import chained, murmur32, murmur64
from storage.text.sm import sm3, sm4
from storage.text.xxhash import xxh3, xxh32

PLAIN = bytes.fromhex("00112233445566778899aabbccddeeff")
KEY = "F3229A0B371ED2D9441B830D21A390C3"
XXH3 = [
    (0, 4075412128446734485),
    (3, 2104249153788372357),
    (8, 12684714507821976130),
    (16, 15428177006098230810),
    (64, 11879328173729829571),
    (128, 17183383827962462739),
    (200, 452772520173263198),
    (240, 7368028047230517853),
    (241, 12163840396824168818),
    (1024, 13378042416960570604),
    (3000, 13926128343646592244),
]
MODES = [
    *(("AES", f"AES_192_{kind}") for kind in ("ECB", "CBC", "CFB", "CFB1", "CFB8", "CFB128", "OFB", "CTR")),
    *(("SM4", f"SM4_128_{kind}") for kind in ("ECB", "CBC", "CFB128", "OFB", "CTR")),
]


@pytest.mark.parametrize(("size", "wanted"), [
    (16, "69c4e0d86a7b0430d8cdb78070b4c55a"),
    (24, "dda97ca4864cdfe06eaf70a0ec0d7191"),
    (32, "8ea2b7ca516745bfeafc49904b496089"),
])  # fmt: skip
def test_aes_block(size: int, wanted: str) -> None:
    """FIPS 197, appendix C."""
    forward, backward = aes(bytes(range(size)))
    assert forward(PLAIN).hex() == wanted
    assert backward(bytes.fromhex(wanted)) == PLAIN


@pytest.mark.parametrize(("mode", "wanted"), [
    ("", "wr2JEDVXzL9+2XtRhgIloA=="),
    ("AES_256_ECB", "BO2vxHeUcw5BQQalSBbo1w=="),
    ("aes_256_cbc", "tsmK1HzbpnEdR2//WhO+MA=="),
])  # fmt: skip
def test_documented_texts(mode: str, wanted: str) -> None:
    """Keys are folded, short vectors are filled up."""
    assert encrypt("AES", b"text", KEY, "0123456789", mode) == base64.b64decode(wanted)


@pytest.mark.parametrize(("cipher", "mode"), MODES)
@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 40])
def test_every_mode_there_and_back(cipher: str, mode: str, length: int) -> None:
    data = bytes(range(length))
    found = encrypt(cipher, data, "key", "vector", mode)
    assert found is not None
    assert decrypt(cipher, found, "key", "vector", mode) == data


def test_what_cannot_be_decrypted_is_nothing() -> None:
    assert decrypt("AES", b"x", "k", "", "") is None
    assert decrypt("AES", b"x" * 16, "k", "", "") is None
    assert encrypt("AES", b"x", "k", "", "AES_512_ECB") is None
    assert encrypt("SM4", b"x", "k", "", "AES_128_ECB") is None


def test_sm() -> None:
    """GB/T 32905 and 32907, appendix A."""
    block = bytes.fromhex("0123456789abcdeffedcba9876543210")
    forward, backward = sm4(block)
    assert forward(block).hex() == "681edf34d206965e86b3e94f536e4246"
    assert backward(forward(block)) == block
    assert sm3("abc") == "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"


def test_documented_hashes() -> None:
    assert chained(murmur32, 32, 104729)(("hello", "world")) == 984713481
    assert chained(murmur64, 64)(("hello",)) == -3215607508166160593
    assert chained(xxh32, 32)(("hello", "world")) == -920844969
    assert chained(xxh3, 64)(("hello", "world")) == 7001965798170371843
    assert chained(xxh3, 64)(("hello", None)) is None


@pytest.mark.parametrize(("length", "wanted"), XXH3)
def test_long_texts(length: int, wanted: int) -> None:
    """Every branch of the hash by length; the values are those of the reference implementation (xxHash 0.8)."""
    assert xxh3(bytes(place * 7 % 251 for place in range(length)), 5) == wanted
