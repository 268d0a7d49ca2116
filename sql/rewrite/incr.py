"""Incremental reads of a table, without object or offset.

    t@incr("startTimestamp" = "…", "endTimestamp" = "…", "incrementType" = "DETAIL")
      ->  changes with commit time in [start, end), op codes 0 insert, 1 delete, 2 update-before, 3 update-after

Doris: Incremental Query.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.relation import Relation
from sql.dialect.clause import AtClause, pairs
from sql.rewrite.changelog import RECORD_COLUMNS
from sql.rewrite.moment import milliseconds
from sql.rewrite.retention import expired, retention
from sql.rewrite.stream import CHANGES, effective_type
from sql.rewrite.table import chosen_partitions, extra_columns, visible_columns
from storage.catalog.model import StreamType, Table
from storage.change.window import CHANGE_TYPE, LSN, OP, SEQUENCE, STREAM_LSN, TSO, Window
from storage.errors import INCR_NEEDS_CHANGELOG, INCR_NEEDS_HISTORY, INCR_PARAMETER, INCR_TIME_FORMAT
from storage.naming import sql_name
from storage.tso import to_tso

OP_CODES = {"APPEND": 0, "DELETE": 1, "UPDATE_BEFORE": 2, "UPDATE_AFTER": 3}


@dataclass(frozen=True, slots=True)
class Asked:
    """The parameters of an @incr clause: edges in unix milliseconds, None where not given."""

    start_ms: int | None
    end_ms: int | None
    type: StreamType


def incr_relation(binding: Binding, table: Table, reference: exp.Table, clause: AtClause) -> Relation:
    """The changes of a window; the requested mode decides errors, the table's model the output."""
    asked = _asked(clause, binding)
    if table.changelog is None:
        raise INCR_NEEDS_CHANGELOG()
    if asked.type is StreamType.MIN_DELTA and table.is_unique and not table.changelog.history:
        raise INCR_NEEDS_HISTORY()
    changes = CHANGES[effective_type(asked.type, table)](table, _windows(binding, table, reference, asked))
    return Relation(
        database=binding.catalog.databases[table.database_id].name,
        name=table.name,
        columns=(*visible_columns(table), *extra_columns(RECORD_COLUMNS, binding.show_hidden)),
        text=_with_op_codes(table, changes),
    )


def _asked(clause: AtClause, binding: Binding) -> Asked:
    given = dict(pairs(clause.args.get("properties")))
    unknown = [name for name in given if name not in ("startTimestamp", "endTimestamp", "incrementType")]
    for name in (*unknown, *(value.name for value in clause.expressions)):
        raise INCR_PARAMETER(name=name)
    mode = given.get("incrementType", "MIN_DELTA").upper()
    if mode not in StreamType.__members__:
        raise INCR_PARAMETER(name=given["incrementType"])
    start, end = (_edge(given.get(name), binding) for name in ("startTimestamp", "endTimestamp"))
    return Asked(start, end, StreamType[mode])


def _edge(text: str | None, binding: Binding) -> int | None:
    if text is None:
        return None
    found = milliseconds(text, binding)
    if found is None:
        raise INCR_TIME_FORMAT(value=text)
    return found


def _windows(binding: Binding, table: Table, reference: exp.Table, asked: Asked) -> list[Window]:
    """[start, end) as (lo, hi] per partition, cut to what is retained; empty where nothing can lie."""
    oldest = retention(binding, table).horizon
    lo = oldest if asked.start_ms is None else max(to_tso(asked.start_ms) - 1, 0)
    if asked.type is StreamType.MIN_DELTA and asked.start_ms is not None and lo < oldest:
        raise expired(table, "startTimestamp", lo)
    lo, chosen = max(lo, oldest), chosen_partitions(table, reference)
    latest = {part: version.tso for part, version in binding.reader.versions(table.id).items()}
    parts = [part.id for part in (table.visible_partitions if chosen is None else chosen) if part.id in latest]
    hi = max((latest[part] for part in parts), default=0)  # of all: the snapshot holds nothing newer of any partition
    hi = hi if asked.end_ms is None else min(hi, to_tso(asked.end_ms) - 1)
    return [Window(part, lo, hi) for part in parts if lo < hi and lo < latest[part]]


def _with_op_codes(table: Table, changes: str) -> str:
    """Stream words to the numbers of @incr; both halves of an update share the record's LSN."""
    columns = ", ".join(sql_name(column.name) for column in table.columns)
    arms = " ".join(f"WHEN '{word}' THEN {code}" for word, code in OP_CODES.items())
    return (
        f"SELECT {columns}, CAST(CASE {CHANGE_TYPE} {arms} END AS BIGINT) AS {OP},"
        f" {SEQUENCE} AS {TSO}, {STREAM_LSN} AS {LSN} FROM ({changes})"
    )
