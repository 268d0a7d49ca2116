"""Users, roles and grants as catalog changes. Pure. Source: Doris: CREATE USER, CREATE ROLE, GRANT, REVOKE."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from itertools import pairwise

from sqlglot import exp

from sql.bind.name import check_catalog
from sql.dialect import node
from sql.privilege import ALL, GROUPS
from storage.catalog.account import ADMIN, ANY, NODE, Grant
from storage.errors import PASSWORD_HASH, PRIVILEGE_LEVEL, PRIVILEGE_PATTERN, UNKNOWN_PRIVILEGE

_HASH = re.compile(r"\*[0-9A-Fa-f]{40}")


def password_hash(password: str) -> str:
    """hex SHA1(SHA1(password)), empty for an empty password (MySQL: mysql_native_password)."""
    if not password:
        return ""
    inner = hashlib.sha1(password.encode(), usedforsecurity=False).digest()
    return hashlib.sha1(inner, usedforsecurity=False).hexdigest()


def given_password(statement: exp.Expr) -> str:
    """The hash of the password that a statement sets, as text or as `*` and 40 digits."""
    literal = statement.args.get("password")
    if literal is None:
        return ""
    if not statement.args.get("hashed"):
        return password_hash(literal.name)
    if literal.name and not _HASH.fullmatch(literal.name):
        raise PASSWORD_HASH()
    return str(literal.name[1:].lower())


def granted(statement: node.Grant) -> frozenset[Grant]:
    """The grants that a GRANT or REVOKE names, groups spelled out and every level checked."""
    place = _place(statement.args["level"])
    return frozenset(_grant(word, place) for item in statement.expressions for word in _privileges(item))


Place = tuple[str, str, str]


def _place(level: node.Level) -> Place:
    """Catalog, database and table of a level; resources and workload groups are accepted as global."""
    if level.args.get("kind"):
        return ANY, ANY, ANY
    catalog, database, table = (str(level.args[part]) for part in ("catalog", "db", "table"))
    if any(outer == ANY != inner for outer, inner in pairwise((catalog, database, table))):
        raise PRIVILEGE_PATTERN(pattern=f"{catalog}.{database}.{table}")
    if catalog != ANY:
        check_catalog(catalog)
    return catalog, database, table


def _grant(privilege: str, place: Place) -> Grant:
    """The grant; those that only exist for everything are taken on `*.*` too."""
    catalog, database, table = place
    if privilege in (ADMIN, NODE):
        if database != ANY:
            raise PRIVILEGE_LEVEL(privilege=privilege, level=f"{database}.{table}")
        return Grant(privilege)
    return Grant(privilege, database, table, catalog if database == ANY else ANY)


def _privileges(item: node.Privilege) -> Iterable[str]:
    word = str(item.this).upper()
    if item.expressions:
        raise UNKNOWN_PRIVILEGE(privilege=f"{word} on columns")
    if word in GROUPS:
        return GROUPS[word]
    if word not in ALL:
        raise UNKNOWN_PRIVILEGE(privilege=word)
    return (word,)
