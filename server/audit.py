"""The audit log: one line for each statement, in the style of Doris's fe.audit.log.

Where the lines go is decided by server/log.py. A line break in a statement is written as ``\\n``, so that a line
stays a line; passwords are not written (Doris: ``*XXX``).
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass

_PASSWORD = re.compile(
    r"""(\bidentified\s+by\s+(?:password\s+)?|^set\s+password\b[^=]*=\s*(?:password\s*\(\s*)?|\bpassword\s*\(\s*)"""
    r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""",
    re.IGNORECASE | re.DOTALL,
)

AUDIT = logging.getLogger("dorisette.audit")


@dataclass(frozen=True, slots=True)
class Entry:
    """One finished statement; `rows` were sent or affected, `code` is 0 or the error's."""

    query_id: str
    user: str
    host: str
    database: str | None
    milliseconds: int
    rows: int
    code: int
    statement: str


def _masked(statement: str) -> str:
    """The statement without passwords; looking for the words first spares long INSERTs a slow search."""
    lowered = statement.lower()
    has_password = "password" in lowered or "identified" in lowered
    return _PASSWORD.sub(r"\1'*XXX'", statement) if has_password else statement


def _on_one_line(statement: str) -> str:
    """Looking for a character takes a tenth of the time of replacing it, and a long INSERT rarely has one."""
    for character, written in (("\\", "\\\\"), ("\n", "\\n"), ("\r", "\\r")):
        if character in statement:
            statement = statement.replace(character, written)
    return statement


def record(entry: Entry) -> None:
    """Write the line of a statement."""
    if not AUDIT.isEnabledFor(logging.INFO):
        return
    statement = _on_one_line(_masked(entry.statement.strip()))
    AUDIT.info(
        "[query] |QueryId=%s|User=%s|Client=%s|Db=%s|Time(ms)=%d|ReturnRows=%d|State=%s|ErrorCode=%d|Stmt=%s",
        entry.query_id,
        entry.user,
        entry.host,
        entry.database or "",
        entry.milliseconds,
        entry.rows,
        "ERR" if entry.code else "OK",
        entry.code,
        statement,
    )


class Journal:
    """The last statement of a connection, as long as its line is not written: that may wait until it is answered."""

    def __init__(self) -> None:
        self._last: Entry | None = None

    def note(self, entry: Entry) -> None:
        """Keep a finished statement, and write the one before it."""
        self.write()
        self._last = entry

    def write(self) -> None:
        """Write what is kept, once."""
        last, self._last = self._last, None
        if last is not None:
            record(last)
