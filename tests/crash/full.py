"""The process whose disk is full: it may not write past a size, in a commit or in a checkpoint before or behind it."""

from __future__ import annotations

import contextlib
import logging
import random
import resource
import signal
from multiprocessing.connection import Connection
from pathlib import Path

from storage import cursor, duck
from storage.audit import audit
from storage.errors import DorisError
from tests.local import Local, Session

TENS = ", ".join(f"({digit})" for digit in range(10))
SETUP = (
    "CREATE DATABASE crash",
    "USE crash",
    "CREATE TABLE digit (d BIGINT) DUPLICATE KEY(d) DISTRIBUTED BY HASH(d) BUCKETS 1",
    f"INSERT INTO digit VALUES {TENS}",
    """CREATE TABLE base (id BIGINT, v VARCHAR(20000)) UNIQUE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1
       PROPERTIES ("changelog.enable" = "true", "changelog.need_historical_value" = "true")""",
    "CREATE TABLE target (id BIGINT, v VARCHAR(60)) UNIQUE KEY(id) DISTRIBUTED BY HASH(id) BUCKETS 1",
    "CREATE STREAM changes ON TABLE base",
    "INSERT INTO base SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d, concat('row ', a.d * 7919 + b.d, ' of many')"
    " FROM digit a, digit b, digit c, digit e",
)
CONSUME = "INSERT INTO target SELECT id, v FROM changes"
ROWS = 10_000
WRITES = 60


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


def run_behind(directory: Path, told: Connection) -> None:
    """Write where the file has no room for the checkpoint of a COMMIT; tell how many failed, what was done, what is."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    duck._SETTINGS["checkpoint_threshold"] = "100KB"  # by default 48 MB must be written to get there
    failed = _Failures()
    logging.getLogger(duck.__name__).addHandler(failed)
    local = Local(directory)
    session = local.connect()
    for text in SETUP[:5]:
        session.execute(text)
    local.database.checkpoint()
    _limit((directory / duck.FILE_NAME).stat().st_size)
    done = [number for number in range(WRITES) if _writes(session, number)]
    _limit(resource.RLIM_INFINITY)
    told.send((failed.count, done, [number for (number,) in session.query("SELECT id FROM base ORDER BY id")]))
    told.send((audit(local.database), local.database.locks.held()))
    local.close()


class _Failures(logging.Handler):
    """Counts the checkpoints that failed behind a COMMIT."""

    count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += record.exc_info is not None and str(record.exc_info[1]).startswith(cursor._DURABLE)


def _writes(session: Session, number: int) -> bool:
    text = random.Random(number).randbytes(5_000).hex()
    with contextlib.suppress(DorisError):
        return session.execute(f"INSERT INTO base VALUES ({number}, '{text}')") == 1
    return False


def _limit(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def _seen(session: Session) -> tuple[object, object]:
    """Rows of the target, changes still pending."""
    return tuple(session.query(f"SELECT count(*) FROM {name}")[0][0] for name in ("target", "changes"))  # type: ignore[return-value]
