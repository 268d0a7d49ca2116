"""The common end of every DDL statement: one change of the catalog, committed at once.

The change runs under the exclusive catalog lock with the newest catalog, so its checks cannot be
overtaken. Ids come from a counter of their own; those of a statement that fails are never used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from sql.ddl.partition import Stamp
from sql.result import Done
from sql.statement import Call
from storage.work import Change, Work

if TYPE_CHECKING:
    from sql.engine import Engine


def commit(call: Call[exp.Expression], change: Change) -> Done:
    """Apply one change; from the allocation of its TSO on, KILL has no effect on it."""
    context = call.context
    call.engine.database.apply(Work(change=change), context)
    return Done()


def stamp(engine: Engine, count: int = 0) -> Stamp:
    """Ids for new objects, `count` of them taken at once, and the time they are made at."""
    ids = iter(engine.database.reserve_ids(count))

    def take() -> int:
        taken = next(ids, None)
        return engine.database.reserve_ids(1)[0] if taken is None else taken

    return Stamp(take, engine.database.reference_tso())
