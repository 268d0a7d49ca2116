"""Small writes of one table: which ones share a transaction, and how several become one batch.

    a, b, c: one row each  ->  one batch of three rows that carry their TSO, LSN and version

Writes whose keys differ become one batch; a key that comes again begins the next batch of the same transaction, and
what cannot be laid together follows alone. Pure: who commits them is storage/together.py's matter.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

import numpy as np
import pyarrow as pa

from storage.catalog.model import Model, Table
from storage.catalog.sequence import sequence_of
from storage.cells import comparable
from storage.naming import LSN, MET_TSO, PART, TSO, VERSION
from storage.table.batch import ORDINAL, Prepared, parts_of, prepare
from storage.table.stamp import Stamp
from storage.table.winner import are_distinct
from storage.transaction import FIRST_LSN, next_version
from storage.work import Batch, Watch, Work, Write

SMALL_ROWS = 100  # a larger write does not wait for others
BATCH_ROWS = 1_000  # rows laid together in one batch


@dataclass
class Small:
    """A write on its way to a table, which the leader binds to it."""

    work: Work
    watch: Watch | None
    table: Table = field(init=False)
    tso: int = 0
    versions: dict[int, int] = field(default_factory=dict)

    @property
    def write(self) -> Write:
        return self.work.writes[0]

    @cached_property
    def rows(self) -> pa.Table:
        """The rows as they came."""
        assert isinstance(self.write.source, Batch)  # `is_small` takes nothing else
        return self.write.source.rows

    @cached_property
    def prepared(self) -> Prepared:
        """The rows as a batch of their own."""
        return prepare(self.table, self.rows)

    @property
    def stamped(self) -> Prepared:
        """The same as it is written alone; once it has its TSO and versions."""
        return Stamp(self.tso, FIRST_LSN, self.versions).on(self.prepared)


def is_small(work: Work) -> bool:
    """Whether a write may share a transaction: a few plain rows of one table, and perhaps stream offsets."""
    if work.change is not None or work.label is not None or work.purges or work.sorts or len(work.writes) != 1:
        return False
    batch = work.writes[0].source
    if not isinstance(batch, Batch) or batch.partial is not None or batch.route is not None:
        return False
    return bool(batch.rows.num_rows <= SMALL_ROWS and batch.rows.schema.get_field_index(MET_TSO) < 0)


def joined(writes: Sequence[Small]) -> pa.Table | None:
    """All rows one after the other, if they have the same columns: what is done with these is done once for all."""
    try:
        return pa.concat_tables([small.rows for small in writes]).combine_chunks()
    except pa.ArrowInvalid:
        return None


def number_versions(
    writes: Sequence[Small], rows: pa.Table | None, tsos: Sequence[int], known: dict[int, int]
) -> dict[int, int]:
    """Give each write its TSO and the versions of its partitions, in order; the last version of each partition."""
    last: dict[int, int] = {}
    versions = ChainMap(last, known)
    for small, tso, parts in zip(writes, tsos, _parts(writes, rows), strict=True):
        small.tso = tso
        small.versions = {part: next_version(versions, part) for part in parts}
        last.update(small.versions)
    return last


def _parts(writes: Sequence[Small], rows: pa.Table | None) -> Iterator[Sequence[int]]:
    """The partition ids of each write."""
    if rows is None:
        yield from (parts_of(small.rows) for small in writes)
        return
    ids = iter(rows[PART].to_pylist())
    for small in writes:
        yield sorted(set(islice(ids, small.rows.num_rows)))


def laid_together(table: Table, writes: Sequence[Small], rows: pa.Table | None) -> Iterator[Prepared]:
    """The batches of several writes in order, as few as can be; stamped where their rows keep a stamp.

    Mostly it is one, of their `joined` rows as they are.
    """
    if rows is not None and rows.num_rows <= BATCH_ROWS and sequence_of(table) is None:
        whole = _one_batch(table, writes, rows, [small.rows.num_rows for small in writes])
        if not table.is_unique or are_distinct(whole.rows, whole.keys):
            yield whole
            return
    for run in _runs(table, writes):
        yield run[0].stamped if len(run) == 1 else _of_prepared(table, run)


def _runs(table: Table, writes: Sequence[Small]) -> Iterator[list[Small]]:
    """Cut the writes where they cannot be one batch: a key again, other columns, too many rows."""
    run: list[Small] = []
    keys: set[tuple[object, ...]] = set()
    rows = 0
    for small in writes:
        mine = _keys(small.prepared) if table.is_unique else set()
        more = rows + small.prepared.rows.num_rows
        if run and (more > BATCH_ROWS or keys & mine or not _fits(table, run[0].rows, small.rows)):
            yield run
            run, keys, more = [], set(), small.prepared.rows.num_rows
        run.append(small)
        keys |= mine
        rows = more
    yield run


def _fits(table: Table, first: pa.Table, other: pa.Table) -> bool:
    """Whether two writes have the same columns; where sequence values decide who wins, each is looked up alone."""
    return sequence_of(table) is None and bool(other.schema.equals(first.schema))


def _keys(prepared: Prepared) -> set[tuple[object, ...]]:
    return set(zip(*(comparable(prepared.rows[name]) for name in prepared.keys), strict=True))


def _of_prepared(table: Table, run: Sequence[Small]) -> Prepared:
    """One batch of rows that were prepared write by write; those that are aggregated are prepared as a whole."""
    pieces = [small.rows if table.model is Model.AGGREGATE else small.prepared.rows for small in run]
    return _one_batch(table, run, pa.concat_tables(pieces).combine_chunks(), [piece.num_rows for piece in pieces])


def _one_batch(table: Table, run: Sequence[Small], rows: pa.Table, counts: Sequence[int]) -> Prepared:
    """The rows of several writes, so many of each, as one batch; each carries TSO, LSN and version of its own write.

    Not by stamping one write after the other: that would be six calls into Arrow for each. An aggregated row is
    nobody's own and has none of it.
    """
    if table.model is Model.AGGREGATE:
        return prepare(table, rows)
    mine = np.repeat(np.arange(len(run)), counts)  # whose each row is
    versions = [run[place].versions[part] for place, part in zip(mine.tolist(), rows[PART].to_pylist(), strict=True)]
    columns = {
        TSO: np.array([small.tso for small in run], np.int64)[mine],
        LSN: _ordinals(rows, counts) + FIRST_LSN,
        VERSION: np.array(versions, np.int64),
        ORDINAL: np.arange(rows.num_rows),
    }
    batch = Prepared(table, rows, rows.num_rows).with_columns({name: pa.array(new) for name, new in columns.items()})
    batch.check_partitions()
    return batch


def _ordinals(rows: pa.Table, counts: Sequence[int]) -> np.ndarray:
    """The place of each row in its own write: where it was prepared that is known, else the rows are all that came."""
    if rows.schema.get_field_index(ORDINAL) >= 0:
        known: np.ndarray = rows[ORDINAL].to_numpy()
        return known
    return np.arange(rows.num_rows) - np.repeat(np.cumsum(counts) - counts, counts)
