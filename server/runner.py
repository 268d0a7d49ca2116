"""What the server needs of sql.engine.Engine; a stand-in for tests has the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from sql.context import Context
from sql.prepared import Prepared, Value
from sql.result import Result


class Runner(Protocol):
    """What a session needs of sql.engine.Engine."""

    def context(self, connection_id: int, user: str, host: str) -> Context: ...

    def leave(self, context: Context) -> None: ...

    def run(self, text: str, context: Context) -> Iterator[Result]: ...

    def prepare(self, text: str, context: Context) -> Prepared: ...

    def execute(self, prepared: Prepared, values: Sequence[Value], context: Context) -> Iterator[Result]: ...
