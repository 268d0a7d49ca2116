"""Node classes of the Doris statements that sqlglot lacks.

Data only: no parsing, no catalog, no SQL text. Parts of statements (partitions, key clauses, table modifiers, types)
are in clause.py, the actions of ALTER TABLE in alter.py, what binding puts into a tree in bound.py.

Conventions of all four: a table, stream or view is an `exp.Table` with its db and catalog; a plain name is an
`exp.Identifier`; `properties` is an `exp.Properties` of string pairs, read with `clause.pairs`; a flag is True or
absent. `title` names a statement for messages.

Statements that sqlglot has keep its classes: exp.Create (kind TABLE, DATABASE, VIEW, MATERIALIZED
VIEW), exp.Drop (kind; `force`), exp.TruncateTable, exp.Insert (+ `label`), exp.Update, exp.Delete,
exp.Use, exp.Set, exp.Describe, exp.Commit, exp.Rollback, the queries, and exp.Show, whose `this` is
the SHOW's words in capitals without FULL, GLOBAL and SESSION.
"""

from __future__ import annotations

from typing import ClassVar

from sqlglot import exp

from sql.dialect.clause import Part


class Statement(Part):
    """A statement of Doris; `TITLE` is its name for messages."""

    TITLE: ClassVar[str] = ""

    def __init_subclass__(
        cls, title: str = "", needs: str | None = None, may: str | None = None, **rest: object
    ) -> None:
        cls.TITLE = title
        super().__init_subclass__(needs, may, **rest)


class Named(Statement, needs="kind"):
    """A statement known by its first words (`kind`) only; the rest is not parsed."""


# -- streams -------------------------------------------------------------------------------------
class CreateStream(Statement, title="CREATE STREAM", needs="this base", may="exists replace comment properties"):
    """CREATE [OR REPLACE] STREAM [IF NOT EXISTS] this ON TABLE base [COMMENT] [PROPERTIES]; `comment` is a Literal."""


class AlterStream(Statement, title="ALTER STREAM", may="comment properties"):
    """ALTER STREAM this SET COMMENT comment | SET properties."""


class DropStream(Statement, title="DROP STREAM", may="exists force"):
    """DROP STREAM [IF EXISTS] this [FORCE]."""


class AlterView(Statement, title="ALTER VIEW", may="expression comment"):
    """ALTER VIEW this AS expression | MODIFY COMMENT comment; `this` is a Schema where columns are listed."""


# -- databases, tables, indexes, recycle bin -----------------------------------------------------
class AlterDatabase(Statement, title="ALTER DATABASE", may="properties to quota"):
    """ALTER DATABASE this SET PROPERTIES properties | RENAME to | SET QUOTA (`quota`: its words)."""


class Recover(Statement, title="RECOVER", needs="kind this", may="id to table"):
    """RECOVER DATABASE | TABLE | PARTITION (`kind`) this [id] [AS to] [FROM table]; `table` only for a partition."""


class CreateIndex(
    Statement, title="CREATE INDEX", needs="this table expressions", may="exists method properties comment"
):
    """CREATE INDEX [IF NOT EXISTS] this ON table (expressions) [USING method] [properties] [comment]."""


class DropIndex(Statement, title="DROP INDEX", needs="this table", may="exists"):
    """DROP INDEX [IF EXISTS] this ON table."""


class BuildIndex(Statement, title="BUILD INDEX", needs="table", may="this partition"):
    """BUILD INDEX [this] ON table [PARTITION …]."""


class AlterTable(Statement, title="ALTER TABLE", needs="this actions"):
    """ALTER TABLE this action, …; `actions` are classes of alter.py."""


# -- session, queries, administration ------------------------------------------------------------
class Begin(Statement, title="BEGIN", needs="", may="label read_only"):
    """BEGIN | START TRANSACTION [WITH LABEL label], READ ONLY as `read_only`."""


class Explain(Statement, title="EXPLAIN", may="style"):
    """EXPLAIN | DESC [style] [PLAN] this (a query or DML statement); `style` is VERBOSE, TREE, … in capitals."""


class DescribeAll(Statement, title="DESC ALL"):
    """DESC this ALL."""


class DescribeFunction(Statement, title="DESC FUNCTION"):
    """DESC FUNCTION this (a table function call)."""


class Switch(Statement, title="SWITCH"):
    """SWITCH this (a catalog)."""


class LockTables(Statement, title="LOCK TABLES", needs="tables"):
    """LOCK TABLES `tables`; how each is to be locked is not kept."""


class UnlockTables(Statement, title="UNLOCK TABLES", needs=""):
    """UNLOCK TABLES."""


