"""Small writes of one table: which ones share a transaction, and how several become one batch.

    a, b, c: one row each  ->  one batch of three rows that carry their TSO, LSN and version

Writes whose keys differ become one batch; a key that comes again begins the next batch of the same transaction, and
what cannot be laid together follows alone. Pure: who commits them is storage/together.py's matter.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from storage.catalog.model import Model, Table
from storage.catalog.sequence import sequence_of
from storage.cells import comparable
from storage.naming import LSN, MET_TSO, PART, TSO, VERSION
from storage.table.batch import ORDINAL, Prepared, prepare
from storage.table.stamp import Stamp
from storage.transaction import FIRST_LSN, next_version
from storage.work import Batch, Watch, Work, Write

SMALL_ROWS = 100  # a larger write does not wait for others
BATCH_ROWS = 1_000  # rows laid together in one batch


@dataclass(slots=True)
class Small:
    """A write on its way; its rows are prepared for the newest table by the leader."""

    work: Work
    watch: Watch | None
    prepared: Prepared = field(init=False)
    tso: int = 0
    versions: dict[int, int] = field(default_factory=dict)

    @property
    def write(self) -> Write:
        return self.work.writes[0]

    @property
    def stamped(self) -> Prepared:
        """The rows as they are written alone; once it has its TSO and versions."""
        return Stamp(self.tso, FIRST_LSN, self.versions).on(self.prepared)

    @property
    def batch(self) -> Batch:
        assert isinstance(self.write.source, Batch)  # `is_small` takes nothing else
        return self.write.source


def is_small(work: Work) -> bool:
    """Whether a write may share a transaction: a few plain rows of one table, and perhaps stream offsets."""
    if work.change is not None or work.label is not None or work.purges or work.sorts or len(work.writes) != 1:
        return False
    batch = work.writes[0].source
    if not isinstance(batch, Batch) or batch.partial is not None or batch.route is not None:
        return False
    return bool(batch.rows.num_rows <= SMALL_ROWS and batch.rows.schema.get_field_index(MET_TSO) < 0)


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


def laid_together(table: Table, writes: Sequence[Small]) -> Iterator[Prepared]:
    """The batches of several writes in order, as few as can be; stamped where their rows keep a stamp."""
    for run in _runs(table, writes):
        yield run[0].stamped if len(run) == 1 else _one_batch(table, run)


def _runs(table: Table, writes: Sequence[Small]) -> Iterator[list[Small]]:
    """Cut the writes where they cannot be one batch: a key again, other columns, too many rows."""
    run: list[Small] = []
    keys: set[tuple[object, ...]] = set()
    rows = 0
    for small in writes:
        mine = _keys(small.prepared) if table.is_unique else set()
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
    return sequence_of(table) is None and bool(other.prepared.rows.schema.equals(first.prepared.rows.schema))


def _keys(prepared: Prepared) -> set[tuple[object, ...]]:
    return set(zip(*(comparable(prepared.rows[name]) for name in prepared.keys), strict=True))


def _one_batch(table: Table, run: Sequence[Small]) -> Prepared:
    """The rows of several writes as one batch; each carries TSO, LSN and version of its own write.

    Not by stamping one write after the other: that would be six calls into Arrow for each. An aggregated row is
    nobody's own and has none of it.
    """
    rows = pa.concat_tables([small.prepared.rows for small in run]).combine_chunks()
    if table.model is Model.AGGREGATE:
        return prepare(table, rows.drop_columns([ORDINAL]))
    mine = np.repeat(np.arange(len(run)), [small.prepared.rows.num_rows for small in run])  # whose each row is
    tsos = np.array([small.tso for small in run], np.int64)[mine]
    versions = [run[place].versions[part] for place, part in zip(mine.tolist(), rows[PART].to_pylist(), strict=True)]
    columns = {
        TSO: tsos,
        LSN: rows[ORDINAL].to_numpy() + FIRST_LSN,
        VERSION: np.array(versions, np.int64),
        ORDINAL: np.arange(rows.num_rows),
    }
    batch = Prepared(table, rows, sum(small.prepared.affected for small in run))
    return batch.with_columns({name: pa.array(values) for name, values in columns.items()})
