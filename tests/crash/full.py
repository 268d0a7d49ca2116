"""The process whose disk is full: it may not write past a size, first in a commit, then in a checkpoint."""

from __future__ import annotations

import contextlib
import resource
import signal
from multiprocessing.connection import Connection
from pathlib import Path

from storage.audit import audit
from storage.errors import DorisError
from tests.local import Local, Session

TENS = ", ".join(f"({digit})" for digit in range(10))
SETUP = (
    "CREATE DATABASE crash",
    "USE crash",
    "CREATE TABLE digit (d BIGINT) DUPLICATE KEY(d) DISTRIBUTED BY HASH(d) BUCKETS 1",
    f"INSERT INTO digit VALUES {TENS}",
    """CREATE TABLE base (id BIGINT, v VARCHAR(60)) UNIQUE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1
       PROPERTIES ("changelog.enable" = "true", "changelog.need_historical_value" = "true")""",
    "CREATE TABLE target (id BIGINT, v VARCHAR(60)) UNIQUE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1",
    "CREATE STREAM changes ON TABLE base",
    "INSERT INTO base SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d, concat('row ', a.d * 7919 + b.d, ' of many')"
    " FROM digit a, digit b, digit c, digit e",
)
CONSUME = "INSERT INTO target SELECT id, v FROM changes"
ROWS = 10_000


def run(directory: Path, checkpoint: bool, told: Connection) -> None:
    """Tell the errors, what is seen afterwards, and what is seen once there is room again."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    local = Local(directory)
    session = local.connect()
    for text in SETUP:
        session.execute(text)
    _limit(max(path.stat().st_size for path in directory.iterdir()) + 10_000)
    errors = []
    for _ in range(2):
        if checkpoint:
            _limit(20_000)
            with contextlib.suppress(DorisError):
                local.database.checkpoint()
        try:
            session.execute(CONSUME)
        except DorisError as error:
            errors.append(error.message)
    told.send(errors)
    told.send(_seen(session))
    _limit(resource.RLIM_INFINITY)
    session.execute(CONSUME)
    told.send(_seen(session))
    told.send((audit(local.database), local.database.locks.held()))
    local.close()


def _limit(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def _seen(session: Session) -> tuple[object, object]:
    """Rows of the target, changes still pending."""
    return tuple(session.query(f"SELECT count(*) FROM {name}")[0][0] for name in ("target", "changes"))  # type: ignore[return-value]
