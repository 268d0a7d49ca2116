"""Several small writes of one table in one DuckDB transaction, each with its own TSO, version and outcome.

Called by the leader of a group (storage/group.py); which rows become one batch decides storage/small.py. If anything
fails, everything is rolled back and the members are committed one by one, so that a bad one fails alone.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import closing

from storage import offset
from storage.commit import Coordinator, bound_table
from storage.cursor import Cursor
from storage.errors import DorisError
from storage.group import Groups, Member, Take
from storage.lock import Ask
from storage.small import Small, joined, laid_together, number_versions
from storage.table.batch import Prepared
from storage.table.opening import Opening
from storage.table.write import write
from storage.transaction import Planned, committed, part_versions
from storage.work import Commit, Watch, Work, ask_of

LOG = logging.getLogger(__name__)


class Together:
    """Commits small writes in groups; one per open database."""

    def __init__(self, coordinator: Coordinator) -> None:
        self._coordinator = coordinator
        self._groups: Groups[Small, Commit] = Groups()

    def apply(self, work: Work, watch: Watch | None) -> Commit:
        """Do all of `work` or nothing, in the company of who else writes to the table; see `Coordinator.apply`."""
        table_id, ask = work.writes[0].table_id, ask_of(watch)
        return self._groups.submit(table_id, Small(work, watch), lambda take: self._lead(table_id, take, ask), ask)

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
            cursor.begin()  # while the others come
            members = take()
            streams = {move.stream_id for member in members for move in member.work.work.moves}
            with self._coordinator.locks.writing((), streams, ()):
                self._coordinator.step("locked")
                self._commit(cursor, [member for member in members if self._is_ready(member)])

    def _is_ready(self, member: Member[Small, Commit]) -> bool:
        """Check a member against the newest catalog, offsets first; a bad one fails alone."""
        small, catalog = member.work, self._coordinator.published.newest
        try:
            offset.check(catalog, small.work.moves)
            small.table = bound_table(catalog, small.write)
            if small.watch is not None:
                small.watch.committing()
        except Exception as error:  # noqa: BLE001  raised in the member's own thread
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
        try:
            planned = Planned(small.table, small.prepared)
            member.result = self._coordinator.commit(cursor, small.work, catalog, catalog, [planned], None)
        except Exception as error:  # noqa: BLE001  raised in the member's own thread
            member.error = error

    def _commit_together(self, cursor: Cursor, members: Sequence[Member[Small, Commit]]) -> bool:
        """One transaction for all of them; False when it failed, with nothing done."""
        writes = [member.work for member in members]
        numbers = self._coordinator.transactions.take(len(members))
        with self._coordinator.stamps(len(members)) as tsos:
            self._coordinator.step("tso")
            try:
                rows = joined(writes)
                versions = number_versions(writes, rows, tsos, self._coordinator.versions)
                batches = list(laid_together(writes[0].table, writes, rows))
                _Transaction(cursor, writes, versions, self._coordinator).run(batches)
            except DorisError as error:
                LOG.info("%s writes are committed one by one: %s", len(members), error.message)
                return False
            except Exception:
                LOG.exception("%s writes are committed one by one", len(members))
                return False
            self._coordinator.versions.update(versions)
            self._coordinator.step("published")
        for member, number in zip(members, numbers, strict=True):
            member.result = Commit(member.work.tso, number, (member.work.rows.num_rows,))
        return True


class _Transaction:
    """The statements of a group, in the order of storage/transaction.py."""

    def __init__(
        self, cursor: Cursor, writes: Sequence[Small], versions: dict[int, int], coordinator: Coordinator
    ) -> None:
        self._cursor = cursor
        self._writes = writes
        self._versions = versions
        self._table = writes[0].table
        self._step = coordinator.step
        self._bounds = coordinator.bounds
        self._now_ms = coordinator.clock()

    def run(self, batches: Sequence[Prepared]) -> None:
        """All statements from BEGIN to COMMIT; `batches` hold the rows of the writes."""
        with self._bounds.learned([self._table.id]), committed(self._cursor, self._step):
            opening = Opening(self._versions_replaced())
            self._step("mark")
            for small in self._writes:
                if small.work.moves:
                    offset.move(self._cursor, small.work.moves, self._now_ms)
                    self._step("offset")
            for batch in batches:
                write(self._cursor, batch, opening, self._bounds)
                self._step("write")
            opening.run(self._cursor)
            self._step("part_version")

    def _versions_replaced(self) -> list[str]:
        last = {part: small.tso for small in self._writes for part in small.versions}
        rows = [(part, self._table.id, tso, self._versions[part]) for part, tso in last.items()]
        return part_versions(rows)
