"""Who may do what: the account behind a connection, and the privileges a statement needs.

One table says what each statement needs on which of its objects (`NEEDED`); reads are checked where
references are bound (sql/rewrite/reference.py), with SELECT on what the client named: a stream or view is
enough, its base is not asked (Doris: Table Stream, privileges). Grants are looked up anew for each
statement, so that a change holds at once. Source: Doris: GRANT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from sqlglot import exp

from sql.bind.name import Named, is_system, split
from sql.context import Context
from sql.dialect import alter, node
from sql.dialect.clause import target
from sql.statement import kind_of
from storage.catalog.account import ADMIN, ANY, NODE, Grant, User
from storage.catalog.catalog import Catalog
from storage.catalog.model import DatabaseEntry
from storage.errors import DATABASE_DENIED, PRIVILEGE_NEEDED, TABLE_DENIED

SELECT, LOAD, ALTER, CREATE, DROP = "SELECT_PRIV", "LOAD_PRIV", "ALTER_PRIV", "CREATE_PRIV", "DROP_PRIV"
GRANT, SHOW_VIEW, USAGE = "GRANT_PRIV", "SHOW_VIEW_PRIV", "USAGE_PRIV"
SHOW = "SHOW_PRIV"

ALL = (NODE, ADMIN, GRANT, SELECT, LOAD, ALTER, CREATE, DROP, USAGE, SHOW_VIEW, SHOW)  # in the order of Doris's lists
GROUPS = {
    "ALL": (SELECT, LOAD, ALTER, CREATE, DROP),
    "READ_WRITE": (SELECT, LOAD, ALTER, CREATE, DROP),
    "READ_ONLY": (SELECT,),
}


def account(catalog: Catalog, name: str, host: str) -> User | None:
    """The user that answers for `name` coming from `host`: the most specific matching host decides."""
    matching = [user for user in catalog.accounts.all_users() if user.name == name and _matches(user.host, host)]
    return max(matching, key=lambda user: (user.host == host, len(user.host.replace("%", ""))), default=None)


def _matches(pattern: str, host: str) -> bool:
    return pattern == host or fnmatchcase(host, pattern.replace("%", "*").replace("_", "?"))


def grants(catalog: Catalog, context: Context) -> frozenset[Grant]:
    """All grants of the connection's user; none once the user is dropped."""
    user = account(catalog, context.user, context.host)
    return frozenset() if user is None else catalog.accounts.grants_of(user)


def may(catalog: Catalog, context: Context, privilege: str, database: str = ANY, table: str = ANY) -> bool:
    """Whether the user has a privilege on an object (ANY: on the whole level above it)."""
    held = grants(catalog, context)
    if any(grant.privilege == ADMIN for grant in held):
        return True
    return any(grant.covers(privilege, database, table) for grant in held)


def sees_database(catalog: Catalog, context: Context, database: str) -> bool:
    """Whether the user has any privilege in a database (SHOW DATABASES, USE)."""
    if is_system(database):
        return True
    held = grants(catalog, context)
    return any(grant.privilege in (ADMIN, NODE) or grant.database in (ANY, database) for grant in held)


def sees(catalog: Catalog, context: Context, database: str, name: str) -> bool:
    """Whether the user has any privilege on a table, view or stream (SHOW TABLES, information_schema)."""
    held = grants(catalog, context)
    return any(
        grant.privilege in (ADMIN, NODE) or (grant.database in (ANY, database) and grant.table in (ANY, name))
        for grant in held
    )


Lister = Callable[[Catalog, int], list[Named]]


def seen_in(entry: DatabaseEntry | None, lister: Lister[Named], catalog: Catalog, context: Context) -> list[Named]:
    """What a lister (`Catalog.tables_of`, …) finds in a database, as far as the user sees it; nothing without one."""
    found = lister(catalog, entry.id) if entry is not None else []
    return [item for item in found if entry is not None and sees(catalog, context, entry.name, item.name)]


def seen(lister: Lister[Named], catalog: Catalog, context: Context) -> Iterator[tuple[str, Named]]:
    """The same of all databases, each with the name of its database, in the order of both names."""
    for entry in sorted(catalog.databases.values(), key=lambda entry: entry.name):
        yield from ((entry.name, item) for item in seen_in(entry, lister, catalog, context))


def require(catalog: Catalog, context: Context, privilege: str, database: str, name: str) -> None:
    """Raise TABLE_DENIED (1142) unless the user has the privilege on this object."""
    if not may(catalog, context, privilege, database, name):
        command = privilege.removesuffix("_PRIV")
        raise TABLE_DENIED(command=command, user=context.user, host=context.host, table=f"{database}: {name}")


def require_database(catalog: Catalog, context: Context, database: str) -> None:
    """Raise DATABASE_DENIED (1044) unless the user sees the database."""
    if catalog.database(database) is not None and not sees_database(catalog, context, database):
        raise DATABASE_DENIED(user=context.user, host=context.host, name=database)


def require_global(catalog: Catalog, context: Context, privilege: str) -> None:
    """Raise PRIVILEGE_NEEDED (1227) unless the user has the privilege everywhere."""
    if not may(catalog, context, privilege):
        raise PRIVILEGE_NEEDED(privilege=privilege.removesuffix("_PRIV"))


# -- what each statement needs ---------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Need:
    """A privilege, and the references of a statement that it is needed on; without them it is global."""

    privilege: str
    objects: Callable[[exp.Expr], Iterator[exp.Table]] | None = None
    database: bool = False  # the reference is a database: its name stands where a table's would


