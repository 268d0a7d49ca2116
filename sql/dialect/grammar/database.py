"""Databases, catalogs and the recycle bin: CREATE, ALTER, DROP DATABASE, USE, SWITCH, RECOVER.

A database name stands in an exp.Table as its `this`, a catalog name as its `db`.
"""

from __future__ import annotations

from sqlglot import exp

from sql.dialect import node
from sql.dialect.reader import Reader


def create_database(reader: Reader) -> exp.Create:
    """CREATE DATABASE [IF NOT EXISTS] d [charset of MySQL, without effect] [PROPERTIES (…)]."""
    exists = reader.if_not_exists()
    database = reader.table()
    _skip_charset(reader)
    properties = reader.properties()
    return exp.Create(this=database, kind="DATABASE", exists=exists, properties=properties)


def _skip_charset(reader: Reader) -> None:
    """[DEFAULT] CHARACTER SET | CHARSET | COLLATE ['='] name, as mysqldump writes it."""
    while reader.sees("DEFAULT") or reader.sees("COLLATE") or reader.sees("CHARSET") or reader.sees("CHARACTER"):
        reader.words("DEFAULT")
        if not (reader.one_of("CHARSET", "COLLATE") or reader.words("CHARACTER", "SET")):
            reader.mismatch("CHARACTER", "COLLATE")
        reader.words("=")
        reader.label()


def alter_database(reader: Reader) -> node.AlterDatabase:
    """ALTER DATABASE d SET PROPERTIES (…) | RENAME e | SET DATA|REPLICA|TRANSACTION QUOTA n."""
    database = reader.table()
    if reader.words("RENAME"):
        return node.AlterDatabase(this=database, to=reader.name())
    reader.expect("SET")
    if reader.words("PROPERTIES"):
        return node.AlterDatabase(this=database, properties=reader.pairs())
    kind = reader.one_of("DATA", "REPLICA", "TRANSACTION") or reader.mismatch("PROPERTIES", "DATA", "REPLICA")
    reader.expect("QUOTA")
    return node.AlterDatabase(this=database, quota=f"{kind} QUOTA {reader.skip().text}")


def drop_database(reader: Reader) -> exp.Drop:
    """DROP DATABASE [IF EXISTS] d [FORCE]."""
    exists = reader.if_exists()
    return exp.Drop(tables=[reader.table()], kind="DATABASE", exists=exists, force=reader.flag("FORCE"))


def use(reader: Reader) -> exp.Use:
    """USE [catalog.]d."""
    return exp.Use(this=reader.table())


def switch(reader: Reader) -> node.Switch:
    """SWITCH catalog."""
    return node.Switch(this=reader.name())


def recover(reader: Reader) -> node.Recover:
    """RECOVER DATABASE|TABLE|PARTITION name [id] [AS new] [FROM table]."""
    kind = reader.expect_one_of("DATABASE", "TABLE", "PARTITION")
    this = reader.name() if kind == "PARTITION" else reader.table()
    number = None if reader.at_end or reader.sees("AS") or reader.sees("FROM") else reader.number()
    to = reader.name() if reader.words("AS") else None
    table = None
    if kind == "PARTITION":
        reader.expect("FROM")
        table = reader.table()
    return node.Recover(kind=kind, this=this, id=number, to=to, table=table)
