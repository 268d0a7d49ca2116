"""The table of statements: which words begin which, and which are known by name only.

A statement is a line here and a function of its family's module. What no line knows is a syntax error at the
first word that fits none.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from sql.dialect import node
from sql.dialect.grammar import alter, change, database, index, load, session, show, stream, table, user
from sql.dialect.reader import QUERY_STARTS, Reader

Rule = Callable[[Reader], exp.Expr]


def _query(reader: Reader) -> exp.Expr:
    """A query as a statement of its own, where INTO OUTFILE may follow (Doris: SELECT INTO OUTFILE)."""
    found = reader.query()
    return _named("SELECT … INTO OUTFILE")(reader) if reader.sees("INTO", "OUTFILE") else found


STATEMENTS: dict[str, Rule] = {
    # queries and changes of rows
    "SELECT": _query,
    "WITH": lambda reader: reader.with_(),
    "(": _query,
    "VALUES": _query,
    "INSERT": change.insert,
    "UPDATE": change.update,
    "DELETE": change.delete,
    "EXPLAIN": show.describe,
    "DESCRIBE": show.describe,
    "DESC": show.describe,
    # objects
    "CREATE DATABASE": database.create_database,
    "CREATE SCHEMA": database.create_database,
    "CREATE TABLE": table.create_table,
    "CREATE TEMPORARY TABLE": table.create_temporary_table,
    "CREATE EXTERNAL TABLE": table.create_external_table,
    "CREATE VIEW": table.create_view,
    "CREATE OR REPLACE VIEW": table.replace_view,
    "CREATE STREAM": stream.create_stream,
    "CREATE OR REPLACE STREAM": stream.replace_stream,
    "CREATE INDEX": index.create_index,
    "CREATE USER": user.create_user,
    "CREATE ROLE": user.create_role,
    "CREATE ROUTINE LOAD": load.routine_load,
    "ALTER DATABASE": database.alter_database,
    "ALTER TABLE": alter.alter_table,
    "ALTER STREAM": stream.alter_stream,
    "ALTER VIEW": table.alter_view,
    "ALTER USER": user.alter_user,
    "DROP DATABASE": database.drop_database,
    "DROP SCHEMA": database.drop_database,
    "DROP TABLE": table.drop_table,
    "DROP VIEW": table.drop_view,
    "DROP STREAM": stream.drop_stream,
    "DROP INDEX": index.drop_index,
    "DROP USER": user.drop_user,
    "DROP ROLE": user.drop_role,
    "BUILD INDEX": index.build_index,
    "TRUNCATE TABLE": table.truncate,
    "RECOVER": database.recover,
    "GRANT": user.grant,
    "REVOKE": user.revoke,
    # session, administration, loads
    "SHOW": show.show,
    "ADMIN SHOW": show.admin_show,
    "USE": database.use,
    "SWITCH": database.switch,
    "SET": session.set_,
    "BEGIN": session.begin,
    "START TRANSACTION": session.start_transaction,
    "COMMIT": session.commit,
    "ROLLBACK": session.rollback,
    "KILL": session.kill,
    "LOCK TABLES": session.lock_tables,
    "UNLOCK TABLES": session.unlock_tables,
    "ADMIN SET FRONTEND CONFIG": session.admin_set_config,
    "ADMIN SET ALL FRONTENDS CONFIG": session.admin_set_all_config,
    "ADMIN COMPACT TABLE": session.admin_compact_table,
    "LOAD LABEL": load.broker_load,
}

# Statements of Doris and of MySQL's tools that are known by name; the rest of their text is not read.
NAMED = (
    "ADMIN CANCEL", "ADMIN CHECK TABLET", "ADMIN CLEAN TRASH", "ADMIN COPY TABLET",
    "ADMIN REBALANCE DISK", "ADMIN REPAIR TABLE", "ADMIN SET", "ALTER CATALOG", "ALTER COLOCATE GROUP", "ALTER JOB",
    "ALTER MATERIALIZED VIEW", "ALTER RESOURCE", "ALTER ROLE", "ALTER ROUTINE LOAD", "ALTER SQL_BLOCK_RULE",
    "ALTER STORAGE POLICY", "ALTER STORAGE VAULT", "ALTER SYSTEM", "ALTER WORKLOAD GROUP",
    "ALTER WORKLOAD POLICY", "ANALYZE DATABASE", "ANALYZE TABLE", "BACKUP", "CALL", "CANCEL ALTER TABLE",
    "CANCEL BACKUP", "CANCEL BUILD INDEX", "CANCEL DECOMMISSION", "CANCEL EXPORT", "CANCEL LOAD",
    "CANCEL MATERIALIZED VIEW TASK", "CANCEL RESTORE", "CANCEL TASK", "CLEAN LABEL", "CLEAN PROFILE", "COPY INTO",
    "CREATE AGGREGATE FUNCTION", "CREATE ALIAS FUNCTION", "CREATE CATALOG", "CREATE ENCRYPTKEY",
    "CREATE EXTERNAL RESOURCE", "CREATE FILE", "CREATE FUNCTION", "CREATE GLOBAL", "CREATE JOB",
    "CREATE MATERIALIZED VIEW", "CREATE REPOSITORY", "CREATE RESOURCE", "CREATE ROW POLICY", "CREATE SQL_BLOCK_RULE",
    "CREATE STAGE", "CREATE STORAGE POLICY", "CREATE STORAGE VAULT", "CREATE TABLES FUNCTION",
    "CREATE WORKLOAD GROUP", "CREATE WORKLOAD POLICY", "DEALLOCATE PREPARE", "DROP CATALOG", "DROP ENCRYPTKEY",
    "DROP EXPIRED STATS", "DROP FILE", "DROP FUNCTION", "DROP GLOBAL FUNCTION", "DROP JOB",
    "DROP MATERIALIZED VIEW", "DROP PREPARE", "DROP REPOSITORY", "DROP RESOURCE", "DROP ROW POLICY",
    "DROP SQL_BLOCK_RULE", "DROP STAGE", "DROP STATS", "DROP STORAGE POLICY", "DROP WORKLOAD GROUP",
    "DROP WORKLOAD POLICY", "EXECUTE", "EXPORT TABLE", "HELP", "INSTALL PLUGIN", "KILL ANALYZE", "LOAD DATA",
    "LOAD DATA LOCAL", "MERGE INTO", "PAUSE ALL ROUTINE LOAD", "PAUSE JOB",
    "PAUSE MATERIALIZED VIEW JOB", "PAUSE ROUTINE LOAD", "PREPARE", "REFRESH CATALOG", "REFRESH DATABASE",
    "REFRESH LDAP", "REFRESH MATERIALIZED VIEW", "REFRESH TABLE", "RELEASE SAVEPOINT", "REPLACE INTO", "RESTORE",
    "RESUME ALL ROUTINE LOAD", "RESUME JOB", "RESUME MATERIALIZED VIEW JOB", "RESUME ROUTINE LOAD",
    "ROLLBACK TO", "ROLLBACK TO SAVEPOINT", "ROLLBACK WORK TO", "SAVEPOINT", "STOP ROUTINE LOAD", "SYNC",
    "UNINSTALL PLUGIN", "UNSET", "WARM UP",
)  # fmt: skip


def _named(words: str) -> Rule:
    def read(reader: Reader) -> exp.Expr:
        reader.skip_all()
        return node.Named(kind=words)

    return read


def _by_first_word() -> dict[str, list[tuple[tuple[str, ...], Rule]]]:
    """The statements by their first word, longer phrases before shorter ones."""
    rules = {**{words: _named(words) for words in NAMED}, **STATEMENTS}
    table: dict[str, list[tuple[tuple[str, ...], Rule]]] = {}
    for words in sorted(rules, key=lambda phrase: -phrase.count(" ")):
        table.setdefault(words.split()[0], []).append((tuple(words.split()), rules[words]))
    return table


_BY_FIRST_WORD = _by_first_word()


def statement(reader: Reader) -> exp.Expr:
    """Read one whole statement; a query is read from its first word on, all others from behind their words."""
    first = reader.here
    candidates = _BY_FIRST_WORD.get(first, [])
    for words, rule in candidates:
        if first in QUERY_STARTS or reader.words(*words):
            return rule(reader)
    if candidates:
        reader.skip()  # the first word that fits no statement is the second one, as in ``CREATE FOO``
    seconds = {words[1] for words, _ in candidates if len(words) > 1}
    reader.mismatch(*sorted(seconds or _BY_FIRST_WORD))
