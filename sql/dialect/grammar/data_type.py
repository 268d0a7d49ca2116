"""Data types: the names Doris knows, and how their parameters are written (Doris: Data Types Overview).

A type becomes an exp.DataType; BITMAP and QUANTILE_STATE are user-defined types of that `kind`,
AGG_STATE is a clause.AggState. What a type means is decided in sql/ddl.
"""

from __future__ import annotations

from sqlglot import exp

from sql.dialect.clause import AggState
from sql.dialect.reader import Reader

_D = exp.DType
_PLAIN = {
    "BOOLEAN": _D.BOOLEAN, "BOOL": _D.BOOLEAN, "TINYINT": _D.TINYINT, "SMALLINT": _D.SMALLINT, "INT": _D.INT,
    "INTEGER": _D.INT, "BIGINT": _D.BIGINT, "LARGEINT": _D.INT128, "FLOAT": _D.FLOAT, "DOUBLE": _D.DOUBLE,
    "DECIMAL": _D.DECIMAL, "DECIMALV2": _D.DECIMAL, "DECIMALV3": _D.DECIMAL, "NUMERIC": _D.DECIMAL,
    "DATE": _D.DATE, "DATEV1": _D.DATE, "DATEV2": _D.DATE, "DATETIME": _D.DATETIME, "DATETIMEV1": _D.DATETIME,
    "DATETIMEV2": _D.DATETIME, "TIMESTAMP": _D.DATETIME, "TIME": _D.TIME, "TIMEV2": _D.TIME, "CHAR": _D.CHAR,
    "CHARACTER": _D.CHAR, "VARCHAR": _D.VARCHAR, "STRING": _D.TEXT, "TEXT": _D.TEXT, "JSON": _D.JSON,
    "JSONB": _D.JSON, "VARIANT": _D.VARIANT, "HLL": _D.HLLSKETCH, "IPV4": _D.IPV4, "IPV6": _D.IPV6,
    "VARBINARY": _D.VARBINARY,
}  # fmt: skip
_NAMED = frozenset({"BITMAP", "QUANTILE_STATE"})
_NESTED = {"ARRAY": _D.ARRAY, "MAP": _D.MAP, "STRUCT": _D.STRUCT}
_LITERAL_PREFIXES = frozenset({"DATE", "TIMESTAMP"})


def literal_prefix(reader: Reader) -> exp.DataType | None:
    """The type of ``DATE '…'`` and ``TIMESTAMP '…'`` before its string, else None."""
    if reader.here not in _LITERAL_PREFIXES or not reader.string_follows:
        return None
    return exp.DataType(this=_PLAIN[reader.skip().text.upper()])


def data_type(reader: Reader) -> exp.DataType | None:
    """Read a type if one comes next; only a name that Doris knows is one."""
    word = reader.here
    if word in _PLAIN:
        reader.skip()
        return exp.DataType(this=_PLAIN[word], expressions=_parameters(reader))
    if word in _NAMED:
        reader.skip()
        return exp.DataType(this=_D.USERDEFINED, kind=word)
    if word in _NESTED:
        reader.skip()
        return exp.DataType(this=_NESTED[word], expressions=_inner(reader, word), nested=True)
    if word == "AGG_STATE":
        return _agg_state(reader)
    return _signed(reader)


def _parameters(reader: Reader) -> list[exp.Expr] | None:
    """``(n)``, ``(p, s)``, or ``(*)``, which means the same as none."""
    if not reader.sees("("):
        return None
    if reader.words("(", "*", ")"):
        return None
    numbers = reader.wrapped_list(reader.number)
    return [exp.DataTypeParam(this=number) for number in numbers]


def _inner(reader: Reader, word: str) -> list[exp.Expr]:
    reader.expect("<")
    read = (lambda: _field(reader)) if word == "STRUCT" else (lambda: _child(reader))
    inner = reader.comma_list(read)
    reader.expect(">")
    if word != "STRUCT" and len(inner) != (2 if word == "MAP" else 1):
        reader.mismatch(">")
    return inner


def _child(reader: Reader) -> exp.Expr:
    """An element type; [NOT] NULL behind it is read and means nothing in Doris."""
    kind = reader.data_type()
    if not reader.words("NOT", "NULL"):
        reader.words("NULL")
    return kind


def _field(reader: Reader) -> exp.Expr:
    name = reader.field_name()
    reader.expect(":")
    kind, comment = _child(reader), reader.comment()
    notes = [exp.CommentColumnConstraint(this=comment)] if comment is not None else None
    return exp.ColumnDef(this=name, kind=kind, constraints=notes)


def _agg_state(reader: Reader) -> AggState:
    """AGG_STATE<f(type [NULL], …)>."""
    reader.expect("AGG_STATE", "<")
    function = reader.label()
    reader.expect("(")
    arguments = [] if reader.sees(")") else reader.comma_list(lambda: _argument(reader))
    reader.expect(")", ">")
    return AggState(this=function.lower(), expressions=arguments)


def _argument(reader: Reader) -> exp.DataType:
    """An argument type of AGG_STATE; whether it may be NULL is part of the type (its argument `nullable`)."""
    kind = reader.data_type()
    kind.set("nullable", not reader.words("NOT", "NULL"))
    reader.words("NULL")
    return kind


def _signed(reader: Reader) -> exp.DataType | None:
    """SIGNED | UNSIGNED [INT | INTEGER], which only CAST knows."""
    word = reader.one_of("SIGNED INTEGER", "SIGNED", "UNSIGNED INTEGER", "UNSIGNED")
    if not word:
        return None
    reader.one_of("INT", "INTEGER")
    return exp.DataType(this=_D.BIGINT if word.startswith("SIGNED") else _D.INT128)
