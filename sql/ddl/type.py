"""Turn a declared column type into a `DorisType`.

Types that are known by name but not built yet come out as bare `DorisType`s; sql/ddl/table.py refuses
them after the checks that have words of their own (changelog, keys).
Source: Doris documentation, "Data Types Overview".
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from sql.dialect.clause import AggState
from storage.errors import (
    DATETIME_SCALE,
    DECIMAL_PRECISION,
    DECIMAL_SCALE,
    FIELD_TWICE,
    NESTING_DEPTH,
    NO_SIGNATURE,
    SUB_TYPE,
    TIME_COLUMN,
    TYPE_SIZE,
    UNKNOWN_FUNCTION,
    UNKNOWN_TYPE,
)
from storage.state import aggstate
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
    STATES,
    STRING,
    TINYINT,
    DorisType,
    datetime,
    decimal,
)

_T = exp.DType

COMPLEX = frozenset(("array", "map", "struct"))
# Types with a name in Doris that no table can hold yet.
LATER = frozenset(("timestamptz", "varbinary"))
_NOT_INSIDE = STATES | {"variant"}  # of ARRAY, MAP and STRUCT
MAX_NESTING = 9

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
    _T.IPV4: DorisType("ipv4"),
    _T.IPV6: DorisType("ipv6"),
    _T.TIMESTAMPTZ: DorisType("timestamptz"),
    _T.VARBINARY: DorisType("varbinary"),
    _T.HLLSKETCH: DorisType("hll"),
}


def declared(kind: exp.DataType, column: str) -> DorisType:
    """Read a column type; raises the size errors of CHAR, VARCHAR, DECIMAL and DATETIME, and UNKNOWN_TYPE."""
    if isinstance(kind.args.get("doris"), DorisType):  # a type that came out of a query (CREATE TABLE … AS)
        found_type: DorisType = kind.args["doris"]
        return found_type
    parameters = [int(item.name) for item in kind.expressions if item.name.isdigit()]
    if isinstance(kind.this, _T) and kind.this in _SIZED:
        return _SIZED[kind.this](parameters)
    if kind.this is _T.TIME:
        raise TIME_COLUMN()
    if kind.this in (_T.ARRAY, _T.MAP, _T.STRUCT):
        return _nested(kind, column)
    found = _PLAIN.get(kind.this) if isinstance(kind.this, _T) else None
    return found or _named(kind, column)


def _named(kind: exp.DataType, column: str) -> DorisType:
    """A type that sqlglot knows by its name only (BITMAP, QUANTILE_STATE, AGG_STATE)."""
    if isinstance(kind, AggState):
        return _agg_state(kind, column)
    name = str(kind.args.get("kind") or kind.this).lower()
    if name not in LATER | STATES:
        raise UNKNOWN_TYPE(name=name.rpartition(".")[2], column=column)
    return DorisType(name)


def _agg_state(kind: AggState, column: str) -> DorisType:
    """AGG_STATE<f(types)>: the function must be known and take such arguments (Doris: AGG_STATE)."""
    function = str(kind.this).lower()
    arguments = tuple(declared(item, column) for item in kind.expressions)
    if aggstate.find(function) is None:
        raise UNKNOWN_FUNCTION(name=function)
    if not aggstate.accepts(function, arguments):
        raise NO_SIGNATURE(function=function, types=", ".join(map(str, arguments)))
    words = ("null" if item.args.get("nullable") else "not null" for item in kind.expressions)
    return DorisType("agg_state", children=tuple(zip(words, arguments, strict=True)), function=function)


def _nested(kind: exp.DataType, column: str) -> DorisType:
    """ARRAY, MAP and STRUCT, at most nine deep."""
    name = str(kind.this.value).lower()
    fields = [item.name if isinstance(item, exp.ColumnDef) else "" for item in kind.expressions]
    types = [item.args["kind"] if isinstance(item, exp.ColumnDef) else item for item in kind.expressions]
    inner = tuple(declared(item, column) for item in types)
    refused = next((item for item in inner if item.name in _NOT_INSIDE), None)
    if refused is not None or (name == "map" and inner[0].name in COMPLEX | {"json"}):
        raise SUB_TYPE(type=name.upper(), inner=str(refused or inner[0]).upper())
    lowered = [field.lower() for field in fields]
    if name == "struct" and len(set(lowered)) < len(lowered):
        raise FIELD_TWICE(field=next(f for f in fields if lowered.count(f.lower()) > 1), name=column)
    found = DorisType(name, children=tuple(zip(fields, inner, strict=True)), comments=_comments(kind))
    if _depth(found) > MAX_NESTING:
        raise NESTING_DEPTH()
    return found


def _comments(kind: exp.DataType) -> tuple[str, ...]:
    """The comments of the fields of a STRUCT, none when no field has one."""
    notes = [field.args.get("constraints") for field in kind.expressions]
    return tuple(note[0].this.name if note else "" for note in notes) if any(notes) else ()


def _depth(kind: DorisType) -> int:
    """How many ARRAYs, MAPs and STRUCTs lie in each other."""
    return 1 + max((_depth(inner) for _, inner in kind.children), default=0) if kind.name in COMPLEX else 0


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
