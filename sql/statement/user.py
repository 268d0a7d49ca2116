"""Users, roles, grants: CREATE/ALTER/DROP USER, SET PASSWORD, roles, GRANT, REVOKE, SHOW GRANTS.

Passwords are stored as hashes and never shown. Source: Doris: CREATE USER, SET PASSWORD, GRANT, SHOW GRANTS.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sqlglot import exp

from sql.bind.name import CATALOG
from sql.context import Context
from sql.ddl.account import given_password, granted
from sql.ddl.commit import commit, stamp
from sql.dialect import node
from sql.listing import listed, words
from sql.privilege import ALL, GRANT, account, may, require_global
from sql.result import Result
from sql.statement import Call, handles
from storage.catalog.account import ANY, FIRST_USERS, NODE, Grant, Level, Role, User
from storage.catalog.model import Catalog
from storage.errors import (
    FIRST_USER_FIXED,
    NO_SUCH_GRANT,
    PRIVILEGE_NEEDED,
    ROLE_EXISTS,
    ROLE_MISSING,
    USER_EXISTS,
    USER_MISSING,
)


def _identity(user: node.User, context: Context, catalog: Catalog) -> tuple[str, str]:
    """Name and host of 'u'@'h', or of the connection's own user."""
    if user.args.get("current"):
        own = account(catalog, context.user, context.host)
        return (own.name, own.host) if own is not None else (context.user, "%")
    return str(user.this), str(user.args["host"])


def _found(catalog: Catalog, user: node.User, context: Context) -> User:
    name, host = _identity(user, context, catalog)
    found = catalog.accounts.user(name, host)
    if found is None:
        raise USER_MISSING(user=f"'{name}'@'{host}'")
    return found


def _stored(call: Call[exp.Expr], user: User) -> User:
    """A user that may be stored: the first ones get an id when they change."""
    return user if user.id > 0 else replace(user, id=stamp(call.engine, 1).take_id())


@handles(node.CreateUser)
def create_user(call: Call[node.CreateUser]) -> Result:
    """CREATE USER [IF NOT EXISTS] u [IDENTIFIED BY …] [DEFAULT ROLE r] [COMMENT …]."""
    identity, password = stamp(call.engine, 1).take_id(), given_password(call.node)
    role, comment = call.node.args.get("role"), call.node.args.get("comment")

    def change(catalog: Catalog) -> Catalog:
        name, host = _identity(call.node.this, call.context, catalog)
        if catalog.accounts.user(name, host) is not None:
            if call.node.args.get("exists"):
                return catalog
            raise USER_EXISTS(user=f"'{name}'@'{host}'")
        roles = (_role(catalog, role).name,) if role else ()
        text = comment.name if comment is not None else ""
        return catalog.with_user(User(identity, name, host, password, roles=roles, comment=text))

    return commit(call, change)


@handles(node.AlterUser)
def alter_user(call: Call[node.AlterUser]) -> Result:
    """ALTER USER [IF EXISTS] u [IDENTIFIED BY …] [COMMENT …]."""
    comment = call.node.args.get("comment")

    def change(catalog: Catalog) -> Catalog:
        name, host = _identity(call.node.this, call.context, catalog)
        user = catalog.accounts.user(name, host)
        if user is None and call.node.args.get("exists"):
            return catalog
        user = _stored(call, user or _found(catalog, call.node.this, call.context))
        if call.node.args.get("password") is not None:
            user = replace(user, password=given_password(call.node))
        return catalog.with_user(user if comment is None else replace(user, comment=comment.name))

    return commit(call, change)


@handles(node.DropUser)
def drop_user(call: Call[node.DropUser]) -> Result:
    """DROP USER [IF EXISTS] u; root and admin stay."""

    def change(catalog: Catalog) -> Catalog:
        name, host = _identity(call.node.this, call.context, catalog)
        user = catalog.accounts.user(name, host)
        if user is None:
            if call.node.args.get("exists"):
                return catalog
            raise USER_MISSING(user=f"'{name}'@'{host}'")
        if (name, host) in {(first.name, first.host) for first in FIRST_USERS}:
            raise FIRST_USER_FIXED(user=user)
        return catalog.without_user(user.id)

    return commit(call, change)


