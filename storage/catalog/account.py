"""Users, roles and what is granted to them, as frozen values of the catalog.

A grant names its object, it does not point at it: it holds for a table that is made again under the
same name (Doris: GRANT). Passwords exist only as hashes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

ANY = "*"


class Level(Enum):
    """What a grant may hold for, from `*.*.*` to one table, view or stream."""

    GLOBAL = "global"
    CATALOG = "catalog"
    DATABASE = "database"
    TABLE = "table"


@dataclass(frozen=True, slots=True, order=True)
class Grant:
    """One privilege on `database.table`; ANY stands for all of them.

    `catalog` tells a grant on `internal.*.*` from one on `*.*.*`, which the lists keep apart; it is ANY for others.
    """

    privilege: str
    database: str = ANY
    table: str = ANY
    catalog: str = ANY

    @property
    def level(self) -> Level:
        """How much the grant holds for."""
        if self.table != ANY:
            return Level.TABLE
        if self.database != ANY:
            return Level.DATABASE
        return Level.GLOBAL if self.catalog == ANY else Level.CATALOG

    def covers(self, privilege: str, database: str, table: str) -> bool:
        """Whether this grant gives `privilege` on an object; ANY as the asked object wants the whole level."""
        return self.privilege == privilege and self.database in (ANY, database) and self.table in (ANY, table)


@dataclass(frozen=True, slots=True)
class User:
    """A user identity 'name'@'host'; `password` is hex SHA1(SHA1(password)), empty without one."""

    id: int
    name: str
    host: str = "%"
    password: str = ""
    grants: frozenset[Grant] = frozenset()
    roles: tuple[str, ...] = ()
    comment: str = ""

    def __str__(self) -> str:
        return f"'{self.name}'@'{self.host}'"


@dataclass(frozen=True, slots=True)
class Role:
    """A named set of grants."""

    id: int
    name: str
    grants: frozenset[Grant] = frozenset()
    comment: str = ""


NODE, ADMIN = "NODE_PRIV", "ADMIN_PRIV"

# What every installation has; a stored user of the same identity takes the place of a first one.
OPERATOR_ROLE = Role(-1, "operator", frozenset({Grant(NODE), Grant(ADMIN)}))
ADMIN_ROLE = Role(-2, "admin", frozenset({Grant(ADMIN)}))
FIRST_ROLES = (ADMIN_ROLE, OPERATOR_ROLE)
ROOT = "root"
FIRST_USERS = (User(-1, ROOT, roles=(OPERATOR_ROLE.name,)), User(-2, "admin", roles=(ADMIN_ROLE.name,)))


@dataclass(frozen=True, slots=True)
class Accounts:
    """All stored users and roles by id."""

    users: Mapping[int, User] = field(default_factory=dict)
    roles: Mapping[int, Role] = field(default_factory=dict)

    def all_users(self) -> list[User]:
        """Stored users and the first ones that were not changed, by identity."""
        stored = {(user.name, user.host) for user in self.users.values()}
        first = [user for user in FIRST_USERS if (user.name, user.host) not in stored]
        return sorted([*first, *self.users.values()], key=lambda user: (user.name, user.host))

    def user(self, name: str, host: str) -> User | None:
        """The user of exactly this identity."""
        return next((user for user in self.all_users() if (user.name, user.host) == (name, host)), None)

    def all_roles(self) -> list[Role]:
        """The first roles, then the stored ones."""
        return [*FIRST_ROLES, *self.roles.values()]

    def role(self, name: str) -> Role | None:
        return next((role for role in self.all_roles() if role.name == name), None)

    def grants_of(self, user: User) -> frozenset[Grant]:
        """Own grants and those of the user's roles."""
        roles = (role.grants for name in user.roles if (role := self.role(name)) is not None)
        return user.grants.union(*roles)
