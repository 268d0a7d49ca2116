"""Digests and checksums (Doris: encrypt and digest functions)."""

from __future__ import annotations

from sql.dialect.function.function import spelled

FUNCTIONS = {
    "CRC32": spelled("{own}crc32({s0})"),
    "PASSWORD": spelled("CASE WHEN {s0} = '' THEN '' ELSE '*' || upper(sha1(unhex(sha1({s0})))) END"),
}
