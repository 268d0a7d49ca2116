"""IPV4 and IPV6: the canonical text of an address, and bytes that sort as the addresses do.

Works on columns; a text that is no address gives NULL. Source: Doris: IPV4, IPV6.
"""

from __future__ import annotations

import socket

import pyarrow as pa

from storage.column import Column, whole


def ipv4(texts: Column) -> pa.Array:
    """``192.168.0.1``."""
    return pa.array((None if text is None else ipv4_text(text) for text in whole(texts).to_pylist()), pa.string())


def ipv6(texts: Column) -> pa.Array:
    """Compressed and in lower case: ``2001:db8::1``; an IPv4 address becomes a mapped one (Doris: IPV6)."""
    return pa.array((None if text is None else ipv6_text(text) for text in whole(texts).to_pylist()), pa.string())


def order(texts: Column) -> pa.Array:
    """The bytes of a canonical address of either kind."""
    return pa.array((None if text is None else _bytes(text) for text in whole(texts).to_pylist()), pa.binary())


def ipv4_text(text: str) -> str | None:
    """The canonical text of one IPv4 address."""
    return _canonical(socket.AF_INET, text.strip())


def ipv6_text(text: str) -> str | None:
    """The canonical text of one IPv6 (or IPv4) address."""
    plain = text.strip()
    return _canonical(socket.AF_INET6, plain if ":" in plain else f"::ffff:{plain}")


def _canonical(family: socket.AddressFamily, text: str) -> str | None:
    try:
        return socket.inet_ntop(family, socket.inet_pton(family, text))
    except (OSError, ValueError):  # ValueError: a NUL inside
        return None


def _bytes(text: str) -> bytes | None:
    try:
        return socket.inet_pton(socket.AF_INET6 if ":" in text else socket.AF_INET, text)
    except (OSError, ValueError):
        return None
