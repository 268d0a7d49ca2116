"""Images of a table: time travel, and what a stream's offset or its reset shows.

    t FOR VERSION AS OF 469067681628160003  ->  rows committed at or before that TSO
    s@snapshot()                            ->  base rows as of the stream's offsets, partition by partition
    s@reset()                               ->  base rows now; an INSERT … SELECT moves every offset to now

Doris: Incremental Query, time travel; Table Stream, advanced features.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.relation import Relation
from sql.dialect.clause import AtClause, pairs
from sql.rewrite.moment import milliseconds
from sql.rewrite.retention import expired, retention
from sql.rewrite.stream import base_table, pendings
from sql.rewrite.table import chosen_partitions, visible_columns
from storage.catalog.model import Model, Stream, Table
from storage.errors import (
    AT_PARAMETERS,
    SNAPSHOT_NEEDS_HISTORY,
    TRAVEL_FORMAT,
    TRAVEL_MODEL,
    TRAVEL_NEEDS_CHANGELOG,
    TRAVEL_NEEDS_HISTORY,
)
from storage.naming import sql_name
from storage.relation import current
from storage.snapshot import image
from storage.tso import to_tso
from storage.work import Move

LAST_TSO = (1 << 63) - 1


def travel_relation(binding: Binding, table: Table, reference: exp.Table, version: exp.Version) -> Relation:
    """A past image of a table; it fails as expired only where the changelog would be needed and is expired.

    Before a partition was made it held nothing, which no changelog is needed to tell.
    """
    _check_travel(table)
    target = _target(version, binding)
    chosen = chosen_partitions(table, reference)
    parts = table.visible_partitions if chosen is None else chosen
    tsos = {part.id: target for part in parts if part.created_tso <= target}
    _check_rebuild(binding, table, tsos, "target snapshot")
    return _relation(binding, table, table.database_id, table.name, _image(table, tsos))


def _check_travel(table: Table) -> None:
    if (table.is_unique and not table.merge_on_write) or table.model is Model.AGGREGATE:
        raise TRAVEL_MODEL()
    if table.changelog is None:
        raise TRAVEL_NEEDS_CHANGELOG(table=table.name)
    if table.is_unique and not table.changelog.history:
        raise TRAVEL_NEEDS_HISTORY()


def _target(version: exp.Version, binding: Binding) -> int:
    """The TSO of the image: the last one of the given millisecond, or the given number."""
    given = version.expression
    text = given.name
    if version.name.upper() == "VERSION":
        if not isinstance(given, exp.Literal) or not (text.isascii() and text.isdigit()):
            raise TRAVEL_FORMAT(value=given.sql())
        return min(int(text), LAST_TSO)
    found = milliseconds(text, binding) if isinstance(given, exp.Literal) and given.is_string else None
    if found is None:
        raise TRAVEL_FORMAT(value=given.sql())
    return min(to_tso(found + 1) - 1, LAST_TSO)


def _check_rebuild(binding: Binding, table: Table, tsos: Mapping[int, int], place: str) -> None:
    """An image that needs ended versions must not be older than what is retained."""
    if not table.is_unique:
        return
    kept, latest = retention(binding, table), binding.reader.versions(table.id)
    for part, tso in tsos.items():
        newer = part in latest and latest[part].tso > tso
        if newer and kept.lost(tso):
            raise expired(table, place, tso)


def _image(table: Table, tsos: Mapping[int, int]) -> str:
    columns = ", ".join(sql_name(column.name) for column in table.columns)
    return f"SELECT {columns} FROM ({image(table, tsos)})"


def _relation(binding: Binding, base: Table, database_id: int, name: str, text: str) -> Relation:
    database = binding.catalog.databases[database_id].name
    return Relation(database=database, name=name, columns=visible_columns(base), text=text)


def snapshot_relation(binding: Binding, stream: Stream, reference: exp.Table, clause: AtClause) -> Relation:
    """The base table at the stream's offsets; partitions without an offset contribute nothing, nothing moves."""
    _refuse_parameters(clause)
    base = base_table(binding, stream)
    pending = [part for part in pendings(binding, stream, base, reference) if part.offset > 0]
    if base.is_unique and base.changelog and not base.changelog.history and any(p.has_changes for p in pending):
        raise SNAPSHOT_NEEDS_HISTORY(name=stream.name)
    tsos = {part.partition.id: part.offset for part in pending}
    _check_rebuild(binding, base, tsos, f"stream {stream.name}")
    return _relation(binding, base, stream.database_id, stream.name, _image(base, tsos))


def reset_relation(binding: Binding, stream: Stream, reference: exp.Table, clause: AtClause) -> Relation:
    """The base table now; every partition's offset moves to its latest commit when an INSERT reads it."""
    _refuse_parameters(clause)
    base = base_table(binding, stream)
    binding.streams.append(stream)
    names = (binding.catalog.databases[stream.database_id].name, stream.name)
    pending = pendings(binding, stream, base, reference)
    for part in pending:
        if part.has_changes:
            binding.consume(Move(stream.id, part.partition.id, part.offset, part.latest, names))
    columns = ", ".join(sql_name(column.name) for column in base.columns)
    text = f"SELECT {columns} FROM ({current(base, [part.partition.id for part in pending])})"
    return _relation(binding, base, stream.database_id, stream.name, text)


def _refuse_parameters(clause: AtClause) -> None:
    if clause.expressions or pairs(clause.args.get("properties")):
        raise AT_PARAMETERS(name=clause.name)
