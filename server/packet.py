"""The packets that Dorisette sends, as payloads without header.

mysql-mimic 3.0.5 supplies the flags; its builders cannot express SQLSTATEs, affected rows, info text, status
flags and complete column definitions, so they are built here. No socket and no session is known here.
Source: MySQL protocol, "Generic Response Packets", "Column Definition Packet", "Initial Handshake Packet".
"""

from __future__ import annotations

import struct
from functools import lru_cache

import pyarrow as pa
from mysql_mimic.charset import Collation
from mysql_mimic.types import Capabilities, ColumnDefinition, ServerStatus

from server.encode import length_encoded
from sql.result import Field
from storage.errors import DorisError
from storage.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    SMALLINT,
    STRING,
    TINYINT,
    DorisType,
    Wire,
    datetime,
    decimal,
)

GENERAL_ERROR = 1105
DETAIL = "errCode = 2, detailMessage = "  # Doris puts this before every message of code 1105
NATIVE_PASSWORD = "mysql_native_password"

# Without CLIENT_DEPRECATE_EOF, which MariaDB Connector/J 2.7 cannot read from a server that is not MySQL,
# without CLIENT_LOCAL_FILES (no LOCAL INFILE), CLIENT_SSL and CLIENT_QUERY_ATTRIBUTES (Doris has none).
OFFERED = (
    Capabilities.CLIENT_LONG_PASSWORD
    | Capabilities.CLIENT_LONG_FLAG
    | Capabilities.CLIENT_CONNECT_WITH_DB
    | Capabilities.CLIENT_ODBC
    | Capabilities.CLIENT_IGNORE_SPACE
    | Capabilities.CLIENT_PROTOCOL_41
    | Capabilities.CLIENT_INTERACTIVE
    | Capabilities.CLIENT_TRANSACTIONS
    | Capabilities.CLIENT_SECURE_CONNECTION
    | Capabilities.CLIENT_MULTI_STATEMENTS
    | Capabilities.CLIENT_MULTI_RESULTS
    | Capabilities.CLIENT_PS_MULTI_RESULTS
    | Capabilities.CLIENT_PLUGIN_AUTH
    | Capabilities.CLIENT_CONNECT_ATTRS
    | Capabilities.CLIENT_PLUGIN_AUTH_LENENC_CLIENT_DATA
)
MULTI_STATEMENTS = Capabilities.CLIENT_MULTI_STATEMENTS
AUTOCOMMIT = int(ServerStatus.SERVER_STATUS_AUTOCOMMIT)
IN_TRANSACTION = int(ServerStatus.SERVER_STATUS_IN_TRANS)
MORE_RESULTS = int(ServerStatus.SERVER_MORE_RESULTS_EXISTS)

_UTF8MB4 = int(Collation.utf8mb4_general_ci)
_BINARY = int(Collation.binary)
_CHARACTER_BYTES = 4  # a column definition counts bytes, and a utf8mb4 character has up to four
_FLOATING_DECIMALS = 31  # "as many as needed"
_TEXT_TYPES = {Wire.STRING, Wire.VAR_STRING, Wire.JSON}


def greeting(version: str, connection_id: int, nonce: bytes) -> bytes:
    """The first packet of a connection; `nonce` has 20 bytes, none of them zero."""
    return b"".join(
        (
            b"\x0a" + version.encode() + b"\0",
            struct.pack("<I8sx", connection_id, nonce[:8]),
            struct.pack("<HBHH", OFFERED & 0xFFFF, _UTF8MB4, AUTOCOMMIT, OFFERED >> 16),
            struct.pack("<B10x", len(nonce) + 1),
            nonce[8:] + b"\0",
            NATIVE_PASSWORD.encode() + b"\0",
        )
    )


def auth_switch(nonce: bytes) -> bytes:
    """Ask a client that came with another plugin to answer by native password."""
    return b"\xfe" + NATIVE_PASSWORD.encode() + b"\0" + nonce + b"\0"


