"""Column definitions and indexes of CREATE TABLE and ALTER TABLE."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from sql.dialect.clause import Aggregation, AutoIncrement, Generated, Index, KeyColumn
from sql.dialect.reader import Reader

AGGREGATIONS = (
    "SUM", "MIN", "MAX", "REPLACE", "REPLACE_IF_NOT_NULL", "HLL_UNION", "BITMAP_UNION", "QUANTILE_UNION", "GENERIC",
)  # fmt: skip
INDEX_METHODS = ("INVERTED", "NGRAM_BF", "BITMAP", "ANN", "BLOOMFILTER")


def column(reader: Reader) -> exp.ColumnDef:
    """name type [KEY] [aggregation] [AS (e)] [NULL] [AUTO_INCREMENT] [DEFAULT v] [ON UPDATE …] [COMMENT '…']."""
    name = reader.name()
    kind = reader.data_type()
    constraints = []
    while found := _option(reader):
        constraints.append(exp.ColumnConstraint(kind=found))
    return exp.ColumnDef(this=name, kind=kind, constraints=constraints)


def _option(reader: Reader) -> exp.Expr | None:
    """The next option of a column, in whatever order they come; None when there is no more."""
    word = reader.here
    if word in AGGREGATIONS:
        reader.skip()
        return Aggregation(this=word)
    more, read = _OPTIONS.get(word, ((), None))
    return read(reader) if read and reader.words(word, *more) else None


def _generated(reader: Reader) -> exp.Expr:
    return Generated(this=reader.wrapped(reader.value))


def _auto_increment(reader: Reader) -> exp.Expr:
    return AutoIncrement(this=reader.wrapped(reader.number) if reader.sees("(") else None)


def _default(reader: Reader) -> exp.Expr:
    return exp.DefaultColumnConstraint(this=_default_value(reader))


def _default_value(reader: Reader) -> exp.Expr:
    """A literal, or one of the words PI, E, BITMAP_EMPTY (exp.Var), CURRENT_DATE, CURRENT_TIMESTAMP[(p)]."""
    word = reader.one_of("PI", "E", "BITMAP_EMPTY")
    if word:
        return exp.var(word)
    return reader.operand()


def _on_update(reader: Reader) -> exp.Expr:
    return exp.OnUpdateColumnConstraint(this=reader.operand())


def _comment(reader: Reader) -> exp.Expr:
    return exp.CommentColumnConstraint(this=reader.string())


_OPTIONS: dict[str, tuple[tuple[str, ...], Callable[[Reader], exp.Expr]]] = {
    "NOT": (("NULL",), lambda _: exp.NotNullColumnConstraint()),
    "NULL": ((), lambda _: exp.NotNullColumnConstraint(allow_null=True)),
    "KEY": ((), lambda _: KeyColumn()),
    "GENERATED": (("ALWAYS", "AS"), _generated),
    "AS": ((), _generated),
    "AUTO_INCREMENT": ((), _auto_increment),
    "DEFAULT": ((), _default),
    "ON": (("UPDATE",), _on_update),
    "COMMENT": ((), _comment),
}


def position(reader: Reader, definition: exp.ColumnDef) -> exp.ColumnDef:
    """Add [FIRST | AFTER c] to a column definition."""
    if reader.words("FIRST"):
        definition.set("position", exp.ColumnPosition(position="FIRST"))
    elif reader.words("AFTER"):
        definition.set("position", exp.ColumnPosition(position="AFTER", this=reader.name()))
    return definition


def index(reader: Reader) -> Index:
    """[IF NOT EXISTS] i (c, …) [USING method] [PROPERTIES (…)] [COMMENT '…'], behind INDEX."""
    exists = reader.if_not_exists()
    name, columns = reader.name(), reader.names()
    method = reader.expect_one_of(*INDEX_METHODS) if reader.words("USING") else None
    properties, comment = reader.properties(), reader.comment()
    return Index(this=name, expressions=columns, exists=exists, method=method, properties=properties, comment=comment)
