"""Declare every error a client can see: MySQL code, SQLSTATE and Doris's words, each exactly once.

A `Kind` is called with the words of its template and returns the exception to raise:
``raise UNKNOWN_DATABASE(name="shop")``. The prefix ``errCode = 2, detailMessage = `` is not part
of any template; server/packet.py adds it to code 1105. This module imports nothing of the project.
"""

from __future__ import annotations

from dataclasses import dataclass


class DorisError(Exception):
    """An answer to the client that is not a result: code, SQLSTATE and message."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.code = kind.code
        self.sqlstate = kind.sqlstate
        self.message = message


@dataclass(frozen=True, slots=True)
class Kind:
    """One declared error; `template` uses the names its callers give."""

    code: int
    sqlstate: str
    template: str

    def __call__(self, **words: object) -> DorisError:
        return DorisError(self, self.template.format(**words))


def general(template: str) -> Kind:
    """An analysis or run-time error of Doris: 1105 / HY000 (Doris: ErrorCode ERR_UNKNOWN_ERROR)."""
    return Kind(1105, "HY000", template)
