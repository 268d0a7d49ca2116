"""Grants: GRANT, REVOKE, SHOW GRANTS, SHOW ROLES. Source: Doris: GRANT, REVOKE, SHOW GRANTS, SHOW ROLES."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sqlglot import exp

from sql.bind.name import CATALOG
from sql.context import Context
from sql.ddl.account import granted
from sql.ddl.commit import commit, stamp
from sql.dialect import node
from sql.listing import listed, words
from sql.privilege import ALL, GRANT, account, may, require_global
from sql.result import Result
from sql.statement import Call, handles
from sql.statement.user import changeable_role, check_not_first, existing, existing_role, grantable_role, stored
from storage.catalog.account import ANY, FIRST_ROLES, NODE, ROOT, Grant, Level, Role, User
from storage.catalog.catalog import Catalog
from storage.errors import NO_SUCH_GRANT, PRIVILEGE_NEEDED


@handles(node.Grant)
def grant(call: Call[node.Grant]) -> Result:
    """GRANT privileges ON level TO user | ROLE r (made if missing); GRANT 'r', … TO user."""
    given, identity = _asked(call), stamp(call.engine, 1).take_id()

    def change(catalog: Catalog) -> Catalog:
        _check_grantor(catalog, call.context, given)
        if call.node.args.get("role"):
            name = changeable_role(call.node.args["role"], "grant to role")
            role = catalog.accounts.role(name) or Role(identity, name)
            return catalog.with_role(replace(role, grants=role.grants | given))
        user = stored(call, existing(catalog, call.node.args["user"], call.context))
        roles = [grantable_role(catalog, name, "grant role").name for name in call.node.args.get("roles") or ()]
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
            role = existing_role(catalog, changeable_role(call.node.args["role"], "revoke from role"))
            return catalog.with_role(replace(role, grants=role.grants - taken))
        user = existing(catalog, call.node.args["user"], call.context)
        roles = call.node.args.get("roles") or ()
        if {role.name for role in FIRST_ROLES} & set(roles):
            check_not_first(user)
        if taken - user.grants or set(roles) - set(user.roles):
            raise NO_SUCH_GRANT(user=user.name, host=user.host)
        kept = tuple(name for name in user.roles if name not in roles)
        return catalog.with_user(replace(stored(call, user), grants=user.grants - taken, roles=kept))

    return commit(call, change)


def _asked(call: Call[node.Grant] | Call[node.Revoke]) -> frozenset[Grant]:
    return granted(call.node) if call.node.args.get("level") is not None else frozenset()


def _check_grantor(catalog: Catalog, context: Context, grants: Iterable[Grant]) -> None:
    """GRANT_PRIV on the level, or everywhere; NODE_PRIV is root's alone."""
    for one in grants or (Grant(GRANT),):
        if not may(catalog, context, GRANT, one.database, one.table):
            raise PRIVILEGE_NEEDED(privilege="GRANT")
        if one.privilege == NODE and context.user != ROOT:
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
    user = existing(catalog, target, call.context)
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
    for role in catalog.accounts.all_roles():
        users = ", ".join(str(user) for user in catalog.accounts.all_users() if role.name in user.roles)
        global_, catalogs, databases, tables, _, *rest = _by_level(role.grants)
        content.append((role.name, role.comment, users, global_, catalogs, databases, tables, *rest))
    columns = ("Name", "Comment", "Users", *_GRANTS[4:8], "ResourcePrivs", "WorkloadGroupPrivs")
    return listed(call.node, columns, content)
