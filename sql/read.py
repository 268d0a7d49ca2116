"""Open the reader of a statement: one snapshot, interruptible, waiting where an upper time is named."""

from __future__ import annotations

from sqlglot import exp

from sql.bind.binding import Binding
from sql.dialect.clause import AtClause
from sql.statement import Call
from storage.errors import COMMITS_IN_FLIGHT

SETTLE_SECONDS = 10.0


def open_binding(call: Call[exp.Expr]) -> Binding:
    """The statement's view of the data; the caller closes its reader.

    A read with an upper time first waits for the commits in flight: one of them may carry an older TSO
    than a commit that is visible already, and the same window must not change later (storage: commit).
    """
    database = call.engine.database
    if _may_name_a_time(call) and not database.timestamps.settle(database.reference_tso(), SETTLE_SECONDS):
        raise COMMITS_IN_FLIGHT(seconds=SETTLE_SECONDS)
    reader = database.reader()
    try:
        call.context.running(reader)
        call.context.analysed = reader.catalog
        return Binding(call.engine, call.context, reader, database.reference_tso())
    except BaseException:
        reader.close()
        raise


def _may_name_a_time(call: Call[exp.Expr]) -> bool:
    """Whether the statement, or a view that it may mean, reads up to a given time."""
    tables = list(call.node.find_all(exp.Table))
    if call.node.find(AtClause) is not None or any(table.args.get("version") for table in tables):
        return True
    views = {view.name for view in call.engine.database.catalog.views.values()}
    return any(table.name in views for table in tables)
