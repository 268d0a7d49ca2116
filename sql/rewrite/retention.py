"""Retention: which TSO is expired for a statement, and what a table still can rebuild.

Expired means physical(tso) <= now - ttl (Doris: Changelog, retention); decided from the TSO when the
statement is bound, never from what is physically there.
"""

from __future__ import annotations

from sql.bind.binding import Binding
from storage.catalog.model import Table
from storage.errors import OFFSET_EXPIRED, DorisError
from storage.tso import to_tso


def ttl_seconds(table: Table) -> int:
    return table.changelog.ttl_seconds if table.changelog else 0


def horizon(binding: Binding, table: Table) -> int:
    """The newest TSO that is expired for this statement, or already purged; reads start after it."""
    edge_ms = binding.now_ms - ttl_seconds(table) * 1000
    expired = to_tso(edge_ms + 1) - 1 if edge_ms > 0 else 0
    return max(expired, binding.reader.purged_tso(table.id))


def expired(table: Table, place: str, tso: int) -> DorisError:
    """The error of a read that would need expired changes; `place` says where they are missing."""
    return OFFSET_EXPIRED(detail=f" ({place}, offset {tso}, ttl {ttl_seconds(table)} s)")
