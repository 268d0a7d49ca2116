"""The one table of Doris types: text form, DuckDB type, MySQL wire type, limits.

Source: Doris documentation, "Data Types Overview". Parsing SQL type
clauses is the dialect's work; this module turns a finished `DorisType` into its spellings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum

from storage.naming import quote
from storage.state.layout import state_type


class Wire(Enum):
    """MySQL column type codes of the text and binary protocol."""

    TINY = 1
    SHORT = 2
    LONG = 3
    FLOAT = 4
    DOUBLE = 5
    NULL = 6
    LONGLONG = 8
    DATE = 10
    TIME = 11
    DATETIME = 12
    JSON = 245
    NEWDECIMAL = 246
    BLOB = 252
    VAR_STRING = 253
    STRING = 254


@dataclass(frozen=True, slots=True)
class _Family:
    """What all types of one name share; `{...}` in `duckdb` is filled from the parameters."""

    duckdb: str
    wire: Wire
    width: int  # display width of the column definition packet, in characters
    numeric: bool = False


_FAMILIES = {
    "boolean": _Family("BOOLEAN", Wire.TINY, 1, True),
    "tinyint": _Family("TINYINT", Wire.TINY, 4, True),
    "smallint": _Family("SMALLINT", Wire.SHORT, 6, True),
    "int": _Family("INTEGER", Wire.LONG, 11, True),
    "bigint": _Family("BIGINT", Wire.LONGLONG, 20, True),
    "largeint": _Family("HUGEINT", Wire.STRING, 40, True),
    "float": _Family("FLOAT", Wire.FLOAT, 12, True),
    "double": _Family("DOUBLE", Wire.DOUBLE, 22, True),
    "decimal": _Family("DECIMAL({precision},{scale})", Wire.NEWDECIMAL, 40, True),
    "date": _Family("DATE", Wire.DATE, 10),
    "datetime": _Family("TIMESTAMP", Wire.DATETIME, 26),
    "time": _Family("VARCHAR", Wire.TIME, 17),  # its text: DuckDB's TIME ends at 24 hours
    "char": _Family("VARCHAR", Wire.STRING, 255),
    "varchar": _Family("VARCHAR", Wire.VAR_STRING, 65533),
    "string": _Family("VARCHAR", Wire.VAR_STRING, 1048576),
    "json": _Family("VARCHAR", Wire.JSON, 1048576),
    "variant": _Family("VARCHAR", Wire.VAR_STRING, 1048576),
    "ipv4": _Family("VARCHAR", Wire.VAR_STRING, 15),  # the canonical text; sql/rewrite/address.py orders it
    "ipv6": _Family("VARCHAR", Wire.VAR_STRING, 39),
    "bitmap": _Family("BLOB", Wire.BLOB, 1048576),
    "hll": _Family("BLOB", Wire.BLOB, 1048576),
    "quantile_state": _Family("BLOB", Wire.BLOB, 1048576),
    "agg_state": _Family("", Wire.BLOB, 1048576),
    "array": _Family("{0}[]", Wire.VAR_STRING, 1048576),
    "map": _Family("MAP({0}, {1})", Wire.VAR_STRING, 1048576),
    "struct": _Family("STRUCT({fields})", Wire.VAR_STRING, 1048576),
    "null": _Family("INTEGER", Wire.NULL, 4),
}

# Unfinished aggregates: no text, no order, no equality, never a key (Doris: BITMAP, HLL, QUANTILE_STATE, AGG_STATE).
STATES = frozenset(("bitmap", "hll", "quantile_state", "agg_state"))

MAX_VARCHAR = 65533
MAX_CHAR = 255
MAX_STRING = 1048576
MAX_DECIMAL = 38

_INTEGER_BITS = {"tinyint": 8, "smallint": 16, "int": 32, "bigint": 64, "largeint": 128}


@dataclass(frozen=True, slots=True)
class DorisType:
    """A Doris data type with its parameters.

    `length` counts bytes (CHAR, VARCHAR); `precision` and `scale` belong to DECIMAL, `scale`
    alone to DATETIME (fraction digits, 0 to 6); `children` to ARRAY, MAP and STRUCT, with the
    field name, empty for ARRAY and MAP. AGG_STATE has its `function`, and as `children` the types of
    the arguments, each under ``null`` or ``not null``. `comments` are those of the fields of a STRUCT, in their order
    or none at all; types that differ in them alone are equal.
    """

    name: str
    length: int | None = None
    precision: int | None = None
    scale: int | None = None
    children: tuple[tuple[str, DorisType], ...] = ()
    function: str = ""
    comments: tuple[str, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        """The text of DESC and SHOW CREATE TABLE: lower case, STRING as ``text``."""
        if self.name in ("char", "varchar"):
            return f"{self.name}({self.length})"
        if self.name == "decimal":
            return f"decimal({self.precision},{self.scale})"
        if self.name == "datetime":
            return f"datetime({self.scale})" if self.scale else "datetime"
        if self.name == "string":
            return "text"
        if self.name == "struct":
            comments = self.comments or ("",) * len(self.children)
            fields = (_field(*child, comment) for child, comment in zip(self.children, comments, strict=True))
            return f"struct<{','.join(fields)}>"
        if self.name == "agg_state":
            return f"agg_state<{self.function}({', '.join(f'{kind} {null}' for null, kind in self.children)})>"
        if self.children:
            return f"{self.name}<{','.join(str(kind) for _, kind in self.children)}>"
        return self.name

    @property
    def duckdb(self) -> str:
        """The DuckDB type that holds every value of this type."""
        if self.name == "agg_state":
            return state_type(self.function, tuple(kind for _, kind in self.children))
        inner = [kind.duckdb for _, kind in self.children]
        fields = ", ".join(f"{quote(name)} {kind.duckdb}" for name, kind in self.children)
        return _FAMILIES[self.name].duckdb.format(*inner, precision=self.precision, scale=self.scale, fields=fields)

    @property
    def most_bytes(self) -> int | None:
        """How long a text of this type may be; None for a type that is no text."""
        return self.length or (MAX_STRING if self.name in ("string", "json", "variant") else None)

    @property
    def wire(self) -> Wire:
        return _FAMILIES[self.name].wire

    @property
    def width(self) -> int:
        """Display width in characters for the column definition packet."""
        if self.length is not None:
            return self.length
        if self.name == "decimal":
            return (self.precision or MAX_DECIMAL) + 2
        if self.name == "datetime":
            return 20 + self.scale if self.scale else 19
        return _FAMILIES[self.name].width

    @property
    def is_numeric(self) -> bool:
        return _FAMILIES[self.name].numeric

    @property
    def is_integer(self) -> bool:
        return self.name in _INTEGER_BITS

    @property
    def is_text(self) -> bool:
        return self.name in ("char", "varchar", "string")

    @property
    def is_date(self) -> bool:
        return self.name in ("date", "datetime")

    @property
    def integer_range(self) -> tuple[int, int]:
        """Lowest and highest value; only for integer types."""
        bits = _INTEGER_BITS[self.name]
        return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


BOOLEAN = DorisType("boolean")
TINYINT = DorisType("tinyint")
SMALLINT = DorisType("smallint")
INT = DorisType("int")
BIGINT = DorisType("bigint")
LARGEINT = DorisType("largeint")
FLOAT = DorisType("float")
DOUBLE = DorisType("double")
DATE = DorisType("date")
DATETIME = DorisType("datetime", scale=0)
STRING = DorisType("string")
NULL = DorisType("null")
BITMAP = DorisType("bitmap")
HLL = DorisType("hll")
QUANTILE_STATE = DorisType("quantile_state")
VARCHAR = DorisType("varchar", length=MAX_VARCHAR)


def _field(name: str, kind: DorisType, comment: str) -> str:
    """A field of STRUCT, its name in back quotes when it is no plain word."""
    shown = name if re.fullmatch(r"[^\W\d]\w*", name) else "`" + name.replace("`", "``") + "`"
    escaped = comment.replace("\\", "\\\\").replace("'", "''")
    return f"{shown}:{kind} comment '{escaped}'" if comment else f"{shown}:{kind}"


def varchar(length: int) -> DorisType:
    return DorisType("varchar", length=length)


def array(kind: DorisType) -> DorisType:
    """The type of an array with such elements."""
    return DorisType("array", children=(("", kind),))


def decimal(precision: int, scale: int) -> DorisType:
    return DorisType("decimal", precision=precision, scale=scale)


def datetime(scale: int) -> DorisType:
    return DorisType("datetime", scale=scale)
