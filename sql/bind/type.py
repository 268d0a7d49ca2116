"""Infer Doris types of expressions from sqlglot's annotations, and spell Doris types for its schema.

Types of declared columns are made in sql/ddl; this module never raises: what cannot be known is None,
and the Arrow type of the result fills it ("unknown" is explicit).
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pyarrow as pa
from sqlglot import exp
from sqlglot.expressions.datatypes import DType

from sql.dialect.cast import sized
from storage.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    HLL,
    INT,
    LARGEINT,
    MAX_DECIMAL,
    NULL,
    SMALLINT,
    STATES,
    STRING,
    TINYINT,
    VARCHAR,
    DorisType,
    datetime,
    decimal,
    varchar,
)

_T = DType

_SIMPLE = {
    _T.BOOLEAN: BOOLEAN,
    _T.TINYINT: TINYINT,
    _T.SMALLINT: SMALLINT,
    _T.INT: INT,
    _T.BIGINT: BIGINT,
    _T.INT128: LARGEINT,
    _T.FLOAT: FLOAT,
    _T.DOUBLE: DOUBLE,
    _T.DATE: DATE,
    _T.TEXT: STRING,
    _T.VARCHAR: VARCHAR,
    _T.CHAR: VARCHAR,
    _T.JSON: DorisType("json"),
    _T.VARIANT: DorisType("variant"),
    _T.IPV4: DorisType("ipv4"),
    _T.IPV6: DorisType("ipv6"),
    _T.HLLSKETCH: HLL,
}
_NESTED = {"array": _T.ARRAY, "map": _T.MAP, "struct": _T.STRUCT}


def inferred(kind: exp.DataType | None) -> DorisType | None:
    """The Doris type of an annotated expression, None when sqlglot does not know it."""
    if kind is None or not isinstance(kind.this, _T):
        return None
    if isinstance(kind.args.get("doris"), DorisType):
        return cast(DorisType, kind.args["doris"])
    if kind.this in _NESTED.values():
        return _inferred_nested(kind)
    if kind.this is _T.USERDEFINED:
        name = str(kind.args.get("kind")).lower()
        return DorisType(name) if name in STATES else None
    parameters = [int(p.name) for p in kind.expressions if p.name.isdigit()]
    if kind.this is _T.DECIMAL:
        return decimal(parameters[0], parameters[1]) if len(parameters) == 2 else None
    if kind.this in (_T.DATETIME, _T.TIMESTAMP, _T.DATETIME2):
        return datetime(parameters[0]) if parameters else None
    if kind.this is _T.TIME:
        return DorisType("time", scale=next(iter(parameters), 0))
    if kind.this is _T.VARCHAR and parameters:
        return varchar(parameters[0])
    return DATE if kind.this is _T.DATE32 else _SIMPLE.get(kind.this)


def _inferred_nested(kind: exp.DataType) -> DorisType | None:
    fields = [item.name if isinstance(item, exp.ColumnDef) else "" for item in kind.expressions]
    types = [item.args.get("kind") if isinstance(item, exp.ColumnDef) else item for item in kind.expressions]
    inner = [NULL if item is not None and item.this is _T.NULL else inferred(item) for item in types]
    if not inner or any(item is None for item in inner):
        return None
    name = next(name for name, this in _NESTED.items() if this is kind.this)
    return DorisType(name, children=tuple(zip(fields, cast("list[DorisType]", inner), strict=True)))


def spelled(kind: DorisType) -> exp.DataType:
    """The sqlglot type of a relation's column, precise enough for `inferred` to give it back."""
    if kind.name == "largeint":
        return exp.DataType(this=_T.INT128)
    if kind.name == "decimal":
        return sized(_T.DECIMAL, kind.precision or MAX_DECIMAL, kind.scale or 0)
    if kind.name == "datetime":
        return sized(_T.DATETIME, kind.scale or 0)
    if kind.name == "time":
        return sized(_T.TIME, kind.scale or 0)
    if kind.name in ("char", "varchar"):
        return sized(_T.VARCHAR, kind.length or 1)
    if kind.name in _NESTED:
        inner = [_child(*child) for child in kind.children]
        return exp.DataType(this=_NESTED[kind.name], expressions=inner, nested=True)
    if kind.name in STATES:
        # sqlglot keeps a type with parameters through UNION and CASE; what it is stands in `doris`
        marked = [exp.DataTypeParam(this=exp.var(kind.name))]
        return exp.DataType(this=_T.USERDEFINED, kind=kind.name.upper(), expressions=marked, doris=kind)
    return exp.DataType(this=_SPELLED.get(kind.name, _T.UNKNOWN))