@handles(node.SetPassword)
def set_password(call: Call[node.SetPassword]) -> Result:
    """SET PASSWORD [FOR u] = …; one's own without privilege."""
    of, password = call.node.args.get("user"), given_password(call.node)
    target = of if of is not None else node.User(host="%", current=True)

    def change(catalog: Catalog) -> Catalog:
        user = _found(catalog, target, call.context)
        if user != account(catalog, call.context.user, call.context.host):
            require_global(catalog, call.context, GRANT)
        return catalog.with_user(replace(_stored(call, user), password=password))

    return commit(call, change)


# -- roles -----------------------------------------------------------------------------------------
def _role(catalog: Catalog, name: str) -> Role:
    found = catalog.accounts.role(name)
    if found is None:
        raise ROLE_MISSING(role=name)
    return found


@handles(node.CreateRole)
def create_role(call: Call[node.CreateRole]) -> Result:
    identity, comment = stamp(call.engine, 1).take_id(), call.node.args.get("comment")

    def change(catalog: Catalog) -> Catalog:
        if catalog.accounts.role(call.node.this) is not None:
            if call.node.args.get("exists"):
                return catalog
            raise ROLE_EXISTS(role=call.node.this)
        return catalog.with_role(Role(identity, call.node.this, comment=comment.name if comment is not None else ""))

    return commit(call, change)


@handles(node.DropRole)
def drop_role(call: Call[node.DropRole]) -> Result:
    """DROP ROLE [IF EXISTS] r; users lose it."""

    def change(catalog: Catalog) -> Catalog:
        role = catalog.accounts.role(call.node.this)
        if role is None and call.node.args.get("exists"):
            return catalog
        catalog = catalog.without_role(_role(catalog, call.node.this).id)
        for user in catalog.accounts.users.values():
            if call.node.this in user.roles:
                kept = tuple(name for name in user.roles if name != call.node.this)
                catalog = catalog.with_user(replace(user, roles=kept))
        return catalog

    return commit(call, change)


# -- grants ----------------------------------------------------------------------------------------
@handles(node.Grant)
def grant(call: Call[node.Grant]) -> Result:
    """GRANT privileges ON level TO user | ROLE r (made if missing); GRANT 'r', … TO user."""
    given, identity = _asked(call), stamp(call.engine, 1).take_id()

    def change(catalog: Catalog) -> Catalog:
        _check_grantor(catalog, call.context, given)
        if call.node.args.get("role"):
            name = call.node.args["role"]
            role = catalog.accounts.role(name) or Role(identity, name)
            return catalog.with_role(replace(role, grants=role.grants | given))
        user = _stored(call, _found(catalog, call.node.args["user"], call.context))
        roles = [_role(catalog, name).name for name in call.node.args.get("roles") or ()]
        held = (*user.roles, *(name for name in roles if name not in user.roles))
        return catalog.with_user(replace(user, grants=user.grants | given, roles=held))

    return commit(call, change)


@handles(node.Revoke)
def revoke(call: Call[node.Revoke]) -> Result:
    """REVOKE what was granted; NO_SUCH_GRANT (1141) for what was not."""
    taken = _asked(call)

    def change(catalog: Catalog) -> Catalog:
        _check_grantor(catalog, call.context, taken)
        if call.node.args.get("role"):
            role = _role(catalog, call.node.args["role"])
            return catalog.with_role(replace(role, grants=role.grants - taken))
        user = _found(catalog, call.node.args["user"], call.context)
        roles = call.node.args.get("roles") or ()
        if taken - user.grants or set(roles) - set(user.roles):
            raise NO_SUCH_GRANT(user=user.name, host=user.host)
        kept = tuple(name for name in user.roles if name not in roles)
        return catalog.with_user(replace(_stored(call, user), grants=user.grants - taken, roles=kept))

    return commit(call, change)


