"""IPV4 and IPV6: the canonical text of an address, and bytes that sort as the addresses do.

Works on columns; a text that is no address gives NULL. Source: types-and-ddl section 1.
"""

from __future__ import annotations

import socket
from collections.abc import Callable

import pyarrow as pa

from storage.state.bitmap import Column, whole


def ipv4(texts: Column) -> pa.Array:
    """``192.168.0.1``."""
    return _mapped(texts, lambda text: _canonical(socket.AF_INET, text), pa.string())


def ipv6(texts: Column) -> pa.Array:
    """Compressed and in lower case: ``2001:db8::1``; an IPv4 address becomes a mapped one (Doris: IPV6)."""
    return _mapped(texts, _ipv6, pa.string())


def order(texts: Column) -> pa.Array:
    """The bytes of a canonical address of either kind."""
    return _mapped(texts, lambda text: socket.inet_pton(_family(text), text), pa.binary())


def _mapped(texts: Column, function: Callable[[str], str | bytes | None], kind: pa.DataType) -> pa.Array:
    return pa.array((None if text is None else _or_none(function, text) for text in whole(texts).to_pylist()), kind)


def _or_none(function: Callable[[str], str | bytes | None], text: str) -> str | bytes | None:
    try:
        return function(text)
    except (OSError, ValueError):  # ValueError: a NUL inside
        return None


def _family(text: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in text else socket.AF_INET


def _canonical(family: socket.AddressFamily, text: str) -> str:
    return socket.inet_ntop(family, socket.inet_pton(family, text.strip()))


def _ipv6(text: str) -> str:
    plain = text.strip()
    return _canonical(socket.AF_INET6, plain if ":" in plain else f"::ffff:{plain}")
