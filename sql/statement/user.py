"""Users and roles: CREATE, ALTER and DROP USER, SET PASSWORD, CREATE and DROP ROLE.

Passwords are stored as hashes and never shown. Source: Doris: CREATE USER, SET PASSWORD, CREATE ROLE.
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from sql.context import Context
from sql.ddl.account import given_password
from sql.ddl.commit import commit, stamp
from sql.dialect import node
from sql.privilege import GRANT, account, require_global
from sql.result import Result
from sql.statement import Call, handles
from storage.catalog.account import ADMIN_ROLE, FIRST_ROLES, FIRST_USERS, ROOT, Role, User
from storage.catalog.catalog import Catalog
from storage.errors import (
    ANONYMOUS_USER,
    FIRST_ROLE_FIXED,
    FIRST_USER_FIXED,
    ROLE_EXISTS,
    ROLE_MISSING,
    ROOT_USER_FIXED,
    USER_EXISTS,
    USER_MISSING,
)


def _identity(user: node.User, context: Context, catalog: Catalog) -> tuple[str, str]:
    """Name and host of 'u'@'h', or of the connection's own user."""
    if user.args.get("current"):
        own = account(catalog, context.user, context.host)
        return (own.name, own.host) if own is not None else (context.user, "%")
    return str(user.this), str(user.args["host"])


def existing(catalog: Catalog, user: node.User, context: Context) -> User:
    """The user that a statement names; USER_MISSING without one."""
    name, host = _identity(user, context, catalog)
    found = catalog.accounts.user(name, host)
    if found is None:
        raise USER_MISSING(user=f"'{name}'@'{host}'")
    return found


def _check_changer(catalog: Catalog, target: node.User, context: Context) -> None:
    """One's own account is changed without privilege, others' with GRANT_PRIV, root's by root alone."""
    identity = _identity(target, context, catalog)
    own = account(catalog, context.user, context.host)
    if own is None or identity != (own.name, own.host):
        require_global(catalog, context, GRANT)
        if identity[0] == ROOT:
            raise ROOT_USER_FIXED()


def _if_exists(call: Call[exp.Expr], catalog: Catalog) -> User | None:
    """The user of an ALTER or DROP; None when there is none and IF EXISTS takes that."""
    user = catalog.accounts.user(*_identity(call.node.this, call.context, catalog))
    if user is None and call.node.args.get("exists"):
        return None
    return user or existing(catalog, call.node.this, call.context)


def stored(call: Call[exp.Expr], user: User) -> User:
    """A user that may be stored: the first ones get an id when they change."""
    return user if user.id > 0 else replace(user, id=stamp(call.engine, 1).take_id())


@handles(node.CreateUser)
def create_user(call: Call[node.CreateUser]) -> Result:
    """CREATE USER [IF NOT EXISTS] u [IDENTIFIED BY …] [DEFAULT ROLE r] [COMMENT …]."""
    identity, password = stamp(call.engine, 1).take_id(), given_password(call.node)
    role, comment = call.node.args.get("role"), call.node.args.get("comment")

    def change(catalog: Catalog) -> Catalog:
        name, host = _identity(call.node.this, call.context, catalog)
        known = catalog.accounts.user(name, host)
        if known is not None:
            if call.node.args.get("exists"):
                return catalog
            raise USER_EXISTS(user=known)
        if not name:
            raise ANONYMOUS_USER()
        roles = (grantable_role(catalog, role, "grant role").name,) if role else ()
        text = comment.name if comment is not None else ""
        return catalog.with_user(User(identity, name, host, password, roles=roles, comment=text))

    return commit(call, change)


@handles(node.AlterUser)
def alter_user(call: Call[node.AlterUser]) -> Result:
    """ALTER USER [IF EXISTS] u [IDENTIFIED BY …] [COMMENT …]; one's own without privilege."""
    comment = call.node.args.get("comment")

    def change(catalog: Catalog) -> Catalog:
        _check_changer(catalog, call.node.this, call.context)
        user = _if_exists(call, catalog)
        if user is None:
            return catalog
        user = stored(call, user)
        if call.node.args.get("password") is not None:
            user = replace(user, password=given_password(call.node))
        return catalog.with_user(user if comment is None else replace(user, comment=comment.name))

    return commit(call, change)


@handles(node.DropUser)
def drop_user(call: Call[node.DropUser]) -> Result:
    """DROP USER [IF EXISTS] u; root and admin stay."""

    def change(catalog: Catalog) -> Catalog:
        user = _if_exists(call, catalog)
        if user is None:
            return catalog
        check_not_first(user)
        return catalog.without_user(user.id)

    return commit(call, change)


def check_not_first(user: User) -> None:
    """Refuse to drop root or admin, or to take from them what they are."""
    if (user.name, user.host) in {(first.name, first.host) for first in FIRST_USERS}:
        raise FIRST_USER_FIXED(user=user)


@handles(node.SetPassword)
def set_password(call: Call[node.SetPassword]) -> Result:
    """SET PASSWORD [FOR u] = …; one's own without privilege."""
    of, password = call.node.args.get("user"), given_password(call.node)
    target = of if of is not None else node.User(host="%", current=True)

    def change(catalog: Catalog) -> Catalog:
        _check_changer(catalog, target, call.context)
        user = existing(catalog, target, call.context)
        return catalog.with_user(replace(stored(call, user), password=password))

    return commit(call, change)


# -- roles -----------------------------------------------------------------------------------------
def existing_role(catalog: Catalog, name: str) -> Role:
    """The role of a name; ROLE_MISSING without one."""
    found = catalog.accounts.role(name)
    if found is None:
        raise ROLE_MISSING(role=name)
    return found


def changeable_role(name: str, action: str) -> str:
    """The name of a role that may be made, dropped or given grants: not one of the first."""
    if name in {role.name for role in FIRST_ROLES}:
        raise FIRST_ROLE_FIXED(action=action, role=name)
    return name


def grantable_role(catalog: Catalog, name: str, action: str) -> Role:
    """The role of a name, to be given to a user or taken; operator is root's alone."""
    if name != ADMIN_ROLE.name:
        changeable_role(name, action)
    return existing_role(catalog, name)


@handles(node.CreateRole)
def create_role(call: Call[node.CreateRole]) -> Result:
    identity, comment = stamp(call.engine, 1).take_id(), call.node.args.get("comment")
    name = changeable_role(call.node.this, "create role")

    def change(catalog: Catalog) -> Catalog:
        if catalog.accounts.role(name) is not None:
            if call.node.args.get("exists"):
                return catalog
            raise ROLE_EXISTS(role=name)
        return catalog.with_role(Role(identity, name, comment=comment.name if comment is not None else ""))

    return commit(call, change)


@handles(node.DropRole)
def drop_role(call: Call[node.DropRole]) -> Result:
    """DROP ROLE [IF EXISTS] r; users lose it."""
    dropped = changeable_role(call.node.this, "drop role")

    def change(catalog: Catalog) -> Catalog:
        role = catalog.accounts.role(dropped)
        if role is None and call.node.args.get("exists"):
            return catalog
        catalog = catalog.without_role(existing_role(catalog, dropped).id)
        for user in catalog.accounts.users.values():
            if dropped in user.roles:
                kept = tuple(name for name in user.roles if name != dropped)
                catalog = catalog.with_user(replace(user, roles=kept))
        return catalog

    return commit(call, change)
