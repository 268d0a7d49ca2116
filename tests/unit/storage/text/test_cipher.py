"""Encryption and hashes as Doris documents them."""

from __future__ import annotations

import base64

import pytest
import xxhash

from storage.text.encryption import decrypt, encrypt, sm3
from storage.text.hashing import chained, murmur32, murmur64

KEY = "F3229A0B371ED2D9441B830D21A390C3"
MODES = [
    *(("AES", f"AES_192_{kind}") for kind in ("ECB", "CBC", "CFB", "CFB1", "CFB8", "CFB128", "OFB", "CTR")),
    *(("SM4", f"SM4_128_{kind}") for kind in ("ECB", "CBC", "CFB128", "OFB", "CTR")),
]


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


def test_sm3() -> None:
    """GB/T 32905, appendix A."""
    assert sm3("abc") == "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"


def test_documented_hashes() -> None:
    assert chained(murmur32, 32, 104729)(("hello", "world")) == 984713481
    assert chained(murmur64, 64)(("hello",)) == -3215607508166160593
    assert chained(xxhash.xxh32_intdigest, 32)(("hello", "world")) == -920844969
    assert chained(xxhash.xxh3_64_intdigest, 64)(("hello", "world")) == 7001965798170371843
    assert chained(xxhash.xxh3_64_intdigest, 64)(("hello", None)) is None
