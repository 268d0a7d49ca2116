"""Bind a query: names to relations, stars to columns, expressions to types; give DuckDB text and result columns.

The steps and why they stand in this order:
  1 headings    before anything is rewritten, a result column is named by what the client wrote
  2 session     @@x, NOW(), DATABASE() become constants, so nothing below depends on the session
  3 references  tables, streams and functions become relations with known columns
  4 names       every column is qualified and checked, stars are expanded (sqlglot's optimizer)
  5 types       every expression gets its type; functions of states and of nested values, whose types sqlglot does
                not know, get nodes of their own before that
  6 semantics   those are spelled, then what Doris computes otherwise than DuckDB, by type (sql/rewrite/semantics.py)
  7 inline      relations become their DuckDB text; last, since sqlglot cannot look into it
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import pyarrow as pa
from sqlglot import exp
from sqlglot.errors import OptimizeError
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.qualify_columns import qualify_columns
from sqlglot.optimizer.qualify_tables import qualify_tables
from sqlglot.schema import MappingSchema

from sql.bind.binding import Binding
from sql.bind.column import base_of, check_columns, fold_case, keeps_values, note_labels
from sql.bind.heading import first_select, note_headings, spelled_heading
from sql.bind.type import inferred, settled, spelled
from sql.dialect.doris import Doris
from sql.dialect.duckdb import to_duckdb
from sql.dialect.from_text import MOMENT
from sql.dialect.zone import METADATA as ZONE_METADATA
from sql.ingest.shape import SLOT
from sql.result import Field
from sql.rewrite.arithmetic import METADATA as ARITHMETIC_METADATA
from sql.rewrite.function_type import METADATA as FUNCTION_METADATA
from sql.rewrite.having import filter_rows
from sql.rewrite.loose_group import loosen_groups
from sql.rewrite.nested import METADATA as NESTED_METADATA
from sql.rewrite.nested import name_nested, spell_nested
from sql.rewrite.recursion import limit_recursion
from sql.rewrite.reference import bind_references, inline
from sql.rewrite.semantics import apply_semantics
from sql.rewrite.session import fold_session
from sql.rewrite.state import METADATA as STATE_METADATA
from sql.rewrite.state import name_states
from sql.rewrite.state_spelling import spell_states
from sql.rewrite.table_function import METADATA as TABLE_FUNCTION_METADATA
from sql.rewrite.table_function import name_table_functions
from sql.rewrite.whole_number import METADATA as NUMBER_METADATA
from storage.errors import (
    COLUMN_POSITION,
    EXECUTION_FAILED,
    NOT_SUPPORTED,
    NOT_UNIQUE_ALIAS,
    UNKNOWN_COLUMN,
    UNKNOWN_TABLE,
    DorisError,
    Kind,
)
from storage.types import TINYINT, DorisType, datetime

_METADATA = {
    **Doris.EXPRESSION_METADATA,
    **FUNCTION_METADATA,
    **NESTED_METADATA,
    **STATE_METADATA,
    **TABLE_FUNCTION_METADATA,
    **ZONE_METADATA,
    **ARITHMETIC_METADATA,
    **NUMBER_METADATA,
}

_REFUSALS: dict[str, tuple[Kind, dict[str, str]]] = {
    "Unknown output column": (COLUMN_POSITION, {}),
    "Cannot automatically join": (UNKNOWN_COLUMN, {"place": "from clause"}),
    "Alias already used": (NOT_UNIQUE_ALIAS, {}),
    "Unknown table": (UNKNOWN_TABLE, {}),
}


@dataclass(frozen=True, slots=True)
class Bound:
    """A query ready to run: DuckDB text and its result columns (types may still be unknown)."""

    sql: str
    fields: tuple[Field, ...]


def bind_query(node: exp.Expr, binding: Binding) -> Bound:
    """Bind a SELECT, set operation or VALUES; the given tree is not changed."""
    tree = bind_tree(node.copy(), binding)
    fields = _fields(tree, binding)
    return Bound(duckdb_text(limit_recursion(inline(tree, binding), binding), binding), fields)


def bind_rows(node: exp.Select, binding: Binding, source: str) -> Bound:
    """Bind a SELECT without FROM whose marked literals stand for columns of `source` (sql/ingest/shape.py)."""
    tree = bind_tree(node, binding)
    fields = _fields(tree, binding)
    for literal in list(tree.find_all(exp.Literal)):
        if SLOT in literal.meta:
            column = exp.column(exp.to_identifier(literal.meta[SLOT], quoted=True))
            column.type = literal.type
            literal.replace(column)
    return Bound(f"{duckdb_text(inline(tree, binding), binding)} FROM {source}", fields)


def bind_tree(tree: exp.Expr, binding: Binding) -> exp.Expr:
    """Steps 1 to 6 on a tree that may be changed; what is left is `inline` and the text."""
    note_headings(tree)
    tree = fold_session(tree, binding)
    bind_references(tree, binding)
    name_table_functions(tree)
    fold_case(tree, binding)
    schema = _schema(binding)
    tree = filter_rows(_qualify(tree, schema, binding))
    if not binding.full_groups:
        tree = loosen_groups(tree)
    tree = name_nested(name_states(tree))
    tree = annotate_types(tree, schema=schema, expression_metadata=_METADATA, dialect=Doris)
    return apply_semantics(spell_nested(spell_states(tree)))


def duckdb_text(tree: exp.Expr, binding: Binding) -> str:
    """The DuckDB text of a bound tree, which is used up; texts read as moments depend on the zone of the session."""
    text = to_duckdb(tree, binding.zone, strict_cast=binding.strict_cast, copy=False)
    binding.volatile |= MOMENT in text
    return text


def _schema(binding: Binding) -> MappingSchema:
    """The relations as sqlglot's schema; hidden columns are known but not in `*`."""
    columns: dict[str, object] = {
        name: {column.name.lower(): spelled(column.type) for column in relation.columns}
        for name, relation in binding.relations.items()
    }
    visible: dict[str, object] = {
        name: {column.name.lower() for column in relation.columns if column.visible}
        for name, relation in binding.relations.items()
    }
    return MappingSchema(columns, visible=visible, dialect=Doris, normalize=False)


