"""The session: SET, SET_VAR, BEGIN, COMMIT, ROLLBACK, LOCK TABLES, KILL, ADMIN SET CONFIG (Doris: SET VARIABLE)."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from sql.dialect import node
from sql.dialect.clause import SetVarHint
from sql.dialect.grammar.user import set_password
from sql.dialect.reader import Reader

_SCOPES = {"GLOBAL": "GLOBAL", "SESSION": "SESSION", "LOCAL": "SESSION"}
_MODES = (
    "READ ONLY", "READ WRITE", "ISOLATION LEVEL REPEATABLE READ", "ISOLATION LEVEL READ COMMITTED",
    "ISOLATION LEVEL READ UNCOMMITTED", "ISOLATION LEVEL SERIALIZABLE",
)  # fmt: skip


def set_(reader: Reader) -> exp.Expr:
    """SET [scope] x = v, …; SET @u = v; SET NAMES; SET CHARACTER SET; SET TRANSACTION; SET PASSWORD."""
    if reader.words("PASSWORD"):
        return set_password(reader)
    if reader.sees("PROPERTY") or reader.sees("DEFAULT"):
        kind = f"SET {reader.skip().text.upper()}"
        reader.skip_all()
        return node.Named(kind=kind)
    return exp.Set(expressions=reader.comma_list(lambda: _item(reader)))


def _item(reader: Reader) -> exp.Expr:
    if reader.words("NAMES"):
        return _names(reader)
    if reader.words("CHARACTER", "SET") or reader.words("CHAR", "SET") or reader.words("CHARSET"):
        return node.SetCharacterSet(this=_charset(reader))
    if reader.words("@"):
        name = reader.skip().text.lower()
        _assign(reader)
        return node.SetUserVariable(this=name, expression=reader.value())
    scope = "SESSION"
    if reader.words("@@"):
        if reader.follows(TokenType.DOT):
            scope = _SCOPES[reader.expect_one_of(*_SCOPES)]
            reader.expect(".")
    else:
        scope = _SCOPES[reader.one_of(*_SCOPES) or "SESSION"]
        if reader.words("TRANSACTION"):
            return node.SetTransaction(modes=reader.comma_list(lambda: reader.expect_one_of(*_MODES)), scope=scope)
    return variable(reader, scope)


def variable(reader: Reader, scope: str) -> node.SetVariable:
    """x = v: an item of SET or of the hint SET_VAR."""
    name = reader.name().name.lower()
    _assign(reader)
    return node.SetVariable(this=name, expression=_value(reader), scope=scope)


def hint(reader: Reader) -> exp.Hint | None:
    """SET_VAR(x = v, …), the inside of a hint comment; other hints mean nothing."""
    found: list[exp.Expr] = []
    while not reader.at_end:
        if reader.words("SET_VAR"):
            found.append(SetVarHint(expressions=reader.wrapped_list(lambda: variable(reader, "SESSION"))))
        else:
            reader.skip()
    return exp.Hint(expressions=found) if found else None


def _assign(reader: Reader) -> None:
    if not reader.one_of("=", ":="):
        reader.mismatch("=")


def _value(reader: Reader) -> exp.Expr:
    """An expression; a bare word (ON, DEFAULT, STRICT, utf8mb4) is an exp.Var."""
    if reader.next_ends_item and (reader.at_name() or reader.here in ("ON", "ALL", "DEFAULT", "BINARY")):
        word = reader.skip().text
        return exp.Boolean(this=word.upper() == "TRUE") if word.upper() in ("TRUE", "FALSE") else exp.var(word)
    return reader.value()


def _names(reader: Reader) -> node.SetNames:
    charset = _charset(reader)
    return node.SetNames(this=charset, collate=reader.label() if reader.words("COLLATE") else None)


def _charset(reader: Reader) -> str | None:
    reader.words("=")
    if reader.words("DEFAULT"):
        return None
    return "binary" if reader.words("BINARY") else reader.label()


def begin(reader: Reader) -> node.Begin:
    """BEGIN [WORK] [WITH LABEL l], START TRANSACTION."""
    reader.words("WORK")
    if reader.words("WITH", "LABEL"):
        return node.Begin(label=reader.name())
    return node.Begin()


def start_transaction(reader: Reader) -> node.Begin:
    """START TRANSACTION [READ ONLY | READ WRITE | WITH CONSISTENT SNAPSHOT]."""
    mode = reader.one_of("READ ONLY", "READ WRITE", "WITH CONSISTENT SNAPSHOT")
    begun = begin(reader)
    begun.set("read_only", mode == "READ ONLY" or None)
    return begun


def commit(reader: Reader) -> exp.Commit:
    """COMMIT [WORK] [AND NO CHAIN] [NO RELEASE]."""
    _completion(reader)
    return exp.Commit()


def rollback(reader: Reader) -> exp.Rollback:
    """ROLLBACK [WORK] [AND NO CHAIN] [NO RELEASE]."""
    _completion(reader)
    return exp.Rollback()


def _completion(reader: Reader) -> None:
    reader.words("WORK")
    reader.words("AND", "NO", "CHAIN")
    reader.words("NO", "RELEASE")


def lock_tables(reader: Reader) -> node.LockTables:
    """LOCK TABLES t [AS alias] READ [LOCAL] | [LOW_PRIORITY] WRITE, …"""
    return node.LockTables(tables=reader.comma_list(lambda: _locked(reader)))


def _locked(reader: Reader) -> exp.Table:
    table = reader.table()
    if reader.words("AS"):
        reader.label()
    if reader.words("READ"):
        reader.words("LOCAL")
    elif not (reader.words("LOW_PRIORITY", "WRITE") or reader.words("WRITE")):
        reader.mismatch("READ", "WRITE")
    return table


def unlock_tables(reader: Reader) -> node.UnlockTables:
    """UNLOCK TABLES."""
    return node.UnlockTables()


def kill(reader: Reader) -> node.KillStatement:
    """KILL [CONNECTION] n | KILL QUERY n | KILL QUERY 'query id'."""
    kind = reader.one_of("CONNECTION", "QUERY") or "CONNECTION"
    this = reader.string() if reader.at_string() else reader.number()
    return node.KillStatement(this=this, kind=kind)


def admin_set_config(reader: Reader) -> node.AdminSetConfig:
    """ADMIN SET FRONTEND CONFIG ("k" = "v")."""
    return node.AdminSetConfig(properties=reader.pairs())


def admin_set_all_config(reader: Reader) -> node.AdminSetConfig:
    """ADMIN SET ALL FRONTENDS CONFIG ("k" = "v")."""
    return node.AdminSetConfig(properties=reader.pairs(), all=True)


def admin_compact_table(reader: Reader) -> node.AdminCompactTable:
    """ADMIN COMPACT TABLE [db.]t [PARTITION (p, …)] WHERE TYPE = 'BASE' | 'CUMULATIVE'."""
    table, partition = reader.table(), reader.partition_names()
    reader.expect("WHERE", "TYPE", "=")
    return node.AdminCompactTable(this=table, partition=partition, kind=reader.string())
