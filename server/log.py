"""fe.log and fe.audit.log: where log lines go and how they look.

Doris's form: ``2026-11-30 10:12:34,567 INFO (mysql-7|140211) [session.answer():93] text``. Both files are rolled
by size. Nothing else configures logging.
"""

from __future__ import annotations

import logging
import logging.handlers
from pathlib import Path

from server.audit import AUDIT

_ROLL_BYTES = 1 << 30
_ROLL_FILES = 10
_LEVELS = {"DEBUG": logging.DEBUG, "INFO": logging.INFO, "WARN": logging.WARNING, "ERROR": logging.ERROR}
_WHERE = "(%(threadName)s|%(thread)d) [%(module)s.%(funcName)s():%(lineno)d]"
_LINE = f"%(asctime)s,%(msecs)03d %(levelname)s {_WHERE} %(message)s"
_AUDIT_LINE = "%(asctime)s,%(msecs)03d %(message)s"
_TIME = "%Y-%m-%d %H:%M:%S"


def configure(directory: Path, level: str) -> None:
    """Open the two files; raises OSError when they cannot be written, ValueError for an unknown level."""
    if level.upper() not in _LEVELS:
        raise ValueError(level)
    directory.mkdir(parents=True, exist_ok=True)
    logging.addLevelName(logging.WARNING, "WARN")
    root = logging.getLogger()
    root.addHandler(_handler(directory / "fe.log", _LINE))
    root.setLevel(_LEVELS[level.upper()])
    AUDIT.addHandler(_handler(directory / "fe.audit.log", _AUDIT_LINE))
    AUDIT.setLevel(logging.INFO)
    AUDIT.propagate = False
    for chatty in ("asyncio", "uvicorn.error", "sqlglot"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


def _handler(path: Path, line: str) -> logging.Handler:
    handler = logging.handlers.RotatingFileHandler(
        path, maxBytes=_ROLL_BYTES, backupCount=_ROLL_FILES, encoding="utf-8", errors="backslashreplace"
    )
    handler.setFormatter(logging.Formatter(line, _TIME))
    return handler


def close() -> None:
    """Write out and close both files."""
    logging.shutdown()