def _qualify(tree: exp.Expr, schema: MappingSchema, binding: Binding) -> exp.Expr:
    note_labels(tree)
    try:
        tree = qualify_tables(tree, dialect=Doris)
        tree = qualify_columns(tree, schema, dialect=Doris, allow_partial_qualification=True)
    except OptimizeError as error:
        raise _refusal(str(error)) from None
    check_columns(tree, binding)
    return tree


def _refusal(said: str) -> DorisError:
    """What sqlglot's optimizer refuses, in Doris's words."""
    what, _, name = said.partition(": ")
    kind, words = _REFUSALS.get(what, (EXECUTION_FAILED, {"reason": said}))
    return kind(name=name, **words)


def _fields(tree: exp.Expr, binding: Binding) -> tuple[Field, ...]:
    keeps = keeps_values(tree)
    return tuple(_field(item, binding, keeps) for item in first_select(tree).expressions)


def _field(item: exp.Expr, binding: Binding, keeps: bool) -> Field:
    """Name, type and origin of one result column."""
    value = item.unalias()
    if isinstance(value, exp.Interval):
        raise NOT_SUPPORTED(what="INTERVAL outside of date arithmetic")
    kind = datetime(0) if _is_cast_to_seconds(value) else inferred(item.type or value.type)
    heading = spelled_heading(item, binding)
    if isinstance(value, exp.Column) and (origin := base_of(value, binding)) is not None:
        relation, column = origin
        nullable = column.nullable or not keeps
        return Field(heading, column.type, nullable, value.table, column.name, relation.database, key=column.key)
    return Field(heading, kind)


def _is_cast_to_seconds(value: exp.Expr) -> bool:
    """CAST AS DATETIME: the word alone has no digits, as a function's type it has unknown ones."""
    return isinstance(value, exp.Cast) and value.to.this == exp.DType.DATETIME and not value.to.expressions


def refine(fields: tuple[Field, ...], schema: pa.Schema) -> tuple[Field, ...]:
    """Settle types by the Arrow schema of the opened result: unknown ones, and those DuckDB computes wider."""
    return tuple(replace(field, type=settled(field.type, schema.field(i).type)) for i, field in enumerate(fields))


def known_types(node: exp.Expr, bound: Bound, binding: Binding) -> list[DorisType | None]:
    """The types of the columns of a bound query, without running it.

    DuckDB is asked where one is unknown, and in set operations: the fields are those of the first branch only.
    """
    types = [field.type for field in bound.fields]
    if not isinstance(node.unnest(), exp.SetOperation) and None not in types:
        return types
    schema = _schema_of(bound, binding)
    return [_sure(kind, schema.field(place).type) for place, kind in enumerate(types)]


def typed(bound: Bound, binding: Binding) -> Bound:
    """A query whose columns become those of a table or view: every type known as far as DuckDB knows it."""
    pairs = zip(bound.fields, _schema_of(bound, binding).types, strict=True)
    return replace(bound, fields=tuple(replace(field, type=_column_type(field.type, kind)) for field, kind in pairs))


def _schema_of(bound: Bound, binding: Binding) -> pa.Schema:
    """The result columns as DuckDB knows them, no row computed (it may drop a LIMIT 0: docs/duckdb.md)."""
    return binding.reader.table(f"SELECT * FROM ({bound.sql}) WHERE false").schema


def _column_type(kind: DorisType | None, arrow: pa.DataType) -> DorisType | None:
    """NULL alone is a TINYINT, a moment of unknown digits keeps all it may have."""
    if pa.types.is_null(arrow):
        return TINYINT
    found = _sure(kind, arrow)
    return datetime(6) if found is not None and found.name == "datetime" and found.scale is None else found


def _sure(kind: DorisType | None, arrow: pa.DataType) -> DorisType | None:
    """As `refine`, but a moment is one, of unknown digits, where nothing or a DATE was inferred."""
    is_moment = pa.types.is_timestamp(arrow) and (kind is None or kind.name != "datetime")
    return DorisType("datetime") if is_moment else settled(kind, arrow)
