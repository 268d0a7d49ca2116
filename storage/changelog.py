"""changelog(): the stored change records of a table, raw - no folding, no TTL filter."""

from __future__ import annotations

from collections.abc import Sequence

from storage import naming
from storage.catalog.model import Table
from storage.change.detail import before_images
from storage.change.window import LSN, OP, TSO, before_name, in_parts, names
from storage.naming import DELETED, END_LSN, END_OP, END_TSO, SUPERSEDED, quote, sql_name


def has_before_images(table: Table) -> bool:
    """Whether the records carry BEFORE columns."""
    return table.is_unique and table.changelog is not None and table.changelog.history


def records(table: Table, parts: Sequence[int] | None, purged_tso: int) -> str:
    """OP (0 insert, 1 update, 2 delete), TSO, LSN, the user columns, and BEFORE columns with history.

    `parts` None means all visible partitions. Without history a delete shows its keys only
    (Doris: Changelog, records).
    """
    wanted = [part.id for part in table.visible_partitions] if parts is None else parts
    kept = in_parts(table, wanted)
    only = f" AND {kept}" if kept else ""
    current, history = naming.current(table.id), naming.history(table.id)
    columns = ", ".join([*names(table), naming.TSO, naming.LSN, naming.OP])
    starts = (
        f"SELECT {columns} FROM {current} WHERE {naming.TSO} > {purged_tso}{only}"
        f" UNION ALL SELECT {columns} FROM {history} WHERE {naming.TSO} > {purged_tso}{only}"
    )
    deletes = f"FROM {history} WHERE {END_OP} = {DELETED} AND {END_TSO} > {purged_tso}{only}"
    if not has_before_images(table):
        return _without_history(table, starts, deletes)
    return _with_history(
        table, starts, deletes, f"{history} WHERE {END_OP} = {SUPERSEDED} AND {END_TSO} > {purged_tso}{only}"
    )


def _header(op: str, tso: str, lsn: str) -> str:
    return f"{op}::BIGINT AS {OP}, {tso} AS {TSO}, {lsn} AS {LSN}"


def _without_history(table: Table, starts: str, deletes: str) -> str:
    return (
        f"SELECT {_header(naming.OP, naming.TSO, naming.LSN)}, {', '.join(names(table))} FROM ({starts})\n"
        f"UNION ALL SELECT {_header('2', END_TSO, END_LSN)}, {', '.join(before_images(table))} {deletes}"
    )


def _with_history(table: Table, starts: str, deletes: str, superseded: str) -> str:
    def befores(side: str) -> str:
        return "".join(f", {side}{sql_name(c.name)} AS {quote(before_name(c.name))}" for c in table.values)

    values = "".join(f", {sql_name(column.name)}" for column in table.values)
    plain = ", ".join(f"s.{column}" for column in names(table))
    return (
        f"SELECT {_header(f's.{naming.OP}', f's.{naming.TSO}', f's.{naming.LSN}')}, {plain}{befores('e.')}"
        f" FROM ({starts}) s LEFT JOIN (SELECT {END_TSO}, {END_LSN}{values} FROM {superseded}) e"
        f" ON e.{END_TSO} = s.{naming.TSO} AND e.{END_LSN} = s.{naming.LSN} AND s.{naming.OP} = 1\n"
        f"UNION ALL SELECT {_header('2', END_TSO, END_LSN)}, {', '.join(names(table))}{befores('')} {deletes}"
    )
