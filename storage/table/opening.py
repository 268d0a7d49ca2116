"""The first writes of a transaction: the new versions of the partitions that it is known to write.

Before a row id is read they must be done, for a checkpoint of another table's commit may move row ids until a
transaction has written (docs/duckdb.md). A write that reads none does them together with its rows.
"""

from __future__ import annotations

from collections.abc import Sequence

from storage.cursor import Cursor
from storage.rows import chained


class Opening:
    """Statements that are run once: by whoever takes them, or by `run`."""

    def __init__(self, statements: Sequence[str]) -> None:
        self._statements = list(statements)

    def take(self) -> list[str]:
        """The statements, to be run together with the next; none when that was done."""
        taken, self._statements = self._statements, []
        return taken

    def run(self, cursor: Cursor) -> None:
        """Run the statements now, if nobody has."""
        if self._statements:
            cursor.execute(chained(self.take()))
