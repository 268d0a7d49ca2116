"""Turn a declared column type into a `DorisType`, and check a literal against one.

Types that are known by name but not built yet come out as bare `DorisType`s; sql/ddl/table.py refuses
them after the checks that have words of their own (changelog, keys).
Source: types-and-ddl R1 to R7 and section 1.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation

from sqlglot import exp

from sql.dialect.clause import AggState
from storage.errors import DATETIME_SCALE, DECIMAL_PRECISION, DECIMAL_SCALE, TIME_COLUMN, TYPE_SIZE, UNKNOWN_TYPE
from storage.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    LARGEINT,
    MAX_CHAR,
    MAX_DECIMAL,
    MAX_VARCHAR,
    SMALLINT,
    STRING,
    TINYINT,
    DorisType,
    datetime,
    decimal,
)

_T = exp.DType

# Types with a name in Doris that no table can hold yet.
COMPLEX = frozenset(("array", "map", "struct"))
LATER = COMPLEX | {
    "json", "variant", "bitmap", "hll", "quantile_state", "agg_state", "ipv4", "ipv6", "timestamptz", "varbinary"
}  # fmt: skip

_PLAIN: dict[exp.DType, DorisType] = {
    _T.TINYINT: TINYINT,
    _T.SMALLINT: SMALLINT,
    _T.INT: INT,
    _T.BIGINT: BIGINT,
    _T.INT128: LARGEINT,
    _T.FLOAT: FLOAT,
    _T.DOUBLE: DOUBLE,
    _T.BOOLEAN: BOOLEAN,
    _T.DATE: DATE,
    _T.DATE32: DATE,
    _T.TEXT: STRING,
    _T.JSON: DorisType("json"),
    _T.JSONB: DorisType("json"),
    _T.VARIANT: DorisType("variant"),
    _T.ARRAY: DorisType("array"),
    _T.MAP: DorisType("map"),
    _T.STRUCT: DorisType("struct"),
    _T.IPV4: DorisType("ipv4"),
    _T.IPV6: DorisType("ipv6"),
    _T.TIMESTAMPTZ: DorisType("timestamptz"),
    _T.VARBINARY: DorisType("varbinary"),
    _T.HLLSKETCH: DorisType("hll"),
}


def declared(kind: exp.DataType, column: str) -> DorisType:
    """Read a column type; raises the size errors of CHAR, VARCHAR, DECIMAL and DATETIME, and UNKNOWN_TYPE."""
    parameters = [int(item.name) for item in kind.expressions if item.name.isdigit()]
    if isinstance(kind.this, _T) and kind.this in _SIZED:
        return _SIZED[kind.this](parameters)
    if kind.this is _T.TIME:
        raise TIME_COLUMN()
    found = _PLAIN.get(kind.this) if isinstance(kind.this, _T) else None
    return found or _named(kind, column)


def _named(kind: exp.DataType, column: str) -> DorisType:
    """A type that sqlglot knows by its name only (BITMAP, QUANTILE_STATE, AGG_STATE)."""
    name = "agg_state" if isinstance(kind, AggState) else str(kind.args.get("kind") or kind.this).lower()
    if name not in LATER:
        raise UNKNOWN_TYPE(name=name.rpartition(".")[2], column=column)
    return DorisType(name)


def _char(parameters: list[int]) -> DorisType:
    return _text("char", parameters or [1], MAX_CHAR)


def _varchar(parameters: list[int]) -> DorisType:
    return _text("varchar", parameters or [MAX_VARCHAR], MAX_VARCHAR)


def _text(name: str, parameters: list[int], limit: int) -> DorisType:
    if not 1 <= parameters[0] <= limit:
        raise TYPE_SIZE(type=name.upper(), limit=limit, value=parameters[0])
    return DorisType(name, length=parameters[0])


def _decimal(parameters: list[int]) -> DorisType:
    precision, scale = (*parameters, 0)[:2] if parameters else (MAX_DECIMAL, 9)
    if not 1 <= precision <= MAX_DECIMAL:
        raise DECIMAL_PRECISION(value=precision)
    if not 0 <= scale <= precision:
        raise DECIMAL_SCALE(precision=precision, value=scale)
    return decimal(precision, scale)


def _datetime(parameters: list[int]) -> DorisType:
    scale = parameters[0] if parameters else 0
    if scale > 6:
        raise DATETIME_SCALE(value=scale)
    return datetime(scale)


_SIZED: dict[exp.DType, Callable[[list[int]], DorisType]] = {
    _T.CHAR: _char,
    _T.NCHAR: _char,
    _T.VARCHAR: _varchar,
    _T.NVARCHAR: _varchar,
    _T.DECIMAL: _decimal,
    _T.DATETIME: _datetime,
    _T.DATETIME2: _datetime,
    _T.TIMESTAMP: _datetime,
}


# -- literals -------------------------------------------------------------------------------------
_DATETIME = re.compile(r"(\d{4})-?(\d{1,2})-?(\d{1,2})(?:[ T]?(\d{1,2}):?(\d{2}):?(\d{2})(?:\.(\d{1,9}))?)?")


def canonical(kind: DorisType, text: str) -> str | None:
    """The text of a literal in the form this type prints it; None when it is no value of the type."""
    try:
        return _CANONICAL[kind.name](kind, text.strip() if not kind.is_text else text)
    except (ValueError, InvalidOperation):
        return None


def _canonical_integer(kind: DorisType, text: str) -> str | None:
    low, high = kind.integer_range
    number = int(text)
    return str(number) if low <= number <= high else None


def _canonical_decimal(kind: DorisType, text: str) -> str | None:
    number = Decimal(text)
    whole = (kind.precision or MAX_DECIMAL) - (kind.scale or 0)
    return text if number.is_finite() and abs(number) < Decimal(10) ** whole else None


def _canonical_real(kind: DorisType, text: str) -> str:
    float(text)
    return text


def _canonical_boolean(kind: DorisType, text: str) -> str | None:
    return {"true": "1", "false": "0", "1": "1", "0": "0"}.get(text.lower())


def _canonical_text(kind: DorisType, text: str) -> str | None:
    return text if kind.length is None or len(text.encode()) <= kind.length else None


def _canonical_date(kind: DorisType, text: str) -> str | None:
    found = _moment(text)
    return None if found is None else f"{found[0]:04}-{found[1]:%m-%d}"


def _canonical_datetime(kind: DorisType, text: str) -> str | None:
    found = _moment(text)
    if found is None:
        return None
    year, moment = found
    whole = f"{year:04}-{moment:%m-%d %H:%M:%S}"
    return f"{whole}.{moment.microsecond:06}"[: 20 + kind.scale] if kind.scale else whole


def _moment(text: str) -> tuple[int, dt.datetime] | None:
    """The year and the rest of a date or datetime literal; year 0 exists in Doris, not in Python (4 has its days)."""
    found = _DATETIME.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    return year, dt.datetime(year or 4, month, day, hour, minute, second, int((found[7] or "").ljust(6, "0")[:6]))


_CANONICAL: dict[str, Callable[[DorisType, str], str | None]] = {
    **dict.fromkeys(("tinyint", "smallint", "int", "bigint", "largeint"), _canonical_integer),
    **dict.fromkeys(("float", "double"), _canonical_real),
    **dict.fromkeys(("char", "varchar", "string"), _canonical_text),
    "decimal": _canonical_decimal,
    "boolean": _canonical_boolean,
    "date": _canonical_date,
    "datetime": _canonical_datetime,
}