def ok(status: int, affected: int = 0, warnings: int = 0, info: str = "") -> bytes:
    """OK; `info` has a length in front, as MySQL's clients read it (Doris: MysqlOkPacket), not as its manual says."""
    text = info.encode()
    return b"".join(
        (
            b"\0" + length_encoded(affected) + b"\0",
            struct.pack("<HH", status, min(warnings, 0xFFFF)),
            length_encoded(len(text)) + text if text else b"",
        )
    )


def eof(status: int, warnings: int = 0) -> bytes:
    """The end of column definitions or rows."""
    return struct.pack("<BHH", 0xFE, min(warnings, 0xFFFF), status)


def prepared(number: int, parameters: int, columns: int) -> bytes:
    """The answer to COM_STMT_PREPARE, before the definitions of parameters and columns."""
    return struct.pack("<BIHHxH", 0, number, columns, parameters, 0)


def error(failure: DorisError) -> bytes:
    """ERR with SQLSTATE; the only place that adds Doris's prefix to code 1105."""
    message = (DETAIL if failure.code == GENERAL_ERROR else "") + failure.message
    return struct.pack("<BHc5s", 0xFF, failure.code, b"#", failure.sqlstate.encode()) + message.encode(
        "utf-8", "replace"
    )


# -- column definitions ----------------------------------------------------------------------------
@lru_cache(maxsize=4096)
def column_definition(field: Field, arrow: pa.DataType) -> bytes:
    """The complete definition of a result column; without a declared type Arrow's stands in."""
    kind = field.type or from_arrow(arrow)
    is_text = kind.wire in _TEXT_TYPES
    names = (b"def", field.database, field.table, field.table, field.name, field.origin or field.name)
    return b"".join(
        (
            *(_text(name) for name in names),
            struct.pack(
                "<BHIBHBxx",
                12,  # length of what follows
                _UTF8MB4 if is_text else _BINARY,
                min(kind.width * (_CHARACTER_BYTES if is_text else 1), 0xFFFFFFFF),
                kind.wire.value,
                _flags(field, kind, arrow),
                _decimals(kind),
            ),
        )
    )


def _text(name: str | bytes) -> bytes:
    data = name if isinstance(name, bytes) else name.encode("utf-8", "replace")
    return length_encoded(len(data)) + data


def _flags(field: Field, kind: DorisType, arrow: pa.DataType) -> int:
    flags = 0 if field.nullable else ColumnDefinition.NOT_NULL_FLAG
    if field.key:
        flags |= ColumnDefinition.PRI_KEY_FLAG
    if kind.wire is Wire.BLOB:
        flags |= ColumnDefinition.BLOB_FLAG
    if kind.wire not in _TEXT_TYPES:
        flags |= ColumnDefinition.BINARY_FLAG
    if field.type is None and pa.types.is_unsigned_integer(arrow):
        flags |= ColumnDefinition.UNSIGNED_FLAG
    return int(flags)


def _decimals(kind: DorisType) -> int:
    if kind.wire in (Wire.FLOAT, Wire.DOUBLE):
        return _FLOATING_DECIMALS
    return kind.scale or 0


_BY_ARROW: dict[pa.DataType, DorisType] = {
    pa.null(): DorisType("null"),
    pa.bool_(): BOOLEAN,
    pa.bool8(): BOOLEAN,
    pa.int8(): TINYINT,
    pa.uint8(): TINYINT,
    pa.int16(): SMALLINT,
    pa.uint16(): SMALLINT,
    pa.int32(): INT,
    pa.uint32(): INT,
    pa.int64(): BIGINT,
    pa.uint64(): BIGINT,
    pa.float32(): FLOAT,
    pa.float64(): DOUBLE,
    pa.date32(): DATE,
    pa.time64("us"): DorisType("time"),
    pa.binary(): DorisType("bitmap"),
}


def from_arrow(arrow: pa.DataType) -> DorisType:
    """The Doris type whose column definition fits a column of which only DuckDB's type is known."""
    if isinstance(arrow, pa.BaseExtensionType) and arrow not in _BY_ARROW:
        return STRING
    if pa.types.is_decimal(arrow):
        return decimal(arrow.precision, arrow.scale)
    if pa.types.is_timestamp(arrow):
        return datetime(0)
    return _BY_ARROW.get(arrow, STRING)
