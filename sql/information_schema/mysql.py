"""The database mysql: its one table, user, as MySQL's tools ask for it. Only for those who may grant.

Source: Doris: mysql.user.
"""

from __future__ import annotations

from collections.abc import Iterator

from sql.information_schema.table import Request, Row, system
from sql.privilege import ALL, GRANT, SHOW, require_global
from storage.catalog.account import Grant, Level

MYSQL = "mysql"
_PRIVILEGES = tuple(privilege for privilege in ALL if privilege != SHOW)


@system(
    "user",
    "Host varchar256, User varchar80, Node_priv varchar3, Admin_priv varchar3, Grant_priv varchar3,"
    "Select_priv varchar3, Load_priv varchar3, Alter_priv varchar3, Create_priv varchar3, Drop_priv varchar3,"
    "Usage_priv varchar3, Show_view_priv varchar3, ssl_type varchar8, max_user_connections bigint, plugin varchar64,"
    "authentication_string text, password_expired varchar3, account_locked varchar3, User_attributes text",
    database=MYSQL,
)
def user(request: Request) -> Iterator[Row]:
    """All identities with their global privileges; the password's hash as MySQL spells it."""
    catalog = request.reader.catalog
    require_global(catalog, request.context, GRANT)
    for found in catalog.accounts.all_users():
        held = catalog.accounts.grants_of(found)
        switches = ("Y" if _has(held, privilege) else "N" for privilege in _PRIVILEGES)
        password = f"*{found.password.upper()}" if found.password else ""
        yield (found.host, found.name, *switches, "", 0, "mysql_native_password", password, "N", "N", None)


def _has(held: frozenset[Grant], privilege: str) -> bool:
    return any(grant.privilege == privilege and grant.level is Level.GLOBAL for grant in held)
