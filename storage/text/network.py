"""IPV4 and IPV6: the canonical text of an address, bytes that sort as the addresses do, and ranges of addresses.

Works on columns; a text that is no address gives NULL. Source: Doris: IPV4, IPV6, IP functions.
"""

from __future__ import annotations

import ipaddress
import socket

import pyarrow as pa

from storage.column import Column, each, whole
from storage.errors import IP_RANGE, IP_RANGE_TEXT, IP_VALUE

_V4_BYTES = 4
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


def ipv4_exact(texts: Column) -> pa.Array:
    """``192.168.0.1`` of the same without blanks around it."""
    return pa.array(each(lambda text: _canonical(socket.AF_INET, text), texts), pa.string())


def ipv4_number(texts: Column) -> pa.Array:
    """The number of an address without blanks around it, of 32 bits."""
    found = each(lambda text: _packed(socket.AF_INET, text), texts)
    return pa.array((None if address is None else int.from_bytes(address) for address in found), pa.int64())


def ipv6_bytes(texts: Column) -> pa.Array:
    """The 16 bytes of an address without blanks around it; an IPv4 address is mapped."""
    return pa.array(each(_six, texts), pa.binary())


def ipv6_of_bytes(addresses: Column) -> pa.Array:
    """The text of 16 bytes."""
    return pa.array(each(_six_text, addresses), pa.string())


def ipv6_cut(texts: Column, cut: Column, cut_mapped: Column) -> pa.Array:
    """The text of an address whose last bytes are 0: so many, or so many of a mapped IPv4 address."""
    return pa.array(each(_cut, texts, cut, cut_mapped), pa.string())


def ipv4_range(texts: Column, prefixes: Column) -> pa.Array:
    """The lowest and highest address that share so many bits with an address; raises IP_RANGE."""
    return _ranges(socket.AF_INET, texts, prefixes)


def ipv6_range(texts: Column, prefixes: Column) -> pa.Array:
    """The same for IPv6."""
    return _ranges(socket.AF_INET6, texts, prefixes)


def in_range(texts: Column, networks: Column) -> pa.Array:
    """Whether an address is in a network ``10.0.0.0/8``; raises IP_VALUE, IP_RANGE and IP_RANGE_TEXT."""
    return pa.array(each(_in_range, texts, networks), pa.bool_())


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


def _six(text: str) -> bytes | None:
    found = _bytes(text)
    return found if found is None or len(found) == _V6_BYTES else _MAPPED + found


def _six_text(address: bytes) -> str | None:
    return socket.inet_ntop(socket.AF_INET6, address) if len(address) == _V6_BYTES else None


def _cut(text: str, cut: int, cut_mapped: int) -> str | None:
    address = _six(text)
    if address is None:
        return None
    gone = cut_mapped if address.startswith(_MAPPED) else cut
    if not 0 <= gone <= _V6_BYTES:
        raise IP_VALUE(kind="number of bytes to cut")
    return _six_text(address[: _V6_BYTES - gone] + bytes(gone))


def _ranges(family: socket.AddressFamily, texts: Column, prefixes: Column) -> pa.Array:
    def pair(text: str, prefix: int) -> dict[str, str] | None:
        address = _packed(family, text)
        if address is None:
            return None
        network = _network(address, prefix, str(prefix))
        return {"min": str(network[0]), "max": str(network[-1])}

    kind = pa.struct([("min", pa.string()), ("max", pa.string())])
    return pa.array(each(pair, texts, prefixes), kind)


def _network(address: bytes, prefix: int, value: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    if not 0 <= prefix <= len(address) * 8:
        raise IP_RANGE(value=value)
    return ipaddress.ip_network((address, prefix), strict=False)


def _in_range(text: str, network: str) -> bool:
    base, slash, prefix = network.partition("/")
    if not slash:
        raise IP_RANGE_TEXT(value=network)
    address, first = _bytes(text), _bytes(base)
    if address is None or first is None:
        raise IP_VALUE(kind="IP")
    if not (prefix.isascii() and prefix.isdigit()):
        raise IP_RANGE(value=prefix)
    return ipaddress.ip_address(address) in _network(first, int(prefix), prefix)