def _asked(call: Call[node.Grant] | Call[node.Revoke]) -> frozenset[Grant]:
    return granted(call.node) if call.node.args.get("level") is not None else frozenset()


def _check_grantor(catalog: Catalog, context: Context, grants: Iterable[Grant]) -> None:
    """GRANT_PRIV on the level, or everywhere; NODE_PRIV is root's alone."""
    for one in grants or (Grant(GRANT),):
        if not may(catalog, context, GRANT, one.database, one.table):
            raise PRIVILEGE_NEEDED(privilege="GRANT")
        if one.privilege == NODE and context.user != "root":
            raise PRIVILEGE_NEEDED(privilege="NODE")


_GRANTS = words(
    "UserIdentity Comment Password Roles GlobalPrivs CatalogPrivs DatabasePrivs TablePrivs ColPrivs ResourcePrivs "
    "WorkloadGroupPrivs"
)


@handles(exp.Show, "GRANTS")
def show_grants(call: Call[exp.Show]) -> Result:
    """SHOW GRANTS [FOR u]: the own ones without privilege."""
    catalog = call.engine.database.catalog
    target = call.node.args.get("for_user") or node.User(host="%", current=True)
    user = _found(catalog, target, call.context)
    if user != account(catalog, call.context.user, call.context.host):
        require_global(catalog, call.context, GRANT)
    return listed(call.node, _GRANTS, [_grant_line(catalog, user)])


@handles(exp.Show, "ALL GRANTS")
def show_all_grants(call: Call[exp.Show]) -> Result:
    catalog = call.engine.database.catalog
    require_global(catalog, call.context, GRANT)
    return listed(call.node, _GRANTS, [_grant_line(catalog, user) for user in catalog.accounts.all_users()])


def _grant_line(catalog: Catalog, user: User) -> tuple[object, ...]:
    head = (str(user), user.comment, "Yes" if user.password else "No", ", ".join(user.roles))
    return (*head, *_by_level(catalog.accounts.grants_of(user)))


def _by_level(grants: Iterable[Grant]) -> tuple[str | None, ...]:
    """The columns from GlobalPrivs on; grants on columns, resources and workload groups do not exist."""
    held = sorted(grants, key=lambda grant: (grant.database, grant.table, ALL.index(grant.privilege)))
    return (*(_listed(one for one in held if one.level is level) for level in Level), None, None, None)


def _listed(grants: Iterable[Grant]) -> str | None:
    """`internal.db: Select_priv,Load_priv; …`; global ones without level; None when there are none."""
    levels: dict[str, list[str]] = {}
    for one in grants:
        names = [] if one.level is Level.GLOBAL else [CATALOG, one.database, one.table]
        place = ".".join(name for name in names if name != ANY)
        levels.setdefault(place, []).append(one.privilege.capitalize())
    texts = (f"{place}: {','.join(held)}" if place else ",".join(held) for place, held in levels.items())
    return "; ".join(texts) or None


@handles(exp.Show, "ROLES")
def show_roles(call: Call[exp.Show]) -> Result:
    """Roles with their users and grants."""
    catalog = call.engine.database.catalog
    require_global(catalog, call.context, GRANT)
    content = []
    for role in catalog.accounts.roles.values():
        users = ", ".join(str(user) for user in catalog.accounts.all_users() if role.name in user.roles)
        global_, catalogs, databases, tables, _, *rest = _by_level(role.grants)
        content.append((role.name, role.comment, users, global_, catalogs, databases, tables, *rest))
    columns = ("Name", "Comment", "Users", *_GRANTS[4:8], "ResourcePrivs", "WorkloadGroupPrivs")
    return listed(call.node, columns, content)
