"""Read what a client says of itself: the answer to the greeting, and COM_CHANGE_USER.

mysql-mimic 3.0.5 has parsers for both, but they search a missing NUL for ever and copy quadratically, so that
one packet of garbage stops the server; these read strictly forward. Nobody is let in here (server/auth.py).
Source: MySQL protocol, "Protocol::HandshakeResponse41", "COM_CHANGE_USER".
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

from mysql_mimic.types import Capabilities

from server.packet import OFFERED
from server.reader import Reader
from storage.errors import BAD_HANDSHAKE, MALFORMED_PACKET, DorisError

LOGIN_BYTES = 1 << 18  # most bytes that are read from a client who has not proved who it is

_FIXED = struct.Struct("<IIB23x")  # capabilities, largest packet, charset, filler


@dataclass(frozen=True, slots=True)
class Login:
    """A request to log in; `capabilities` are those that both sides have, `attributes` what the client says it is."""

    user: str
    scramble: bytes
    database: str | None
    plugin: str | None
    capabilities: int
    attributes: Mapping[str, str] = field(default_factory=dict)


def parse_login(data: bytes) -> Login:
    """Read the answer to the greeting; raise BAD_HANDSHAKE for anything else (old clients, TLS, garbage)."""
    if len(data) <= _FIXED.size:
        raise BAD_HANDSHAKE()
    asked, _, _ = _FIXED.unpack_from(data)
    if not asked & Capabilities.CLIENT_PROTOCOL_41:
        raise BAD_HANDSHAKE()
    common = Capabilities(asked & OFFERED)
    reader = Reader(data[_FIXED.size :], BAD_HANDSHAKE)
    user = reader.text()
    scramble = reader.counted(Capabilities.CLIENT_PLUGIN_AUTH_LENENC_CLIENT_DATA in common)
    database = reader.text() if Capabilities.CLIENT_CONNECT_WITH_DB in common else None
    plugin = reader.text() if Capabilities.CLIENT_PLUGIN_AUTH in common else None
    return Login(user, scramble, database or None, plugin or None, int(common), _attributes(reader, common))


def _attributes(reader: Reader, capabilities: int) -> dict[str, str]:
    """The connection attributes at the end of the answer; none where they cannot be read: nothing depends on them."""
    if reader.is_at_end or not capabilities & Capabilities.CLIENT_CONNECT_ATTRS:
        return {}
    found: dict[str, str] = {}
    try:
        inner = Reader(reader.counted(is_length_encoded=True), BAD_HANDSHAKE)
        while not inner.is_at_end:
            key = inner.counted(is_length_encoded=True).decode("utf-8", "replace")
            found[key] = inner.counted(is_length_encoded=True).decode("utf-8", "replace")
    except DorisError:
        return {}
    return found


def parse_change_user(data: bytes, capabilities: int) -> Login:
    """Read the body of COM_CHANGE_USER; raise MALFORMED_PACKET."""
    reader = Reader(data, MALFORMED_PACKET)
    user, scramble, database = reader.text(), reader.counted(), reader.text()
    plugin = None
    if not reader.is_at_end:
        reader.take(2)  # charset: Doris's texts are always UTF-8
        plugin = reader.text() if capabilities & Capabilities.CLIENT_PLUGIN_AUTH else None
    return Login(user, scramble, database or None, plugin or None, capabilities)
