"""Between two scenarios the shared server is emptied: nothing that one of them made reaches the next."""

from __future__ import annotations

from dorisette.process import ServerProcess
from tests.slt.scenario import clean

MADE = (
    "CREATE DATABASE `a b`",
    "CREATE TABLE `a b`.t (k INT)",
    "CREATE ROLE reader",
    "GRANT SELECT_PRIV ON *.* TO ROLE 'reader'",
    "CREATE USER ann IDENTIFIED BY 'secret' DEFAULT ROLE 'reader'",
    "CREATE USER 'ann'@'10.%'",
)
SHOWN = ("SHOW DATABASES", "SHOW ALL GRANTS", "SHOW ROLES")


def _shown(server: ServerProcess) -> list[list[tuple[object, ...]]]:
    found = []
    with server.connect() as connection, connection.cursor() as cursor:
        for text in SHOWN:
            cursor.execute(text)
            found.append(list(cursor.fetchall()))
    return found


def test_databases_users_and_roles_go(server: ServerProcess) -> None:
    """What is left is what a new server has."""
    clean(server)
    before = _shown(server)
    assert [[row[0] for row in rows] for rows in before[1:]] == [["'admin'@'%'", "'root'@'%'"], ["admin", "operator"]]
    with server.connect() as connection, connection.cursor() as cursor:
        for text in MADE:
            cursor.execute(text)
    assert [len(after) - len(first) for after, first in zip(_shown(server), before, strict=True)] == [1, 2, 1]
    clean(server)
    assert _shown(server) == before
