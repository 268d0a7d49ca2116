"""SHOW and DESCRIBE: a table of what can be shown and how each names its object."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from sql.dialect import node
from sql.dialect.grammar.user import user
from sql.dialect.reader import Reader

# What may stand behind the words: nothing; "c" [FROM catalog]; "d" [FROM db]; "t" FROM table [FROM db]; "p" the same
# with [PARTITION]; "P" [FROM table [FROM db] [PARTITION]]; "u" [FOR user]; "j" [FOR job]; and then LIKE, WHERE,
# ORDER BY and LIMIT. Without those: "n" a table name; "i" an identifier; "s" a string; "#" a number; "*" anything.
SHOWS = {
    "ALL GRANTS": "", "ALL ROUTINE LOAD": "j", "ALTER TABLE COLUMN": "d", "ALTER TABLE MATERIALIZED VIEW": "d",
    "ALTER TABLE ROLLUP": "d", "ANALYZE": "*", "BACKEND CONFIG": "", "BACKENDS": "", "BACKUP": "*", "BROKER": "",
    "BUILD INDEX": "d", "BUILTIN FUNCTIONS": "d", "CATALOG": "i", "CATALOG RECYCLE BIN": "",
    "CATALOGS": "", "CHARACTER SET": "", "CHARSET": "",
    "COLLATION": "", "COLUMN STATS": "*", "COLUMNS": "t", "COUNT ( * ) ERRORS": "", "COUNT ( * ) WARNINGS": "",
    "CREATE CATALOG": "i", "CREATE DATABASE": "i", "CREATE FUNCTION": "*", "CREATE LOAD": "*", "CREATE JOB": "i",
    "CREATE MATERIALIZED VIEW": "n", "CREATE REPOSITORY": "*", "CREATE ROUTINE LOAD": "n", "CREATE SCHEMA": "i",
    "CREATE STREAM": "n", "CREATE TABLE": "n", "CREATE USER": "*", "CREATE VIEW": "n", "DATA": "P", "DATA SKEW": "p",
    "DATABASES": "c", "DATABASE ID": "#", "DELETE": "d", "DYNAMIC PARTITION TABLES": "d", "ENCRYPTKEYS": "*",
    "ENGINES": "", "ERRORS": "", "EVENTS": "d", "EXPORT": "*", "FIELDS": "t", "FRONTEND CONFIG": "", "FRONTENDS": "",
    "FUNCTION STATUS": "", "FUNCTIONS": "d", "GLOBAL FUNCTIONS": "", "GRANTS": "u", "INDEX": "t", "INDEXES": "t",
    "INVALID ROUTINE LOAD": "*", "KEYS": "t", "LAST INSERT": "", "LOAD": "d", "LOAD PROFILE": "*",
    "LOAD WARNINGS": "*", "OPEN TABLES": "d", "PARTITION": "#", "PARTITIONS": "t", "PLUGINS": "", "PRIVILEGES": "",
    "PROC": "s", "PROCEDURE STATUS": "", "PROCESSLIST": "", "PROFILE": "*", "PROPERTY": "u", "QUERY PROFILE": "*",
    "QUERY STATS": "*", "REPLICA DISTRIBUTION": "*", "REPLICA STATUS": "*", "REPOSITORIES": "", "RESOURCES": "",
    "RESTORE": "*", "ROLES": "", "ROUTINE LOAD": "j", "ROUTINE LOAD TASK": "d", "SCHEMAS": "c", "SNAPSHOT": "*",
    "SQL_BLOCK_RULE": "*", "STAGES": "", "STATUS": "", "STORAGE ENGINES": "", "STORAGE POLICY": "*",
    "STREAM LOAD": "d", "STREAMS": "d", "SYNC JOB": "d", "TABLE ID": "#", "TABLE STATS": "*", "TABLE STATUS": "d",
    "TABLES": "d", "TABLET": "#", "TABLETS": "p", "TEMPORARY PARTITIONS": "t", "TRANSACTION": "d", "TRASH": "*",
    "TRIGGERS": "d", "TYPECAST": "d", "VARIABLES": "", "VIEW": "t", "VIEWS": "d", "WARM UP JOB": "*", "WARNINGS": "",
    "WORKLOAD GROUPS": "",
}  # fmt: skip
SYNONYMS = {
    "CHARSET": "CHARACTER SET", "COUNT ( * ) ERRORS": "COUNT(*) ERRORS", "COUNT ( * ) WARNINGS": "COUNT(*) WARNINGS",
    "CREATE SCHEMA": "CREATE DATABASE", "FIELDS": "COLUMNS", "INDEXES": "INDEX", "KEYS": "INDEX",
    "SCHEMAS": "DATABASES", "STORAGE ENGINES": "ENGINES",
}  # fmt: skip
FULL = frozenset(("BUILTIN FUNCTIONS", "COLUMNS", "FIELDS", "FUNCTIONS", "PROCESSLIST", "TABLES", "TRIGGERS", "VIEWS"))
SCOPED = frozenset(("STATUS", "VARIABLES"))
OF_ADMIN = ("BACKEND CONFIG", "FRONTEND CONFIG", "REPLICA DISTRIBUTION", "REPLICA STATUS")  # ADMIN may stand before
_LONGEST_FIRST = sorted(SHOWS, key=lambda words: -words.count(" "))
EXPLAIN_STYLES = ("VERBOSE", "TREE", "GRAPH", "PARSED", "ANALYZED", "REWRITTEN", "LOGICAL", "OPTIMIZED", "PHYSICAL",
                  "SHAPE", "MEMO", "DISTRIBUTED", "ALL")  # fmt: skip
EXPLAINED = ("SELECT", "WITH", "(", "INSERT", "UPDATE", "DELETE", "CREATE", "REFRESH")


def show(reader: Reader) -> exp.Show:
    """SHOW [FULL] [GLOBAL | SESSION | LOCAL] words object [LIKE] [WHERE] [ORDER BY] [LIMIT]."""
    start, full = reader.mark(), reader.flag("FULL")
    scope = None if reader.sees("GLOBAL", "FUNCTIONS") else reader.one_of("GLOBAL", "SESSION", "LOCAL")
    words = reader.one_of(*_LONGEST_FIRST) or reader.stuck()
    if (full and words not in FULL) or (scope and words not in SCOPED):
        reader.back(start)
        reader.stuck()
    shown = exp.Show(this=SYNONYMS.get(words, words), full=full, global_=scope == "GLOBAL" or None)
    kind = SHOWS[words]
    _OBJECTS[kind](reader, shown)
    if kind not in _WITHOUT_TAIL:
        _tail(reader, shown)
    return shown


def admin_show(reader: Reader) -> exp.Show:
    """ADMIN SHOW of what administrators alone may see."""
    if not any(reader.sees(*words.split()) for words in OF_ADMIN):
        reader.mismatch(*OF_ADMIN)
    return show(reader)


def _tail(reader: Reader, shown: exp.Show) -> None:
    if reader.words("LIKE"):
        shown.set("like", reader.string())
    shown.set("where", reader.where())
    shown.set("order", reader.order())
    limit, offset = reader.limit()
    shown.set("limit", limit)
    shown.set("offset", offset)


def _database(reader: Reader, shown: exp.Show) -> None:
    if reader.one_of("FROM", "IN"):
        database = _database_name(reader)
        shown.set("db", database.this)
        shown.set("catalog", database.args.get("db"))


def _database_name(reader: Reader) -> exp.Table:
    """[catalog.]db, each a step to the left of where a table has them."""
    database = reader.table()
    return database if database.args.get("catalog") is None else reader.stuck()


def _catalog(reader: Reader, shown: exp.Show) -> None:
    if reader.one_of("FROM", "IN"):
        shown.set("db", reader.name())


def _table(reader: Reader, shown: exp.Show) -> None:
    if not reader.one_of("FROM", "IN"):
        reader.mismatch("FROM", "IN")
    target = reader.table()
    if reader.one_of("FROM", "IN"):
        database = _database_name(reader)
        target.set("db", database.this)
        target.set("catalog", database.args.get("db"))
    shown.set("target", target)


def _partitions(reader: Reader, shown: exp.Show) -> None:
    _table(reader, shown)
    shown.set("partition", reader.partition_names())


def _optional_table(reader: Reader, shown: exp.Show) -> None:
    """SHOW DATA FROM names a table; FROM db.* does not exist in Doris."""
    if reader.sees("FROM") or reader.sees("IN"):
        _partitions(reader, shown)


def _for_user(reader: Reader, shown: exp.Show) -> None:
    if reader.words("FOR"):
        shown.set("for_user", user(reader))


def _for_job(reader: Reader, shown: exp.Show) -> None:
    if reader.words("FOR"):
        shown.set("target", reader.table())
    else:
        _database(reader, shown)


def _target(read: Callable[[Reader], exp.Expr]) -> Callable[[Reader, exp.Show], None]:
    return lambda reader, shown: shown.set("target", read(reader))


_WITHOUT_TAIL = frozenset("nis#*")
_OBJECTS: dict[str, Callable[[Reader, exp.Show], None]] = {
    "": lambda reader, shown: None,
    "c": _catalog,
    "d": _database,
    "t": _table,
    "p": _partitions,
    "P": _optional_table,
    "n": _target(Reader.table),
    "i": _target(Reader.name),
    "u": _for_user,
    "j": _for_job,
    "s": _target(Reader.string),
    "#": _target(Reader.number),
    "*": lambda reader, shown: reader.skip_all(),
}


def describe(reader: Reader) -> exp.Expr:
    """DESC | DESCRIBE | EXPLAIN: of a query, a table function, or a table with [ALL]."""
    if reader.words("FUNCTION"):
        return node.DescribeFunction(this=reader.value())
    explained = _explain(reader)
    if explained is not None:
        return explained
    reader.words("TABLE")
    table = reader.table()
    if reader.words("ALL"):
        return node.DescribeAll(this=table)
    return exp.Describe(this=table, partition=reader.partition_names())


def _explain(reader: Reader) -> node.Explain | None:
    start = reader.mark()
    style = reader.one_of(*EXPLAIN_STYLES)
    reader.one_of("PLAN", "PROCESS")
    if reader.here in EXPLAINED and not reader.follows(TokenType.DOT):
        return node.Explain(this=reader.statement(), style=style)
    reader.back(start)
    return None
