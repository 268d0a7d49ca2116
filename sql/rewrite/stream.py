"""Streams: the pending changes of the base table, partition by partition.

    orders_s  ->  changes of (offset, latest commit] in the stream's consume type,
                  UNION ALL the current rows as APPEND where the initial image is pending

The upper bound of a partition is its latest commit in the reader's snapshot, the same for every
reference of the statement (Doris: Table Stream, consumption; initial rows).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.relation import Relation
from sql.rewrite.retention import Retention, expired, retention
from sql.rewrite.table import chosen_partitions, extra_columns, visible_columns
from storage.catalog.model import Partition, Stream, StreamType, Table
from storage.change.append import append_only
from storage.change.delta import min_delta
from storage.change.detail import detail
from storage.change.window import CHANGE_TYPE, SEQUENCE, STREAM_LSN, Window
from storage.errors import STREAM_CLAUSE, UNKNOWN_BASE_TABLE
from storage.offset import Offset
from storage.snapshot import initial
from storage.types import BIGINT, STRING
from storage.work import ABSENT, PENDING, Move

STREAM_COLUMNS = ((CHANGE_TYPE, STRING), (SEQUENCE, BIGINT), (STREAM_LSN, BIGINT))
CHANGES = {StreamType.APPEND_ONLY: append_only, StreamType.MIN_DELTA: min_delta, StreamType.DETAIL: detail}


@dataclass(frozen=True, slots=True)
class Pending:
    """What one partition holds for a stream: nothing, a window of changes, or the initial image."""

    partition: Partition
    offset: int  # a TSO, PENDING or ABSENT
    latest: int  # TSO of the partition's newest commit, 0 if it was never written

    @property
    def has_changes(self) -> bool:
        return self.latest > 0 and self.offset != self.latest


def stream_relation(binding: Binding, stream: Stream, reference: exp.Table) -> Relation:
    """The pending changes of a stream; notes what an INSERT … SELECT has to move."""
    base = base_table(binding, stream)
    binding.streams.append(stream)
    pending = [part for part in pendings(binding, stream, base, reference) if part.has_changes]
    database = binding.catalog.databases[stream.database_id].name
    for part in pending:
        move = Move(stream.id, part.partition.id, part.offset, part.latest, (database, stream.name))
        binding.consume(move)
    return Relation(
        database=database,
        name=stream.name,
        columns=(*visible_columns(base), *extra_columns(STREAM_COLUMNS, binding.show_hidden)),
        text=_text(binding, stream, base, pending),
    )


def base_table(binding: Binding, stream: Stream) -> Table:
    """The live base table; a dropped one raises UNKNOWN_BASE_TABLE."""
    base = binding.catalog.live_table(stream.base_id)
    if base is None:
        known = binding.catalog.tables.get(stream.base_id)
        raise UNKNOWN_BASE_TABLE(name=known.name if known else stream.base_name, stream=stream.name)
    return binding.read(base)


def pendings(binding: Binding, stream: Stream, base: Table, reference: exp.Table) -> list[Pending]:
    """Offset and newest commit of each chosen partition, in the reader's snapshot."""
    chosen = chosen_partitions(base, reference)
    if any(part.temporary for part in chosen or ()):
        raise STREAM_CLAUSE(clause="TEMPORARY PARTITION", name=stream.name)
    offsets, versions = binding.reader.offsets(stream.id), binding.reader.versions(base.id)
    return [
        Pending(part, _offset(offsets.get(part.id)), versions[part.id].tso if part.id in versions else 0)
        for part in (base.visible_partitions if chosen is None else chosen)
    ]


def _offset(stored: Offset | None) -> int:
    return ABSENT if stored is None else stored.tso


def _text(binding: Binding, stream: Stream, base: Table, pending: Sequence[Pending]) -> str:
    """One text for all partitions: images of those never read, windows of the others."""
    images = {part.partition.id: part.latest for part in pending if part.offset == PENDING}
    kept = retention(binding, base)
    windows = [_window(kept, stream, base, part) for part in pending if part.offset != PENDING]
    texts = [CHANGES[effective_type(stream.type, base)](base, windows)] if windows or not images else []
    if images:
        texts.append(initial(base, images))
    return " UNION ALL ".join(f"({text})" for text in texts) if len(texts) > 1 else texts[0]


def effective_type(requested: StreamType, base: Table) -> StreamType:
    """Every type reads a Duplicate Key table as append_only (Doris: Duplicate Key tables record inserts only)."""
    return requested if base.is_unique else StreamType.APPEND_ONLY


def _window(kept: Retention, stream: Stream, base: Table, part: Pending) -> Window:
    """(offset, latest], with the retention rule: min_delta fails on an expired offset, the others skip."""
    lo = max(part.offset, 0)
    if effective_type(stream.type, base) is not StreamType.MIN_DELTA:
        return Window(part.partition.id, max(lo, kept.horizon), part.latest)
    since = 0 if part.offset == ABSENT else lo or stream.created_tso
    if since and kept.lost(since):
        raise expired(base, f"partition {part.partition.name}", lo)
    return Window(part.partition.id, lo, part.latest)
