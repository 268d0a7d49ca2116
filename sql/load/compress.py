"""Unpack a compressed body (Doris: Stream Load, compress_type)."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable

import pyarrow as pa

from storage.errors import LOAD_COMPRESSED_BODY, LOAD_COMPRESSION


def _lz4(body: bytes) -> bytes:
    with pa.input_stream(pa.BufferReader(body), compression="lz4") as stream:
        return bytes(stream.read())


_UNPACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.decompress,
    "bz2": bz2.decompress,
    "deflate": zlib.decompress,
    "lz4": _lz4,
    "lz4frame": _lz4,
}


def unpacked(body: bytes, compression: str) -> bytes:
    """The plain body; raises LOAD_COMPRESSION for a kind that is not built (lzo, lzop)."""
    if not compression:
        return body
    unpack = _UNPACKERS.get(compression)
    if unpack is None:
        raise LOAD_COMPRESSION(value=compression)
    try:
        return unpack(body)
    except (OSError, EOFError, zlib.error, lzma.LZMAError, pa.ArrowException):
        raise LOAD_COMPRESSED_BODY(value=compression) from None
