"""DESC, DESC … ALL, SHOW COLUMNS and SHOW INDEX: the columns of a table, a stream, or a system table.

Source: Doris: DESCRIBE, SHOW COLUMNS, SHOW INDEX; Table Stream, DESC.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from sqlglot import exp

from sql.bind.name import find, is_system, of_system, split
from sql.ddl.rollup import key_count
from sql.ddl.show_create import shown_default
from sql.dialect import node
from sql.information_schema import lookup
from sql.listing import listed, rows
from sql.result import Result
from sql.rewrite.table import chosen_partitions
from sql.statement import Call, handles
from storage.catalog.index import Rollup
from storage.catalog.model import Column, Model, Stream, Table, View
from storage.errors import NO_SUCH_TABLE, UNKNOWN_BASE_TABLE
from storage.relation import ROW_STORE, SEQUENCE, SKIP_BITMAP, hidden_columns


@dataclass(frozen=True, slots=True)
class Described:
    """One line: `extra` is the aggregation or NONE, empty for keys."""

    name: str
    type: str
    nullable: bool
    key: bool
    default: str | None
    extra: str
    comment: str = ""
    visible: bool = True


def columns_of(call: Call[exp.Expression], reference: exp.Table, hidden: bool = False) -> list[Described]:
    """The columns of what a name stands for; a stream has the visible ones of its base table."""
    database, name = split(reference, call.context)
    if is_system(database):
        return _system_columns(name, database)
    found = find(call.engine.database.catalog, reference, call.context)
    if isinstance(found, View):
        return [Described(column, str(kind), True, False, None, "", comment) for column, kind, comment in found.columns]
    return list(_table_columns(_base(call, found, name), hidden and not isinstance(found, Stream)))


def _system_columns(name: str, database: str) -> list[Described]:
    table = lookup(name, database)
    if table is None:
        raise NO_SUCH_TABLE(name=name)
    return [Described(column, str(kind), True, False, None, "") for column, kind in table.columns]


def _base(call: Call[exp.Expression], found: Table | Stream | View | None, name: str) -> Table:
    """The table that was found under a name, or the base table of the stream."""
    catalog = call.engine.database.catalog
    if isinstance(found, Stream):
        base = catalog.live_table(found.base_id)
        if base is None:
            gone = catalog.tables.get(found.base_id)
            raise UNKNOWN_BASE_TABLE(name=gone.name if gone else found.base_name, stream=found.name)
        return base
    if not isinstance(found, Table):
        raise NO_SUCH_TABLE(name=name)
    return found


def _table_columns(table: Table, hidden: bool) -> Iterator[Described]:
    for column in table.columns:
        default = shown_default(column)
        extra = _extra(table, column)
        yield Described(column.name, str(column.type), column.nullable, column.key, default, extra, column.comment)
    if hidden:
        for name, kind in hidden_columns(table):
            nullable, default = name == SEQUENCE, _HIDDEN_DEFAULTS.get(name, "0")
            yield Described(name, str(kind), nullable, False, default, "NONE", visible=False)


_HIDDEN_DEFAULTS = {ROW_STORE: "", SEQUENCE: None, SKIP_BITMAP: None}


def _extra(table: Table, column: Column) -> str:
    """The aggregation, and how the column fills itself, with commas between."""
    marks = ["AUTO_INCREMENT"] if column.auto_increment is not None else []
    marks += ["STORED GENERATED"] if column.generated is not None else []
    return ",".join([*([] if column.key else [_aggregation(table, column)]), *marks])


def _aggregation(table: Table, column: Column) -> str:
    if table.model is Model.UNIQUE and not table.merge_on_write:
        return "REPLACE"
    return column.aggregation or "NONE"


_DESC = ("Field", "Type", "Null", "Key", "Default", "Extra")


@handles(exp.Describe)
def describe(call: Call[exp.Describe]) -> Result:
    """DESC t [PARTITION p]: Yes and No, true and false, as Doris spells them; all partitions have the same columns."""
    reference = call.node.this
    if call.node.args.get("partition") is not None:
        found = find(call.engine.database.catalog, reference, call.context)
        chosen_partitions(_base(call, found, reference.name), call.node)
    described = columns_of(call, reference, call.context.variables.is_on("show_hidden_columns"))
    return rows(_DESC, [_line(column) for column in described])


def _line(column: Described) -> tuple[object, ...]:
    return (column.name, column.type, _yes(column.nullable), column.key, column.default, column.extra)


def _yes(value: bool) -> str:
    return "Yes" if value else "No"


_KEYS_TYPE = {Model.DUPLICATE: "DUP_KEYS", Model.UNIQUE: "UNIQUE_KEYS", Model.AGGREGATE: "AGG_KEYS"}


@handles(node.DescribeAll)
def describe_all(call: Call[node.DescribeAll]) -> Result:
    """DESC t ALL: the table as its own first index, then its rollups with an empty line before each.

    A stream has no other index and no hidden columns (Doris: Table Stream, limits); a view or a system table has
    none at all and is described as by DESC.
    """
    reference = call.node.this
    is_own = of_system(reference, call.context)
    found = None if is_own else find(call.engine.database.catalog, reference, call.context)
    if is_own or isinstance(found, View):
        return rows(_DESC, [_line(column) for column in columns_of(call, reference)])
    name, is_stream = reference.name, isinstance(found, Stream)
    table = _base(call, found, name)
    hidden = call.context.variables.is_on("show_hidden_columns") and not is_stream
    heads = ("IndexName", "IndexKeysType", "Field", "Type", "InternalType", *_DESC[2:], "Visible", "DefineExpr")
    content = _index_lines(table, name, _table_columns(table, hidden))
    for index in () if is_stream else table.rollups:
        content += [("",) * (len(heads) + 1), *_index_lines(table, index.name, _rollup_columns(table, index))]
    return rows((*heads, "WhereClause"), content)


def _index_lines(table: Table, index: str, columns: Iterable[Described]) -> list[tuple[object, ...]]:
    """The lines of one index; only the first one names it."""
    content: list[tuple[object, ...]] = []
    for column in columns:
        name, kind, *rest = _line(column)
        first = ("", "") if content else (index, _KEYS_TYPE[table.model])
        content.append((*first, name, kind, kind, *rest, column.visible, "", ""))
    return content


def _rollup_columns(table: Table, found: Rollup) -> Iterator[Described]:
    """The columns of a rollup, its leading ones as keys."""
    described = {column.name: column for column in _table_columns(table, hidden=False)}
    keys = key_count(table, found)
    for place, uid in enumerate(found.columns):
        column = table.column_of(uid)
        if column is not None:
            key, plain = place < keys, described[column.name]
            yield replace(plain, key=key, extra="" if key else plain.extra or "NONE")


@handles(exp.Show, "COLUMNS")
def show_columns(call: Call[exp.Show]) -> Result:
    """SHOW [FULL] COLUMNS FROM t: YES and NO, and the aggregation only for AGGREGATE tables."""
    full = bool(call.node.args.get("full"))
    found = columns_of(call, call.node.args["target"])
    names = ("Field", "Type", "Collation", *_DESC[2:], "Privileges", "Comment") if full else _DESC
    return listed(call.node, names, [_column_line(column, full) for column in found], sensitive=False)


def _column_line(column: Described, full: bool) -> tuple[object, ...]:
    extra = "" if column.extra == "NONE" else column.extra
    tail = (_yes(column.nullable).upper(), _yes(column.key).upper(), column.default, extra)
    if not full:
        return (column.name, column.type, *tail)
    return (column.name, column.type, "", *tail, "", column.comment)
