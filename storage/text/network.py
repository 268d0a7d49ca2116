"""IPV4 and IPV6: the canonical text of an address, bytes that sort as the addresses do, and ranges of addresses.

The first functions work on columns, the others on single values (storage/text/distinct.py makes functions of columns
of them). A text that is no address gives NULL. Source: Doris: IPV4, IPV6, IP functions.
"""

from __future__ import annotations

import ipaddress
import socket

import pyarrow as pa

from storage.column import Column, whole
from storage.errors import IP_RANGE, IP_RANGE_TEXT, IP_VALUE

_V6_BYTES = 16
_MAPPED = bytes(10) + b"\xff\xff"  # what the bytes of an IPv4 address begin with as an IPv6 one


def ipv4(texts: Column) -> pa.Array:
    """``192.168.0.1``."""
    return pa.array((None if text is None else ipv4_text(text) for text in whole(texts).to_pylist()), pa.string())


def ipv6(texts: Column) -> pa.Array:
    """Compressed and in lower case: ``2001:db8::1``; an IPv4 address becomes a mapped one (Doris: IPV6)."""
    return pa.array((None if text is None else ipv6_text(text) for text in whole(texts).to_pylist()), pa.string())


def order(texts: Column) -> pa.Array:
    """The bytes of a canonical address of either kind."""
    return pa.array((None if text is None else _bytes(text) for text in whole(texts).to_pylist()), pa.binary())


def ipv4_exact(text: str) -> str | None:
    """The same of one address without blanks around it."""
    return _canonical(socket.AF_INET, text)


def ipv4_number(text: str) -> int | None:
    """The number of an address without blanks around it, of 32 bits."""
    found = _packed(socket.AF_INET, text)
    return None if found is None else int.from_bytes(found)


def ipv6_bytes(text: str) -> bytes | None:
    """The 16 bytes of an address without blanks around it; an IPv4 address is mapped."""
    found = _bytes(text)
    return found if found is None or len(found) == _V6_BYTES else _MAPPED + found


def ipv6_of_bytes(address: bytes) -> str | None:
    """The text of 16 bytes."""
    return socket.inet_ntop(socket.AF_INET6, address) if len(address) == _V6_BYTES else None


def ipv6_cut(text: str, cut: int, cut_mapped: int) -> str | None:
    """The text of an address whose last bytes are 0: so many, or so many of a mapped IPv4 address."""
    address = ipv6_bytes(text)
    if address is None:
        return None
    gone = cut_mapped if address.startswith(_MAPPED) else cut
    if not 0 <= gone <= _V6_BYTES:
        raise IP_VALUE(kind="number of bytes to cut")
    return ipv6_of_bytes(address[: _V6_BYTES - gone] + bytes(gone))


def ipv4_range(text: str, prefix: int) -> dict[str, str] | None:
    """The lowest and highest address that share so many bits with an address (min, max); raises IP_RANGE."""
    return _range(_packed(socket.AF_INET, text), prefix)


def ipv6_range(text: str, prefix: int) -> dict[str, str] | None:
    """The same for IPv6."""
    return _range(_packed(socket.AF_INET6, text), prefix)


def in_range(text: str, network: str) -> bool:
    """Whether an address is in a network ``10.0.0.0/8``; raises IP_VALUE, IP_RANGE and IP_RANGE_TEXT."""
    base, slash, prefix = network.partition("/")
    if not slash:
        raise IP_RANGE_TEXT(value=network)
    address, first = _bytes(text), _bytes(base)
    if address is None or first is None:
        raise IP_VALUE(kind="IP")
    if not (prefix.isascii() and prefix.isdigit()):
        raise IP_RANGE(value=prefix)
    return ipaddress.ip_address(address) in _network(first, int(prefix), prefix)


def ipv4_text(text: str) -> str | None:
    """The canonical text of one IPv4 address."""
    return _canonical(socket.AF_INET, text.strip())


def ipv6_text(text: str) -> str | None:
    """The canonical text of one IPv6 (or IPv4) address."""
    plain = text.strip()
    return _canonical(socket.AF_INET6, plain if ":" in plain else f"::ffff:{plain}")


def _canonical(family: socket.AddressFamily, text: str) -> str | None:
    found = _packed(family, text)
    return None if found is None else socket.inet_ntop(family, found)


def _bytes(text: str) -> bytes | None:
    return _packed(socket.AF_INET6 if ":" in text else socket.AF_INET, text)


def _packed(family: socket.AddressFamily, text: str) -> bytes | None:
    try:
        return socket.inet_pton(family, text)
    except (OSError, ValueError):  # ValueError: a NUL inside
        return None


def _range(address: bytes | None, prefix: int) -> dict[str, str] | None:
    if address is None:
        return None
    network = _network(address, prefix, str(prefix))
    return {"min": str(network[0]), "max": str(network[-1])}


def _network(address: bytes, prefix: int, value: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    if not 0 <= prefix <= len(address) * 8:
        raise IP_RANGE(value=value)
    return ipaddress.ip_network((address, prefix), strict=False)
