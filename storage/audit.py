"""Check what no index guards: keys are unique, and the versions of each key form an unbroken chain.

A maintenance check, and the end of every crash and concurrency test. It reads whole tables and
changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from storage import naming
from storage.catalog.model import Model, Table
from storage.catalog.physical import hidden
from storage.catalog.sequence import sequence_of
from storage.database import Database
from storage.naming import END_LSN, END_OP, END_TSO, LSN, OP, PART, STORED, SUPERSEDED, TSO, sql_name
from storage.reader import Reader
from storage.relation import current


def audit(database: Database) -> list[str]:
    """Every violation in words; an empty list means that the database is consistent."""
    reader = database.reader()
    try:
        return [
            f"table {table.name} ({table.id}): {count} {what}"
            for table in reader.catalog.tables.values()
            for what, sql in _checks(reader, table)
            if (count := reader.table(sql).column(0)[0].as_py())
        ]
    finally:
        reader.close()


def _checks(reader: Reader, table: Table) -> Iterator[tuple[str, str]]:
    yield "rows of a partition that does not exist", _strangers(table)
    yield "rows beyond the version of their partition", _beyond(table)
    if not table.keys or table.model is Model.DUPLICATE:
        return
    yield "duplicate keys", _duplicates(table)
    if sequence_of(table) is not None:
        yield "keys both living and marked as deleted, or marked twice", _marked_wrongly(table)
    if table.changelog is not None:
        yield "updates without predecessor", _without_predecessor(table, reader.purged_tso(table.id))
        yield "superseded versions without successor", _without_successor(table)
        yield "overlapping or empty life times", _overlaps(table)


def _strangers(table: Table) -> str:
    known = ", ".join(str(part.id) for part in table.partitions) or "NULL"
    return f"SELECT count(*) FROM {naming.current(table.id)} WHERE ({PART} IN ({known})) IS NOT TRUE"


def _beyond(table: Table) -> str:
    """A row that no reader's bounds cover would be lost to streams."""
    if TSO not in dict(hidden(table)):
        return "SELECT 0"
    return (
        f"SELECT count(*) FROM {naming.current(table.id)} t LEFT JOIN part_version v ON v.part_id = t.{PART}"
        f" WHERE (t.{TSO} <= v.tso) IS NOT TRUE"
    )


def _duplicates(table: Table) -> str:
    keys = ", ".join(sql_name(column.name) for column in table.keys)
    visible = f"SELECT count(*) - count(DISTINCT row({keys})) FROM ({current(table, None)})"
    everywhere = f"SELECT count(*) - count(DISTINCT row({keys}, {PART})) FROM {naming.current(table.id)}"
    return f"SELECT ({visible}) + ({everywhere})"


def _marked_wrongly(table: Table) -> str:
    keys = ", ".join([*(sql_name(column.name) for column in table.keys), PART])
    both = f"SELECT {keys} FROM {naming.current(table.id)} UNION ALL SELECT {keys} FROM {naming.marks(table.id)}"
    return f"SELECT count(*) - count(DISTINCT row({keys})) FROM ({both})"


def _versions(table: Table, extra: str = "") -> str:
    columns = ", ".join([*(sql_name(column.name) for column in table.keys), PART, TSO, LSN, OP])
    unended = f", NULL AS {END_TSO}, NULL AS {END_LSN}" if extra else ""
    living = f"SELECT {columns}{unended} FROM {naming.current(table.id)}"
    ended = f"SELECT {columns}{extra} FROM {naming.history(table.id)}"
    return f"{living} UNION ALL {ended}"


def _same(table: Table, left: str, right: str) -> str:
    terms = [
        f"{left}.{sql_name(column.name)} IS NOT DISTINCT FROM {right}.{sql_name(column.name)}" for column in table.keys
    ]
    return " AND ".join([*terms, f"{left}.{PART} = {right}.{PART}"])


def _without_predecessor(table: Table, purged_tso: int) -> str:
    return (
        f"SELECT count(*) FROM ({_versions(table)}) {STORED} WHERE {OP} = 1 AND {TSO} > {purged_tso} AND NOT EXISTS"
        f" (SELECT 1 FROM {naming.history(table.id)} h WHERE h.{END_TSO} = {STORED}.{TSO}"
        f" AND h.{END_LSN} = {STORED}.{LSN} AND h.{END_OP} = {SUPERSEDED} AND {_same(table, 'h', STORED)})"
    )


def _without_successor(table: Table) -> str:
    return (
        f"SELECT count(*) FROM {naming.history(table.id)} h WHERE h.{END_OP} = {SUPERSEDED} AND NOT EXISTS"
        f" (SELECT 1 FROM ({_versions(table)}) v WHERE v.{OP} = 1 AND v.{TSO} = h.{END_TSO} AND v.{LSN} = h.{END_LSN}"
        f" AND {_same(table, 'v', 'h')})"
    )


def _overlaps(table: Table) -> str:
    keys = ", ".join([*(sql_name(column.name) for column in table.keys), PART])
    versions = _versions(table, f", {END_TSO}, {END_LSN}")
    return (
        f"SELECT count(*) FROM (SELECT {TSO} AS tso, {LSN} AS lsn, {END_TSO} AS end_tso, {END_LSN} AS end_lsn,"
        f" lead({TSO}) OVER w AS next_tso, lead({LSN}) OVER w AS next_lsn FROM ({versions})"
        f" WINDOW w AS (PARTITION BY {keys} ORDER BY {TSO}, {LSN}))"
        f" WHERE (end_tso IS NULL AND next_tso IS NOT NULL) OR (next_tso, next_lsn) < (end_tso, end_lsn)"
        f" OR (end_tso, end_lsn) <= (tso, lsn)"
    )
