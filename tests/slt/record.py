"""Read a scenario file into records; knows nothing of servers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

_CHANGES_THE_SERVER = frozenset({"restart", "kill", "set_config"})
_CHANGES_SETTINGS = re.compile(r"\s*(ADMIN\s+SET|SET\s+GLOBAL)\b", re.IGNORECASE)


@dataclass(slots=True)
class Record:
    """One step: the head line, the lines up to `----`, and those after it (None without `----`)."""

    line: int
    head: str
    body: list[str] = field(default_factory=list)
    expected: list[str] | None = None

    @property
    def kind(self) -> str:
        """The first word of the head."""
        return self.head.split()[0]

    @property
    def words(self) -> list[str]:
        """The head's second word, and all that follows it as one text (a regular expression keeps its blanks)."""
        return self.head.split(None, 2)[1:]

    @property
    def sql(self) -> str:
        return "\n".join(self.body).strip().rstrip(";")


def read(path: Path) -> list[Record]:
    """Split a file at blank lines; lines that start with # are comments, but not after `----`."""
    records: list[Record] = []
    current: Record | None = None
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not text.strip():
            current = None
        elif current is None:
            if not text.startswith("#"):
                current = Record(number, text.strip())
                records.append(current)
        else:
            _add(current, text)
    return records


def _add(record: Record, text: str) -> None:
    if text.strip() == "----" and record.expected is None:
        record.expected = []
    elif record.expected is not None:
        record.expected.append(text)
    elif not text.startswith("#"):
        record.body.append(text)


def changes_the_server(records: list[Record]) -> bool:
    """Tell whether a scenario restarts, kills or reconfigures its server and so wants one of its own."""
    return any(record.kind in _CHANGES_THE_SERVER or _CHANGES_SETTINGS.match(record.sql) for record in records)


def squeeze(text: str) -> str:
    """Count each run of white space as one blank."""
    return re.sub(r"\s+", " ", text).strip()


def show(value: object) -> str:
    """Print a value as scenario files spell it."""
    if value is None:
        return "NULL"
    if value in ("", b""):
        return "(empty)"
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
