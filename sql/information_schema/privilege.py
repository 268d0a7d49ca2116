"""The privilege tables: who was granted what, a row for each grant and privilege, in MySQL's words.

Source: Doris: information_schema, user_privileges, schema_privileges, table_privileges.
"""

from __future__ import annotations

from collections.abc import Iterator

from sql.information_schema.table import Request, Row, system
from sql.privilege import ALTER, CREATE, DROP, GRANT, LOAD, SELECT, USAGE, account, may
from storage.catalog.account import Grant, Level

_RIGHT = "PRIVILEGE_TYPE varchar64, IS_GRANTABLE varchar3"
_WORDS = {SELECT: "SELECT", LOAD: "INSERT", ALTER: "ALTER", CREATE: "CREATE", DROP: "DROP", USAGE: "USAGE"}
_CATALOG = "def"


def _held(request: Request, level: Level) -> Iterator[tuple[str, Grant, str]]:
    """Grantee, grant and IS_GRANTABLE: of all users for those who may grant, else the own ones."""
    catalog, context = request.reader.catalog, request.context
    own = account(catalog, context.user, context.host)
    for user in catalog.accounts.all_users():
        if user != own and not may(catalog, context, GRANT):
            continue
        grants = catalog.accounts.grants_of(user)
        for one in sorted(grants):
            if one.level is level and one.privilege in _WORDS:
                grantable = any(other.covers(GRANT, one.database, one.table) for other in grants)
                yield str(user), one, "YES" if grantable else "NO"


@system("user_privileges", f"GRANTEE varchar80, TABLE_CATALOG, {_RIGHT}")
def user_privileges(request: Request) -> Iterator[Row]:
    for grantee, one, grantable in _held(request, Level.GLOBAL):
        yield (grantee, _CATALOG, _WORDS[one.privilege], grantable)


@system("schema_privileges", f"GRANTEE varchar80, TABLE_CATALOG, TABLE_SCHEMA varchar64, {_RIGHT}")
def schema_privileges(request: Request) -> Iterator[Row]:
    for grantee, one, grantable in _held(request, Level.DATABASE):
        yield (grantee, _CATALOG, one.database, _WORDS[one.privilege], grantable)


@system("table_privileges", f"GRANTEE varchar80, TABLE_CATALOG, TABLE_SCHEMA varchar64, TABLE_NAME varchar64, {_RIGHT}")
def table_privileges(request: Request) -> Iterator[Row]:
    """Grants on tables, views and streams."""
    for grantee, one, grantable in _held(request, Level.TABLE):
        yield (grantee, _CATALOG, one.database, one.table, _WORDS[one.privilege], grantable)
