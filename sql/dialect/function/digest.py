"""Digests, checksums and ciphers (Doris: encrypt and digest functions)."""

from __future__ import annotations

from sql.dialect.function.function import spelled
from storage.types import BIGINT, INT, STRING

FUNCTIONS = {
    "CRC32": spelled("{own}crc32({s0})", gives=BIGINT),
    "MD5SUM": spelled("md5({joined})", gives=STRING),
    "PASSWORD": spelled("CASE WHEN {s0} = '' THEN '' ELSE '*' || upper(sha1(unhex(sha1({s0})))) END", gives=STRING),
    "MURMUR_HASH3_32": spelled("{own}murmur_hash3_32([{texts}])", gives=INT),
    "MURMUR_HASH3_64": spelled("{own}murmur_hash3_64([{texts}])", gives=BIGINT),
    "MURMUR_HASH3_64_V2": spelled("{own}murmur_hash3_64_v2([{texts}])", gives=BIGINT),
    "XXHASH_32": spelled("{own}xxhash_32([{texts}])", gives=INT),
    "XXHASH_64": spelled("{own}xxhash_64([{texts}])", gives=BIGINT),
    "SM3": spelled("{own}sm3({s0})", gives=STRING),
    "SM3SUM": spelled("{own}sm3({joined})", gives=STRING),
}
