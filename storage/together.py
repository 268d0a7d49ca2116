"""Several small writes of one table in one DuckDB transaction, each with its own TSO, version and outcome.

    a, b, c: one row each  ->  one batch of three rows that carry their TSO  ->  one probe, one COMMIT

Called by the leader of a group (storage/group.py). Writes whose keys differ become one batch; a key that comes
again begins the next batch of the same transaction, and what cannot be laid together follows alone. If anything
fails, everything is rolled back and the members are committed one by one, so that a bad one fails alone.
"""

from __future__ import annotations

import logging
from collections import ChainMap
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from storage import naming, offset
from storage.catalog.model import Model, Table
from storage.catalog.sequence import sequence_of
from storage.cells import comparable
from storage.commit import Coordinator, bound_table, on_newest
from storage.duck import Cursor
from storage.errors import DorisError
from storage.group import Groups, Member, Take
from storage.lock import Ask
from storage.naming import MET_TSO, PART
from storage.table.batch import ORDINAL, Prepared, prepare
from storage.table.stamp import ROW_LSN, ROW_TSO, ROW_VERSION, RowStamp, Stamp
from storage.table.write import write
from storage.transaction import (
    FIRST_LSN,
    Planned,
    chained,
    committed,
    next_version,
    part_versions,
    source_name,
    table_versions,
)
from storage.work import Batch, Commit, Watch, Work, Write, ask_of

LOG = logging.getLogger(__name__)

SMALL_ROWS = 100  # a larger write does not wait for others
BATCH_ROWS = 200  # rows laid together in one batch: what one statement writes fastest


@dataclass(slots=True)
class Small:
    """A write on its way: prepared by its own thread, bound to the newest table by the leader."""

    work: Work
    prepared: Prepared
    watch: Watch | None
    tso: int = 0
    versions: dict[int, int] = field(default_factory=dict)

    @property
    def write(self) -> Write:
        return self.work.writes[0]


def is_small(work: Work) -> bool:
    """Whether a write may share a transaction: a few plain rows of one table, and perhaps stream offsets."""
    if work.change is not None or work.label is not None or work.purges or work.sorts or len(work.writes) != 1:
        return False
    batch = work.writes[0].source
    if not isinstance(batch, Batch) or batch.partial is not None or batch.route is not None:
        return False
    return batch.rows.num_rows <= SMALL_ROWS and MET_TSO not in batch.rows.column_names


class Together:
    """Commits small writes in groups; one per open database."""

    def __init__(self, coordinator: Coordinator) -> None:
        self._coordinator = coordinator
        self._groups: Groups[Small, Commit] = Groups()

    def apply(self, work: Work, watch: Watch | None) -> Commit:
        """Do all of `work` or nothing, in the company of who else writes to the table; see `Coordinator.apply`."""
        write = work.writes[0]
        assert isinstance(write.source, Batch)
        table = bound_table(self._coordinator.published.newest, write)
        small = Small(work, prepare(table, write.source.rows), watch)
        ask = ask_of(watch)
        return self._groups.submit(table.id, small, lambda take: self._lead(table.id, take, ask), ask)

    def waiting(self, table_id: int) -> int:
        """How many writers of a table wait to be taken into a group."""
        return self._groups.waiting(table_id)

    def _lead(self, table_id: int, take: Take[Small, Commit], ask: Ask) -> None:
        """Commit whoever waits; who leads may be stopped as long as it has taken nobody."""
        with (
            closing(self._coordinator.duck.cursor()) as cursor,
            self._coordinator.locks.catalog.shared(ask),
            self._coordinator.locks.writing([table_id], (), (), ask),
        ):
            members = take()
            streams = {move.stream_id for member in members for move in member.work.work.moves}
            with self._coordinator.locks.writing((), streams, ()):
                self._coordinator.step("locked")
                self._commit(cursor, [member for member in members if self._is_ready(member)])

    def _is_ready(self, member: Member[Small, Commit]) -> bool:
        """Bind a member to the newest catalog, offsets first; one that does not fit any more fails alone."""
        small, catalog = member.work, self._coordinator.published.newest
        try:
            offset.check(catalog, small.work.moves)
            small.prepared = on_newest(bound_table(catalog, small.write), small.prepared)
            if small.watch is not None:
                small.watch.committing()
        except DorisError as error:  # raised in the member's own thread
            member.error = error
            return False
        return True

    def _commit(self, cursor: Cursor, members: Sequence[Member[Small, Commit]]) -> None:
        if len(members) > 1 and self._commit_together(cursor, members):
            return
        for member in members:
            self._commit_alone(cursor, member)

    def _commit_alone(self, cursor: Cursor, member: Member[Small, Commit]) -> None:
        small, catalog = member.work, self._coordinator.published.newest
        planned = Planned(small.prepared.table, small.prepared)
        try:
            cursor.register(source_name(0), small.prepared.rows)
            member.result = self._coordinator.commit(cursor, small.work, catalog, catalog, [planned], None)
        except DorisError as error:  # raised in the member's own thread
            member.error = error

    def _commit_together(self, cursor: Cursor, members: Sequence[Member[Small, Commit]]) -> bool:
        """One transaction for all of them; False when it failed, with nothing done."""
        writes = [member.work for member in members]
        numbers = self._coordinator.transactions.take(len(members))
        with self._coordinator.stamps(len(members)) as tsos:
            self._coordinator.step("tso")
            versions = number_versions(writes, tsos, self._coordinator.versions)
            try:
                _Transaction(cursor, writes, versions, self._coordinator).run()
            except DorisError as error:
                LOG.info("%s writes are committed one by one: %s", len(members), error.message)
                return False
            self._coordinator.versions.update(versions)
            self._coordinator.step("published")
        for member, number in zip(members, numbers, strict=True):
            member.result = Commit(member.work.tso, number, (member.work.prepared.affected,))
        return True


