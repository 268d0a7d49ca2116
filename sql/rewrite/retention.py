"""Retention: which TSO is expired for a statement, and what a table still can rebuild.

Expired means physical(tso) <= now - ttl (Doris: Changelog, retention); decided from the TSO when the
statement is bound, never from what is physically there.
"""

from __future__ import annotations

from dataclasses import dataclass

from sql.bind.binding import Binding
from storage.catalog.model import Table
from storage.errors import OFFSET_EXPIRED, DorisError
from storage.tso import expired_tso


def ttl_seconds(table: Table) -> int:
    return table.changelog.ttl_seconds if table.changelog else 0


@dataclass(frozen=True, slots=True)
class Retention:
    """What a statement may still read of a table: `expired` by age, `purged` physically, as TSOs; 0 when nothing is."""

    expired: int
    purged: int

    @property
    def horizon(self) -> int:
        """The newest TSO whose changes may not be read; reads that skip start after it."""
        return max(self.expired, self.purged)

    def lost(self, tso: int) -> bool:
        """Whether the state of the table at a TSO cannot be told any more.

        It is when the TSO itself is expired, or when changes after it are gone, which a TTL that was made
        longer does not bring back (Doris: Changelog, retention).
        """
        return tso <= self.expired or tso < self.purged


NOTHING_LOST = Retention(expired=0, purged=0)


def retention(binding: Binding, table: Table) -> Retention:
    """The retention of a table at the statement's reference TSO; a definition alone reads nothing that may be lost."""
    if binding.describes:
        return NOTHING_LOST
    return Retention(expired_tso(binding.now_ms, ttl_seconds(table)), binding.reader.purged_tso(table.id))


def expired(table: Table, place: str, tso: int) -> DorisError:
    """The error of a read that would need expired changes; `place` says where they are missing."""
    return OFFSET_EXPIRED(detail=f" ({place}, offset {tso}, ttl {ttl_seconds(table)} s)")
