"""The database information_schema: system tables as functions of a snapshot.

`lookup` is the one entry for name resolution (sql/rewrite/reference.py). Source: Doris:
information_schema; Table Stream, system tables.
"""

from __future__ import annotations

from sql.information_schema import database, empty, mysql, partition, privilege, session, stream  # noqa: F401  filled
from sql.information_schema.table import SystemTable, lookup, names

__all__ = ["SystemTable", "lookup", "names"]
