"""Temporary tables end with their session, and with the server at the latest.

They are ordinary tables of the catalog that only one connection finds (sql/bind/name.py). Source: Doris
documentation, "Temporary table".
"""

from __future__ import annotations

from storage.catalog.catalog import Catalog
from storage.catalog.model import Table
from storage.database import Database
from storage.work import Work


def drop_temporary(database: Database, session: int | None) -> None:
    """Drop the temporary tables of a session, of all sessions with None; nothing is committed without one."""

    def is_gone(table: Table) -> bool:
        return table.session is not None and session in (None, table.session)

    def change(catalog: Catalog) -> Catalog:
        for table in list(catalog.tables.values()):
            if is_gone(table):
                catalog = catalog.without_table(table.id)
        return catalog

    if any(is_gone(table) for table in database.catalog.tables.values()):
        database.apply(Work(change=change))
