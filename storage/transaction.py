"""The DuckDB transaction of one commit: its statements, in the one order that is safe.

Called by storage/commit.py with every lock held and the TSO allocated. An error inside is never followed by
COMMIT (DuckDB would answer OK and store nothing).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from storage import naming, offset
from storage.catalog import physical, store
from storage.catalog.catalog import Catalog
from storage.catalog.model import Table
from storage.catalog.schema import LABEL, PART_VERSION, TABLE_VERSION
from storage.cursor import Cursor
from storage.errors import LABEL_USED
from storage.rows import chained, select
from storage.step import Step
from storage.table import duplicate, history, key_order, unique
from storage.table.batch import Prepared, prepare
from storage.table.key_bound import KeyBounds
from storage.table.opening import Opening
from storage.table.stamp import Stamp
from storage.table.write import write
from storage.tso import expired_tso
from storage.work import Label, Predicate, Purge, Query, Sort, Watch, Work

UNWRITTEN = 1  # the version of a partition without rows; its first write gives 2
FIRST_LSN = 1


@dataclass(frozen=True, slots=True)
class Planned:
    """A write bound to its table; a batch is prepared, the others are evaluated in here."""

    table: Table
    source: Prepared | Query | Predicate


@contextmanager
def committed(cursor: Cursor, step: Step, watch: Watch | None = None) -> Iterator[None]:
    """The transaction of a commit, with its steps; user data is committed nowhere else."""
    with cursor.transaction():
        step("begun")
        yield
        step("before_commit")
        if watch is not None:
            watch.committing()
    step("after_commit")


def next_version(versions: Mapping[int, int], part: int) -> int:
    """The version of a partition after one more commit."""
    return versions.get(part, UNWRITTEN) + 1


class Transaction:
    """One attempt; `new_versions` holds the partition versions it wrote."""

    def __init__(
        self, cursor: Cursor, tso: int, number: int, versions: Mapping[int, int], bounds: KeyBounds, now_ms: int,
        step: Step,
    ) -> None:  # fmt: skip
        self._cursor = cursor
        self._tso = tso
        self._number = number
        self._versions = versions
        self._bounds = bounds
        self._now_ms = now_ms
        self._step = step
        self._lsn = FIRST_LSN
        self._written: dict[int, int] = {}  # partition id -> table id
        self.new_versions: dict[int, int] = {}

    def run(
        self, work: Work, old: Catalog, new: Catalog, planned: Sequence[Planned], watch: Watch | None
    ) -> tuple[int, ...]:
        """All statements from BEGIN to COMMIT; the affected rows of each write.

        `watch` may stop it up to COMMIT: an UPDATE spends its time in here, since its rows are found under the lock.
        """
        written = [plan.table.id for plan in planned]
        with self._bounds.learned(written), committed(self._cursor, self._step, watch):
            opening = self._opening(planned)
            if work.moves:
                offset.move(self._cursor, work.moves, self._now_ms)
                self._step("offset")
            if work.label is not None:
                self._store_label(work.label)
            if new is not old:
                self._change(old, new)
            self._check_met(planned)
            affected = tuple(self._write(plan, opening) for plan in planned)
            opening.run(self._cursor)
            if self.new_versions:
                self._step("part_version")
            self._purge(new, work.purges)
            self._sort(new, work.sorts)
        return affected

    def _opening(self, planned: Sequence[Planned]) -> Opening:
        """The mark: new rows for the partitions that are known by now.

        A table whose rows are yet to be found has a row of its own for it, and that is written before they are sought.
        """
        for plan in planned:
            if isinstance(plan.source, Prepared):
                self._touch(plan.table, plan.source.parts)
        sought = sorted({plan.table.id for plan in planned if not isinstance(plan.source, Prepared)})
        replaced = [*table_versions(sought, self._tso), *self._replaced(self.new_versions)]
        opening = Opening(replaced)
        if sought:
            opening.run(self._cursor)
        if replaced:
            self._step("mark")
        return opening

    def _check_met(self, planned: Sequence[Planned]) -> None:
        for plan in planned:
            if isinstance(plan.source, Prepared):
                unique.check_met(self._cursor, plan.source)

    def _store_label(self, label: Label) -> None:
        key = (label.database_id, label.name)
        used = self._cursor.rows(f"SELECT transaction_id FROM {LABEL.name} WHERE database_id = ? AND name = ?", key)
        if used:
            raise LABEL_USED(label=label.name, transaction=used[0][0])
        self._cursor.execute(f"INSERT INTO {LABEL.name} VALUES (?, ?, ?, ?)", (*key, self._number, self._now_ms))
        self._step("label")

    def _change(self, old: Catalog, new: Catalog) -> None:
        store.save(self._cursor, old, new, self._tso)
        for statement in physical.statements(old, new):
            self._cursor.execute(statement)
        self._step("change")

    def _purge(self, catalog: Catalog, purges: Iterable[Purge]) -> None:
        """Remove old records; the retention of this moment bounds it, since it may have been made longer."""
        for purge in purges:
            table = catalog.tables.get(purge.table_id)
            if table is not None and table.changelog is not None:
                bound = min(purge.tso, expired_tso(self._now_ms, table.changelog.ttl_seconds))
                history.purge(self._cursor, table, bound)
                self._step("write")

    def _sort(self, catalog: Catalog, sorts: Iterable[Sort]) -> None:
        for sort in sorts:
            key_order.sort(self._cursor, catalog, sort, self._tso)
            self._step("write")

    def _write(self, plan: Planned, opening: Opening) -> int:
        affected = self._predicate(plan) if isinstance(plan.source, Predicate) else self._rows(plan, opening)
        self._step("write")
        return affected

    def _predicate(self, plan: Planned) -> int:
        assert isinstance(plan.source, Predicate)
        counts = duplicate.remove(self._cursor, plan.table, plan.source.sql, self._tso, self._lsn)
        self._mark_partitions(plan.table, counts)
        affected = sum(counts.values())
        self._lsn += affected
        return affected

    def _rows(self, plan: Planned, opening: Opening) -> int:
        """Write a batch; that of a Query is evaluated now, under the lock."""
        batch = plan.source
        if isinstance(batch, Query):
            batch = prepare(plan.table, self._cursor.table(batch.sql))
            self._mark_partitions(plan.table, batch.parts)
        assert isinstance(batch, Prepared)
        by_statement = isinstance(plan.source, Query) or batch.has(naming.MET_TSO)
        stamped = Stamp(self._tso, self._lsn, self.new_versions).on(batch)
        write(self._cursor, stamped, opening, self._bounds, statement_delete=by_statement)
        self._lsn += batch.affected
        return batch.affected

    def _mark_partitions(self, table: Table, parts: Iterable[int]) -> None:
        """Write the rows of partitions that are known only after a Query or Predicate has run."""
        fresh = self._touch(table, parts)
        if fresh:
            self._cursor.execute(chained(self._replaced(fresh)))

    def _touch(self, table: Table, parts: Iterable[int]) -> list[int]:
        """Note partitions that this commit writes and give them their next version; those not yet noted."""
        fresh = [part for part in parts if part not in self.new_versions]
        for part in fresh:
            self._written[part] = table.id
            self.new_versions[part] = next_version(self._versions, part)
        return fresh

    def _replaced(self, parts: Iterable[int]) -> list[str]:
        return part_versions([(part, self._written[part], self._tso, self.new_versions[part]) for part in parts])


def table_versions(tables: Sequence[int], tso: int) -> list[str]:
    """Replace the rows of tables whose partitions are not known yet."""
    if not tables:
        return []
    values = ", ".join(f"({table}, {tso})" for table in tables)
    return [
        f"DELETE FROM {TABLE_VERSION.name} WHERE table_id IN ({', '.join(map(str, tables))})",
        f"INSERT INTO {TABLE_VERSION.name} VALUES {values}",
    ]


def part_versions(rows: Sequence[tuple[int, int, int, int]]) -> list[str]:
    """Replace the rows (partition, table, TSO, version) that readers take their bounds from."""
    if not rows:
        return []
    return [
        f"DELETE FROM {PART_VERSION.name} WHERE part_id IN ({', '.join(str(row[0]) for row in rows)})",
        f"INSERT INTO {PART_VERSION.name} {select(rows, ['BIGINT'] * 4)}",
    ]