def _table(tree: exp.Expr) -> Iterator[exp.Table]:
    """The object a statement names first, also inside a column list."""
    found, _ = target(tree)
    if isinstance(found, exp.Table):
        yield found


def _listed(tree: exp.Expr) -> Iterator[exp.Table]:
    yield from (item for item in tree.args.get("tables") or tree.expressions if isinstance(item, exp.Table))


def _argument(name: str) -> Callable[[exp.Expr], Iterator[exp.Table]]:
    def objects(tree: exp.Expr) -> Iterator[exp.Table]:
        found = tree.args.get(name)
        if isinstance(found, exp.Table):
            yield found

    return objects


def _like(tree: exp.Expr) -> Iterator[exp.Table]:
    """The table that CREATE TABLE … LIKE copies."""
    yield from (member.this for member in tree.find_all(exp.LikeProperty))


def _replacement(tree: exp.Expr) -> Iterator[exp.Table]:
    """The table, of the same database, that REPLACE WITH TABLE puts in place of the altered one."""
    for clause in tree.find_all(alter.ReplaceWithTable):
        yield exp.Table(this=clause.this.copy(), db=tree.this.args.get("db"), catalog=tree.this.args.get("catalog"))


NEEDED: dict[tuple[type[exp.Expr], str | None], tuple[Need, ...]] = {
    (exp.Insert, None): (Need(LOAD, _table),),
    (exp.Update, None): (Need(LOAD, _table),),
    (exp.Delete, None): (Need(LOAD, _table),),
    (exp.Create, "TABLE"): (Need(CREATE, _table), Need(SELECT, _like)),
    (exp.Create, "VIEW"): (Need(CREATE, _table),),
    (node.AlterView, None): (Need(ALTER, _table),),
    (exp.Drop, "TABLE"): (Need(DROP, _listed),),
    (exp.Drop, "VIEW"): (Need(DROP, _listed),),
    (exp.TruncateTable, None): (Need(LOAD, _listed),),
    (node.AlterTable, None): (Need(ALTER, _table), Need(ALTER, _replacement)),
    (node.CreateIndex, None): (Need(ALTER, _argument("table")),),
    (node.DropIndex, None): (Need(ALTER, _argument("table")),),
    (node.BuildIndex, None): (Need(ALTER, _argument("table")),),
    (node.CreateStream, None): (Need(CREATE, _table), Need(SELECT, _argument("base"))),
    (node.AlterStream, None): (Need(ALTER, _table),),
    (node.DropStream, None): (Need(DROP, _table),),
    (node.Recover, "TABLE"): (Need(CREATE, _table),),
    (node.Recover, "DATABASE"): (Need(CREATE, _table, database=True),),
    (node.Recover, "PARTITION"): (Need(ALTER, _argument("table")),),
    (exp.Describe, None): (Need(SELECT, _table),),
    (node.DescribeAll, None): (Need(SELECT, _table),),
    (exp.Show, "CREATE TABLE"): (Need(SELECT, _argument("target")),),
    (exp.Show, "CREATE VIEW"): (Need(SELECT, _argument("target")),),
    (exp.Show, "CREATE STREAM"): (Need(SHOW, _argument("target")),),
    (exp.Show, "COLUMNS"): (Need(SELECT, _argument("target")),),
    (exp.Show, "PARTITIONS"): (Need(SELECT, _argument("target")),),
    (exp.Show, "TEMPORARY PARTITIONS"): (Need(SELECT, _argument("target")),),
    (exp.Show, "INDEX"): (Need(SELECT, _argument("target")),),
    (exp.Create, "DATABASE"): (Need(CREATE, _table, database=True),),
    (exp.Drop, "DATABASE"): (Need(DROP, _listed, database=True),),
    (node.AlterDatabase, None): (Need(ALTER, _table, database=True),),
    (node.LockTables, None): (Need(SELECT, _listed),),
    (node.AdminSetConfig, None): (Need(ADMIN),),
    (node.AdminCompactTable, None): (Need(ADMIN),),
    (exp.Show, "CATALOG RECYCLE BIN"): (Need(ADMIN),),
    (node.CreateUser, None): (Need(GRANT),),
    (node.DropUser, None): (Need(GRANT),),
    (node.CreateRole, None): (Need(GRANT),),
    (node.DropRole, None): (Need(GRANT),),
}
SHOWS = (SELECT, LOAD, ALTER, CREATE, DROP, SHOW)  # any of these shows a stream


def check(tree: exp.Expr, catalog: Catalog, context: Context) -> None:
    """Refuse a statement whose user lacks a privilege; reads are checked when they are bound."""
    needs = NEEDED.get((type(tree), kind_of(tree))) or NEEDED.get((type(tree), None)) or ()
    for need in needs:
        if need.objects is None:
            require_global(catalog, context, need.privilege)
            continue
        for reference in need.objects(tree):
            if need.database:
                _check_database(need.privilege, reference.name, catalog, context)
            else:
                _check_object(need.privilege, reference, catalog, context)


def _check_database(privilege: str, name: str, catalog: Catalog, context: Context) -> None:
    if not may(catalog, context, privilege, name):
        raise DATABASE_DENIED(user=context.user, host=context.host, name=name)


def _check_object(privilege: str, reference: exp.Table, catalog: Catalog, context: Context) -> None:
    if not isinstance(reference.this, exp.Identifier):
        return
    database, name = split(reference, context)
    if is_system(database):
        return
    if privilege == SHOW and any(may(catalog, context, one, database, name) for one in SHOWS):
        return
    require(catalog, context, privilege, database, name)