def _child(field: str, kind: DorisType) -> exp.Expr:
    return exp.ColumnDef(this=exp.to_identifier(field), kind=spelled(kind)) if field else spelled(kind)


_SPELLED = {kind.name: this for this, kind in _SIMPLE.items() if kind is not VARCHAR} | {"null": _T.NULL}


_ARROW = {
    pa.int8(): TINYINT,
    pa.int16(): SMALLINT,
    pa.int32(): INT,
    pa.int64(): BIGINT,
    pa.float32(): FLOAT,
    pa.float64(): DOUBLE,
    pa.date32(): DATE,
    pa.string(): STRING,
    pa.large_string(): STRING,
    pa.uint8(): SMALLINT,
    pa.uint16(): INT,
    pa.uint32(): BIGINT,
    pa.uint64(): LARGEINT,
}


def of_arrow(kind: pa.DataType) -> DorisType | None:
    """The Doris type of a result column whose expression said nothing; None keeps it unknown."""
    if pa.types.is_decimal(kind):
        return decimal(kind.precision, kind.scale)
    if pa.types.is_nested(kind):
        return _of_nested_arrow(kind)
    if isinstance(kind, pa.BaseExtensionType):
        return BOOLEAN if kind.extension_name == "arrow.bool8" else LARGEINT if is_hugeint(kind) else None
    return _ARROW.get(kind)


def settled(kind: DorisType | None, arrow: pa.DataType) -> DorisType | None:
    """The inferred type if DuckDB's values fit it, else the type that DuckDB gives."""
    found = of_arrow(arrow)
    if kind is None or found is None or kind.name in STATES:
        return kind or found
    same = kind.name == found.name or (kind.is_text and found.is_text)
    if not same and (kind.duckdb.startswith("VARCHAR") and found.is_text):
        return kind  # JSON, IPV4 and the like: stored as text
    if kind.name == "decimal" and found.name == "decimal":
        return found
    if same and len(kind.children) == len(found.children) > 0:
        inner = (settled(part, of) for (_, part), of in zip(kind.children, _parts(arrow), strict=True))
        children = tuple((name, part or STRING) for (name, _), part in zip(kind.children, inner, strict=True))
        return replace(kind, children=children)
    return kind if same else found


def _parts(kind: pa.DataType) -> list[pa.DataType]:
    """The types within a nested one."""
    if pa.types.is_map(kind):
        return [kind.key_type, kind.item_type]
    if pa.types.is_struct(kind):
        return [kind.field(place).type for place in range(kind.num_fields)]
    return [kind.value_type]


def _of_nested_arrow(kind: pa.DataType) -> DorisType | None:
    parts = _parts(kind)
    is_struct = pa.types.is_struct(kind)
    names = [kind.field(place).name for place in range(kind.num_fields)] if is_struct else [""] * len(parts)
    inner = [(name, of_arrow(part)) for name, part in zip(names, parts, strict=True)]
    if any(part is None for _, part in inner):
        return None
    name = "map" if pa.types.is_map(kind) else "struct" if pa.types.is_struct(kind) else "array"
    return DorisType(name, children=cast("tuple[tuple[str, DorisType], ...]", tuple(inner)))


def is_hugeint(kind: pa.DataType) -> bool:
    """Whether DuckDB's HUGEINT stands behind an Arrow extension type (arrow_lossless_conversion)."""
    return (
        isinstance(kind, pa.BaseExtensionType)
        and kind.extension_name == "arrow.opaque"
        and getattr(kind, "type_name", "") == "hugeint"
    )
