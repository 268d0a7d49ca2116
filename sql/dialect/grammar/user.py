"""Users, roles, passwords and privileges (Doris: CREATE USER, GRANT)."""

from __future__ import annotations

from typing import TypeVar

from sqlglot import exp

from sql.dialect import node
from sql.dialect.reader import Reader

U = TypeVar("U", bound=node.CreateUser)
G = TypeVar("G", bound=node.Grant)

_LEVEL_KINDS = ("RESOURCE", "WORKLOAD GROUP", "CLUSTER", "COMPUTE GROUP", "STAGE", "STORAGE VAULT")
_OPTIONS = (
    "PASSWORD_HISTORY", "PASSWORD_EXPIRE", "PASSWORD_REUSE", "FAILED_LOGIN_ATTEMPTS", "PASSWORD_LOCK_TIME",
    "ACCOUNT_LOCK", "ACCOUNT_UNLOCK",
)  # fmt: skip


def user(reader: Reader) -> node.User:
    """'u'[@'host' | @['domain']] or CURRENT_USER()."""
    if reader.words("CURRENT_USER"):
        reader.words("(", ")")
        return node.User(host="%", current=True)
    name = reader.label()
    if not reader.words("@"):
        return node.User(this=name, host="%")
    if reader.words("["):
        host = reader.label()
        reader.expect("]")
        return node.User(this=name, host=f"[{host}]")
    return node.User(this=name, host="%" if reader.words("%") else reader.label())


def create_user(reader: Reader) -> node.CreateUser:
    """CREATE USER [IF NOT EXISTS] u [IDENTIFIED BY [PASSWORD] '…'] [DEFAULT ROLE 'r'] [options] [COMMENT '…']."""
    return _options(reader, node.CreateUser(exists=reader.if_not_exists(), this=user(reader)))


def alter_user(reader: Reader) -> node.AlterUser:
    """ALTER USER [IF EXISTS] u …, as CREATE USER, but without a role."""
    return _options(reader, node.AlterUser(exists=reader.if_exists(), this=user(reader)))


def _options(reader: Reader, made: U) -> U:
    if reader.words("IDENTIFIED"):
        reader.expect("BY")
        made.set("hashed", reader.flag("PASSWORD"))
        made.set("password", reader.string())
    if not isinstance(made, node.AlterUser) and reader.words("DEFAULT"):
        reader.expect("ROLE")
        made.set("role", reader.label())
    made.set("options", _policies(reader))
    made.set("comment", reader.comment())
    return made


def _policies(reader: Reader) -> exp.Properties | None:
    """PASSWORD_EXPIRE INTERVAL 1 DAY and the like: the words behind each, as they stand."""
    found = []
    while policy := reader.one_of(*_OPTIONS):
        words = []
        while not (reader.at_end or reader.sees("COMMENT") or reader.here in _OPTIONS):
            words.append(reader.skip().text)
        found.append(exp.Property(this=exp.Literal.string(policy), value=exp.Literal.string(" ".join(words))))
    return exp.Properties(expressions=found) if found else None


def drop_user(reader: Reader) -> node.DropUser:
    """DROP USER [IF EXISTS] u."""
    return node.DropUser(exists=reader.if_exists(), this=user(reader))


def create_role(reader: Reader) -> node.CreateRole:
    """CREATE ROLE [IF NOT EXISTS] r [COMMENT '…']."""
    exists, name = reader.if_not_exists(), reader.label()
    return node.CreateRole(this=name, exists=exists, comment=reader.comment())


def drop_role(reader: Reader) -> node.DropRole:
    """DROP ROLE [IF EXISTS] r."""
    return node.DropRole(exists=reader.if_exists(), this=reader.label())


def grant(reader: Reader) -> node.Grant:
    """GRANT privileges ON level TO user | ROLE 'r', or GRANT r, … TO user."""
    return _grant(reader, node.Grant, "TO")


def revoke(reader: Reader) -> node.Revoke:
    """REVOKE … FROM …, as GRANT."""
    return _grant(reader, node.Revoke, "FROM")


def _grant(reader: Reader, kind: type[G], preposition: str) -> G:
    privileges = reader.comma_list(lambda: _privilege(reader))
    if reader.words(preposition):
        return kind(roles=[str(role.this) for role in privileges], user=user(reader))
    reader.expect("ON")
    level = _level(reader)
    reader.expect(preposition)
    if reader.words("ROLE"):
        return kind(expressions=privileges, level=level, role=reader.label())
    return kind(expressions=privileges, level=level, user=user(reader))


def _privilege(reader: Reader) -> node.Privilege:
    word = reader.words("ALL") and "ALL"
    if word:
        reader.words("PRIVILEGES")
    columns = None
    name = word or reader.label()
    if reader.sees("("):
        columns = reader.names()
    return node.Privilege(this=name, expressions=columns)


def _level(reader: Reader) -> node.Level:
    kind = reader.one_of(*_LEVEL_KINDS)
    if kind:
        return node.Level(kind=kind, this=reader.label())
    parts = [_part(reader)]
    while reader.words(".") and len(parts) < 3:
        parts.append(_part(reader))
    if len(parts) == 1:
        parts.append("*")
    catalog, database, table = ["internal", *parts][-3:]
    return node.Level(catalog=catalog, db=database, table=table)


def _part(reader: Reader) -> str:
    return "*" if reader.words("*") else reader.name().name


def set_password(reader: Reader) -> node.SetPassword:
    """SET PASSWORD [FOR u] = PASSWORD('x') | '*HASH'."""
    of = user(reader) if reader.words("FOR") else None
    reader.expect("=")
    if reader.words("PASSWORD"):
        return node.SetPassword(user=of, password=reader.wrapped(reader.string))
    return node.SetPassword(user=of, password=reader.string(), hashed=True)