class KillStatement(Statement, title="KILL", needs="this kind"):
    """KILL [CONNECTION] this | KILL QUERY this; `kind` CONNECTION or QUERY, `this` a number or query id Literal."""


class AdminSetConfig(Statement, title="ADMIN SET FRONTEND CONFIG", needs="properties", may="all"):
    """ADMIN SET FRONTEND CONFIG properties | ADMIN SET ALL FRONTENDS CONFIG properties."""


class AdminCompactTable(Statement, title="ADMIN COMPACT TABLE", needs="this kind", may="partition"):
    """ADMIN COMPACT TABLE this [partition] WHERE TYPE = kind, a Literal."""


class SetVariable(Part, needs="this expression scope"):
    """An item of exp.Set: [scope] this = expression; `this` a lower-case str, `scope` SESSION or GLOBAL.

    A bare word (ON, DEFAULT, UPDATE_FLEXIBLE_COLUMNS) is an exp.Var.
    """


class SetUserVariable(Part, needs="this expression"):
    """An item of exp.Set: @this = expression; `this` a lower-case str."""


class SetNames(Part, needs="", may="this collate"):
    """An item of exp.Set: NAMES this [COLLATE collate]; both str, `this` None for DEFAULT."""


class SetCharacterSet(Part, needs="", may="this"):
    """An item of exp.Set: CHARACTER SET this; str, None for DEFAULT."""


class SetTransaction(Part, needs="modes scope"):
    """An item of exp.Set: [scope] TRANSACTION modes; `modes` a list of str such as READ ONLY."""


# -- users ---------------------------------------------------------------------------------------
class User(Part, needs="host", may="this current"):
    """'this'@'host' or CURRENT_USER() (`current`); both str, host defaults to %."""


class CreateUser(Statement, title="CREATE USER", may="exists password hashed role options comment"):
    """CREATE USER [IF NOT EXISTS] this [password, hashed] [role] [options] [comment]; options as properties."""


class AlterUser(CreateUser, title="ALTER USER"):
    """ALTER USER [IF EXISTS] this …, arguments as CREATE USER."""


class DropUser(Statement, title="DROP USER", may="exists"):
    """DROP USER [IF EXISTS] this."""


class CreateRole(Statement, title="CREATE ROLE", may="exists comment"):
    """CREATE ROLE [IF NOT EXISTS] this (str) [comment]."""


class DropRole(Statement, title="DROP ROLE", may="exists"):
    """DROP ROLE [IF EXISTS] this (str)."""


class Grant(Statement, title="GRANT", needs="", may="expressions level roles user role"):
    """GRANT expressions (Privilege) ON level (Level) TO user | role; or GRANT roles (list of str) TO user."""


class Revoke(Grant, title="REVOKE"):
    """REVOKE … FROM …, arguments as GRANT."""


class Privilege(Part, may="expressions"):
    """this (str, capitals) [(expressions: columns)]."""


class Level(Part, needs="", may="catalog db table kind this"):
    """[kind] catalog.db.table as three str, `*` for all; `kind` RESOURCE, WORKLOAD GROUP, … has its name in `this`."""


class SetPassword(Statement, title="SET PASSWORD", needs="password", may="user hashed"):
    """SET PASSWORD [FOR user] = password; `hashed` True for a '*HASH' text."""


# -- loads ---------------------------------------------------------------------------------------
class BrokerLoad(
    Statement, title="LOAD LABEL", needs="this expressions", may="source source_properties properties comment"
):
    """LOAD LABEL this (expressions: DataDescription) [WITH source (source_properties)] [properties] [comment]."""


class CreateRoutineLoad(
    Statement, title="CREATE ROUTINE LOAD", needs="this load source source_properties", may="table properties comment"
):
    """CREATE ROUTINE LOAD this [ON table] [load] [properties] FROM source (source_properties) [comment].

    `load` is a clause.LoadClause with merge type, separator, columns, conditions, partitions.
    """


_WORDS: dict[type[exp.Expr], str] = {
    exp.Create: "CREATE",
    exp.Drop: "DROP",
    exp.Show: "SHOW",
    exp.TruncateTable: "TRUNCATE TABLE",
}


def title(node: exp.Expr) -> str:
    """Name a statement as its user would: ``CREATE ROUTINE LOAD``, ``SHOW TABLES``."""
    if isinstance(node, Named):
        return str(node.args["kind"])
    if isinstance(node, Statement):
        return node.TITLE
    detail = node.this if isinstance(node, exp.Show) else node.args.get("kind")
    return f"{_WORDS.get(type(node), node.key.upper())} {detail or ''}".strip()
