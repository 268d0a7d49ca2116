"""Java properties files, as fe.conf is one (Doris: FE Configuration)."""

from __future__ import annotations

from collections.abc import Iterator


def properties(text: str) -> dict[str, str]:
    """Parse Java properties: comments, continuation lines, blanks around key and value; the last of equal keys wins."""
    found: dict[str, str] = {}
    for line in _logical_lines(text):
        name, _, value = line.partition("=")
        found[name.strip()] = value.strip()
    return found


def _logical_lines(text: str) -> Iterator[str]:
    pending = ""
    for line in text.splitlines():
        stripped = line.strip()
        if not pending and (not stripped or stripped[0] in "#!"):
            continue
        pending += stripped
        if pending.endswith("\\"):
            pending = pending[:-1]
            continue
        yield pending
        pending = ""
    if pending:
        yield pending
