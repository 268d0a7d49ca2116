"""Run statements in a child that may be killed, and take down all that a client can see of database `crash`."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from storage.audit import audit
from tests.crash import child
from tests.local import Local, Session

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.crash.child"])
_STREAM = "__DORIS_STREAM_CHANGE_TYPE_COL__, __DORIS_STREAM_SEQUENCE_COL__, __DORIS_STREAM_LSN_COL__"


@dataclass(frozen=True)
class Seen:
    """What can be read: per table its rows, per changelog and stream its changes, per stream its position."""

    tables: dict[str, list[tuple[object, ...]]]
    records: list[tuple[object, ...]]
    changes: dict[str, list[tuple[object, ...]]]
    lags: dict[tuple[object, ...], bool]


def run(directory: Path, statements: Sequence[str], crash_at: str | None = None) -> int:
    """Run the statements in a child; returns how many were acknowledged.

    With `crash_at` (step[:n]) the child must die of SIGKILL; without it must end in order.
    """
    heard, told = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=child.run, args=(directory, statements, crash_at, told))
    process.start()
    told.close()
    acknowledged = 0
    with contextlib.suppress(EOFError):
        while True:
            heard.recv()
            acknowledged += 1
    process.join(60)
    assert process.exitcode == (-signal.SIGKILL if crash_at else 0)
    return acknowledged


def look(directory: Path, then: Sequence[str] = ()) -> Seen:
    """Open the directory in this process, run `then`, take everything down; the audit must be clean."""
    local = Local(directory)
    try:
        session = local.connect("crash")
        for text in then:
            session.execute(text)
        assert audit(local.database) == []
        return _seen(session)
    finally:
        local.close()


def _seen(session: Session) -> Seen:
    tables = [str(name) for (name,) in session.query("SHOW TABLES")]
    streams = [str(name) for (name,) in session.query("SHOW STREAMS")]
    lags = session.query(
        "SELECT STREAM_NAME, UNIT, LAG FROM information_schema.table_stream_consumption WHERE DB_NAME = 'crash'"
    )
    return Seen(
        {name: sorted(session.query(f"SELECT * FROM {name}"), key=repr) for name in tables},
        _numbered(
            session.query(
                "SELECT __DORIS_CHANGELOG_TSO__, __DORIS_CHANGELOG_OP__, id, v, __DORIS_CHANGELOG_BEFORE_v__"
                ' FROM changelog("table" = "base") ORDER BY __DORIS_CHANGELOG_TSO__, __DORIS_CHANGELOG_LSN__, id'
            )
        ),
        {name: _changes(session, name) for name in streams},
        {(stream, unit): lag == "0" for stream, unit, lag in lags},
    )


def _changes(session: Session, stream: str) -> list[tuple[object, ...]]:
    order = "__DORIS_STREAM_SEQUENCE_COL__, __DORIS_STREAM_LSN_COL__, id"
    rows = session.query(f"SELECT {_STREAM}, id, v FROM {stream} ORDER BY {order}")
    return _numbered([(sequence, kind, *rest) for kind, sequence, _, *rest in rows])


def _numbered(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """Replace the TSO in front of each row by the number of the commit, so that two runs can be compared."""
    numbers = {tso: number for number, tso in enumerate(dict.fromkeys(row[0] for row in rows))}
    return [(numbers[first], *rest) for first, *rest in rows]
