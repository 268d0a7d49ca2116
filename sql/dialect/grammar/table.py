"""Tables and views: CREATE TABLE, CREATE VIEW, DROP, TRUNCATE (Doris: CREATE TABLE)."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from sql.dialect import node
from sql.dialect.clause import RollupClause
from sql.dialect.grammar.column import column, index
from sql.dialect.grammar.partition import distribution, key_clause, partition_clause, rollup
from sql.dialect.reader import Reader


def create_table(reader: Reader) -> exp.Create:
    """CREATE TABLE [IF NOT EXISTS] [db.]t { (…) clauses [[AS] query] | LIKE u [WITH ROLLUP …] }."""
    exists = reader.if_not_exists()
    table = reader.table()
    if reader.words("LIKE"):
        return exp.Create(this=table, kind="TABLE", exists=exists, properties=_like(reader))
    this = _columns(reader, table) if reader.sees("(") and not _at_query(reader) else table
    clauses = _clauses(reader)
    query = reader.query() if reader.words("AS") or _at_query(reader) else None
    if query is None and this is table:
        reader.mismatch("(", "AS", "LIKE")
    properties = exp.Properties(expressions=clauses) if clauses else None
    return exp.Create(this=this, kind="TABLE", exists=exists, properties=properties, expression=query)


def create_temporary_table(reader: Reader) -> exp.Create:
    """CREATE TEMPORARY TABLE …: marked by an exp.TemporaryProperty."""
    return _marked(create_table(reader), exp.TemporaryProperty())


def create_external_table(reader: Reader) -> exp.Create:
    """CREATE EXTERNAL TABLE …: marked by an exp.ExternalProperty."""
    return _marked(create_table(reader), exp.ExternalProperty())


def _marked(create: exp.Create, mark: exp.Property) -> exp.Create:
    if create.args.get("properties") is None:
        create.set("properties", exp.Properties(expressions=[]))
    create.args["properties"].append("expressions", mark)
    return create


def _at_query(reader: Reader) -> bool:
    """Whether a query begins here, perhaps in brackets."""
    return reader.here in ("SELECT", "WITH") or any(reader.sees("(", word) for word in ("SELECT", "WITH", "("))


def _columns(reader: Reader, table: exp.Table) -> exp.Schema:
    """``(column | INDEX …, …)``; CREATE TABLE … AS SELECT may list bare names."""

    def member() -> exp.Expr:
        if reader.words("INDEX"):
            return index(reader)
        return reader.name() if reader.next_ends_item else column(reader)

    return exp.Schema(this=table, expressions=reader.wrapped_list(member))


def _like(reader: Reader) -> exp.Properties:
    members: list[exp.Expr] = [exp.LikeProperty(this=reader.table())]
    if reader.words("WITH", "ROLLUP"):
        members.append(RollupClause(expressions=reader.names() if reader.sees("(") else None))
    return exp.Properties(expressions=members)


def _clauses(reader: Reader) -> list[exp.Expr]:
    """The clauses between columns and query, each at most once, in any order."""
    found: list[exp.Expr] = []
    seen: set[str] = set()
    while (word := reader.here) in _CLAUSES:
        family = "KEY" if word in _KEYS else word
        if family in seen:
            reader.stuck()
        seen.add(family)
        found += _CLAUSES[word](reader)
    return found


def _engine(reader: Reader) -> list[exp.Expr]:
    reader.expect("ENGINE")
    reader.words("=")
    return [exp.EngineProperty(this=exp.var(reader.label()))]


def _key(reader: Reader) -> list[exp.Expr]:
    return [key_clause(reader, reader.skip().text.upper())]


def _comment(reader: Reader) -> list[exp.Expr]:
    return [exp.SchemaCommentProperty(this=reader.comment())]


def _partition(reader: Reader) -> list[exp.Expr]:
    auto = reader.flag("AUTO")
    if not reader.words("PARTITION", "BY"):
        reader.mismatch("PARTITION")
    return [partition_clause(reader, auto)]


def _distributed(reader: Reader) -> list[exp.Expr]:
    reader.expect("DISTRIBUTED")
    return [distribution(reader)]


def _rollup(reader: Reader) -> list[exp.Expr]:
    reader.expect("ROLLUP")
    return [RollupClause(expressions=reader.wrapped_list(lambda: rollup(reader)))]


def _properties(reader: Reader) -> list[exp.Expr]:
    reader.expect("PROPERTIES")
    members: list[exp.Expr] = reader.pairs().expressions
    return members


def _broker(reader: Reader) -> list[exp.Expr]:
    """BROKER PROPERTIES (…) of external tables: read, and left to the refusal of such tables."""
    reader.expect("BROKER", "PROPERTIES")
    reader.pairs()
    return []


_KEYS = ("DUPLICATE", "UNIQUE", "AGGREGATE")
_CLAUSES: dict[str, Callable[[Reader], list[exp.Expr]]] = {
    "ENGINE": _engine,
    **dict.fromkeys(_KEYS, _key),
    "COMMENT": _comment,
    "AUTO": _partition,
    "PARTITION": _partition,
    "PARTITION BY": _partition,
    "DISTRIBUTED": _distributed,
    "ROLLUP": _rollup,
    "PROPERTIES": _properties,
    "BROKER": _broker,
}


def create_view(reader: Reader, replace: bool | None = None) -> exp.Create:
    """CREATE [OR REPLACE] VIEW [IF NOT EXISTS] [db.]v [(c [COMMENT '…'], …)] [COMMENT '…'] AS query."""
    exists = reader.if_not_exists()
    view, comment = _view(reader), reader.comment()
    properties = exp.Properties(expressions=[exp.SchemaCommentProperty(this=comment)]) if comment else None
    reader.expect("AS")
    return exp.Create(
        this=view, kind="VIEW", exists=exists, replace=replace, properties=properties, expression=reader.query()
    )


def replace_view(reader: Reader) -> exp.Create:
    """CREATE OR REPLACE VIEW …."""
    return create_view(reader, replace=True)


def alter_view(reader: Reader) -> node.AlterView:
    """ALTER VIEW [db.]v {[(c [COMMENT '…'], …)] [COMMENT '…'] AS query | MODIFY COMMENT '…'}."""
    view = _view(reader)
    modify = not isinstance(view, exp.Schema) and reader.words("MODIFY")
    if modify and not reader.sees("COMMENT"):
        reader.mismatch("COMMENT")
    comment = reader.comment()
    if modify:
        return node.AlterView(this=view, comment=comment)
    reader.expect("AS")
    return node.AlterView(this=view, comment=comment, expression=reader.query())


def _view(reader: Reader) -> exp.Expr:
    """[db.]v [(c [COMMENT '…'], …)]."""
    view = reader.table()
    if not reader.sees("("):
        return view
    return exp.Schema(this=view, expressions=reader.wrapped_list(lambda: _view_column(reader)))


def _view_column(reader: Reader) -> exp.ColumnDef:
    name, comment = reader.name(), reader.comment()
    kinds = [exp.ColumnConstraint(kind=exp.CommentColumnConstraint(this=comment))] if comment else []
    return exp.ColumnDef(this=name, constraints=kinds)


def drop_table(reader: Reader) -> exp.Drop:
    """DROP TABLE [IF EXISTS] [db.]t [FORCE]."""
    return _drop(reader, "TABLE")


def drop_view(reader: Reader) -> exp.Drop:
    """DROP VIEW [IF EXISTS] [db.]v."""
    return _drop(reader, "VIEW")


def _drop(reader: Reader, kind: str) -> exp.Drop:
    exists = reader.if_exists()
    return exp.Drop(tables=[reader.table()], kind=kind, exists=exists, force=reader.flag("FORCE"))


def truncate(reader: Reader) -> exp.TruncateTable:
    """TRUNCATE TABLE [db.]t [PARTITION (p, …)] [FORCE]; FORCE is the extra argument `force`."""
    table = reader.table()
    node = exp.TruncateTable(expressions=[table], partition=reader.partition_names())
    node.set("force", reader.flag("FORCE"))
    return node
