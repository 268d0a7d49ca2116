"""Who may log in: accounts, and the check of mysql_native_password.

`Users` is the seam for a store of users: it hands out accounts with password hashes, never passwords. A failed
check raises; nothing here answers a client, so nobody can go on after a denial by mistake.
Source: Doris: Authentication and Authorization; MySQL protocol, "Native Authentication".
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import Protocol

from mysql_mimic.auth import NativePasswordAuthPlugin, User
from mysql_mimic.utils import nonce as random_letters

from sql.privilege import account
from storage.database import Database
from storage.errors import ACCESS_DENIED

_NATIVE = NativePasswordAuthPlugin()


@dataclass(frozen=True, slots=True)
class Account:
    """A user as the login sees it; `password` is hex SHA1(SHA1(password)), empty without one."""

    name: str
    password: str = ""
    max_connections: int = 100  # Doris: property max_user_connections


class Users(Protocol):
    """Where accounts come from."""

    def find(self, name: str, host: str) -> Account | None:
        """The account that answers for a user coming from a host."""


class CatalogUsers:
    """The users of the catalog, as it is at the moment of the login."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, name: str, host: str) -> Account | None:
        found = account(self._database.catalog, name, host)
        return None if found is None else Account(found.name, found.password)


def new_nonce() -> bytes:
    """Twenty random letters and digits."""
    return bytes(random_letters(20))


def authenticate(users: Users, name: str, host: str, scramble: bytes, nonce: bytes) -> Account:
    """Return the account, or raise ACCESS_DENIED with the same words for a wrong name and a wrong password."""
    found = users.find(name, host)
    if found is None or not _matches(found, scramble, nonce):
        raise ACCESS_DENIED(user=name, host=host, used="YES" if scramble else "NO")
    return found


def authenticate_plain(users: Users, name: str, host: str, password: str) -> Account:
    """The same for a password that came in the clear (HTTP Basic)."""
    found = users.find(name, host)
    digest = hashlib.sha1(hashlib.sha1(password.encode()).digest()).hexdigest() if password else ""
    if found is None or not hmac.compare_digest(found.password.lower(), digest):
        raise ACCESS_DENIED(user=name, host=host, used="YES" if password else "NO")
    return found


def _matches(account: Account, scramble: bytes, nonce: bytes) -> bool:
    user = User(account.name, auth_string=account.password or None)
    return bool(_NATIVE.password_matches(user=user, scramble=scramble, nonce=nonce))
