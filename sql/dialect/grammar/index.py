"""Indexes as statements of their own: CREATE, DROP and BUILD INDEX."""

from __future__ import annotations

from sql.dialect import node
from sql.dialect.grammar.column import INDEX_METHODS
from sql.dialect.reader import Reader


def create_index(reader: Reader) -> node.CreateIndex:
    """CREATE INDEX [IF NOT EXISTS] i ON t (c, …) [USING method] [PROPERTIES (…)] [COMMENT '…']."""
    exists, name = reader.if_not_exists(), reader.name()
    reader.expect("ON")
    table, columns = reader.table(), reader.names()
    method = reader.expect_one_of(*INDEX_METHODS) if reader.words("USING") else None
    made = node.CreateIndex(this=name, table=table, expressions=columns, exists=exists, method=method)
    made.set("properties", reader.properties())
    made.set("comment", reader.comment())
    return made


def drop_index(reader: Reader) -> node.DropIndex:
    """DROP INDEX [IF EXISTS] i ON t."""
    exists, name = reader.if_exists(), reader.name()
    reader.expect("ON")
    return node.DropIndex(this=name, table=reader.table(), exists=exists)


def build_index(reader: Reader) -> node.BuildIndex:
    """BUILD INDEX [i] ON t [PARTITION …]."""
    name = None if reader.sees("ON") else reader.name()
    reader.expect("ON")
    table = reader.table()
    return node.BuildIndex(this=name, table=table, partition=reader.partition_names())
