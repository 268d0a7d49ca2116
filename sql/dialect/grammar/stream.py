"""Streams: CREATE, ALTER and DROP STREAM (Doris: Table Stream)."""

from __future__ import annotations

from sql.dialect import node
from sql.dialect.reader import Reader


def create_stream(reader: Reader, replace: bool | None = None) -> node.CreateStream:
    """CREATE STREAM [IF NOT EXISTS] [db.]s ON TABLE [db.]t [COMMENT '…'] [PROPERTIES (…)]."""
    exists = reader.if_not_exists()
    stream = reader.table()
    reader.expect("ON", "TABLE")
    base = reader.table()
    comment, properties = reader.comment(), reader.properties()
    return node.CreateStream(
        this=stream, base=base, exists=exists, replace=replace, comment=comment, properties=properties
    )


def replace_stream(reader: Reader) -> node.CreateStream:
    """CREATE OR REPLACE STREAM …: parsed so that it can be refused in Doris's words."""
    return create_stream(reader, replace=True)


def alter_stream(reader: Reader) -> node.AlterStream:
    """ALTER STREAM [db.]s {SET | MODIFY} COMMENT '…' | SET ["PROPERTIES"] (…)."""
    stream = reader.table()
    modify = reader.words("MODIFY")
    if not modify:
        reader.expect("SET")
    if reader.sees("COMMENT"):
        return node.AlterStream(this=stream, comment=reader.comment())
    if not modify and (reader.one_of("PROPERTIES") or reader.sees("(")):
        return node.AlterStream(this=stream, properties=reader.pairs())
    reader.mismatch("COMMENT")


def drop_stream(reader: Reader) -> node.DropStream:
    """DROP STREAM [IF EXISTS] [db.]s [FORCE]."""
    exists = reader.if_exists()
    return node.DropStream(this=reader.table(), exists=exists, force=reader.flag("FORCE"))