def number_versions(writes: Sequence[Small], tsos: Sequence[int], known: dict[int, int]) -> dict[int, int]:
    """Give each write its TSO and the versions of its partitions, in order; the last version of each partition."""
    last: dict[int, int] = {}
    for small, tso in zip(writes, tsos, strict=True):
        small.tso = tso
        small.versions = {}
        for part in small.prepared.parts:
            last[part] = next_version(ChainMap(last, known), part)
            small.versions[part] = last[part]
    return last


class _Transaction:
    """The statements of a group, in the order of storage/transaction.py."""

    def __init__(
        self, cursor: Cursor, writes: Sequence[Small], versions: dict[int, int], coordinator: Coordinator
    ) -> None:
        self._cursor = cursor
        self._writes = writes
        self._versions = versions
        self._table = writes[0].prepared.table
        self._step = coordinator.step
        self._now_ms = coordinator.clock()

    def run(self) -> None:
        batches = list(self._batches())
        for place, (batch, _) in enumerate(batches):
            self._cursor.register(source_name(place), batch.rows)  # before BEGIN: it takes the snapshot
        with committed(self._cursor, self._step):
            self._mark()
            for small in self._writes:
                if small.work.moves:
                    offset.move(self._cursor, small.work.moves, self._now_ms)
                    self._step("offset")
            for place, (batch, stamp) in enumerate(batches):
                write(self._cursor, batch, source_name(place), stamp)
                self._step("write")
            self._step("part_version")

    def _mark(self) -> None:
        last = {part: small.tso for small in self._writes for part in small.versions}
        rows = [(part, self._table.id, tso, self._versions[part]) for part, tso in last.items()]
        self._cursor.execute(chained([*table_versions([self._table.id], self._writes[-1].tso), *part_versions(rows)]))
        self._step("table_version")

    def _batches(self) -> Iterator[tuple[Prepared, Stamp]]:
        """The writes laid together as far as they can be, in order."""
        for run in runs(self._table, self._writes):
            if len(run) == 1:
                (small,) = run
                yield small.prepared, Stamp(small.tso, FIRST_LSN, small.versions)
            else:
                yield laid_together(self._table, run), RowStamp(f"s.{ROW_TSO}", FIRST_LSN, {})


def runs(table: Table, writes: Sequence[Small]) -> Iterator[list[Small]]:
    """Cut the writes where they cannot be one batch: a key again, other columns, too many rows."""
    run: list[Small] = []
    keys: set[tuple[object, ...]] = set()
    rows = 0
    for small in writes:
        mine = _keys(table, small.prepared) if table.is_unique else set()
        more = rows + small.prepared.rows.num_rows
        if run and (more > BATCH_ROWS or keys & mine or not _fits(table, run[0], small)):
            yield run
            run, keys, more = [], set(), small.prepared.rows.num_rows
        run.append(small)
        keys |= mine
        rows = more
    yield run


def _fits(table: Table, first: Small, other: Small) -> bool:
    """Whether two writes have the same columns; where sequence values decide who wins, each is looked up alone."""
    names = first.prepared.rows.column_names
    if sequence_of(table) is not None or set(names) != set(other.prepared.rows.column_names):
        return False
    return bool(other.prepared.rows.select(names).schema.equals(first.prepared.rows.schema))


def _keys(table: Table, prepared: Prepared) -> set[tuple[object, ...]]:
    columns = [comparable(prepared.rows[naming.physical(column.name)]) for column in table.keys]
    return set(zip(*columns, strict=True))


def laid_together(table: Table, run: Sequence[Small]) -> Prepared:
    """The rows of several writes as one batch; each row carries TSO, LSN and version of its own write."""
    names = run[0].prepared.rows.column_names
    rows = pa.concat_tables([small.prepared.rows.select(names) for small in run]).combine_chunks()
    if table.model is Model.AGGREGATE:
        return prepare(table, rows.drop_columns([ORDINAL]))
    numbers = np.concatenate([small.prepared.rows[ORDINAL].to_numpy() for small in run]) + FIRST_LSN
    place = rows.schema.get_field_index(ORDINAL)
    rows = rows.set_column(place, ORDINAL, pa.array(np.arange(rows.num_rows)))
    rows = rows.append_column(ROW_LSN, pa.array(numbers))
    tsos = [np.full(small.prepared.rows.num_rows, small.tso, np.int64) for small in run]
    rows = rows.append_column(ROW_TSO, pa.array(np.concatenate(tsos)))
    versions = [small.versions[part] for small in run for part in small.prepared.rows[PART].to_pylist()]
    rows = rows.append_column(ROW_VERSION, pa.array(versions, pa.int64()))
    return Prepared(table, rows, sum(small.prepared.affected for small in run))
