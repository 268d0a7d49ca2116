"""What a commit writes beside the user's columns: TSO, LSN, and the version of each partition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from storage.naming import PART, PREFIX
from storage.rows import relation
from storage.table.batch import ORDINAL

ROW_TSO = PREFIX + "row_tso"  # BIGINT of a batch that several commits share (storage/small.py)
ROW_LSN = PREFIX + "row_lsn"
ROW_VERSION = PREFIX + "row_version"


@dataclass(frozen=True, slots=True)
class Stamp:
    """The stamp of one commit's batch: `tso` as SQL, a number or a column of the batch `s`.

    `lsn` is the number of the first row of this write; `versions` gives the new version per partition id.
    """

    tso: int | str
    lsn: int
    versions: Mapping[int, int]

    def number(self, alias: str) -> str:
        """The LSN of a batch row as SQL."""
        return f"{alias}.{ORDINAL} + {self.lsn}"

    def version(self, alias: str, parts: Iterable[int]) -> tuple[str, str]:
        """The version of a batch row as SQL: an expression, and the join it needs (none for one partition)."""
        wanted = list(parts)
        if len(wanted) == 1:
            return f"{self.versions[wanted[0]]}::BIGINT", ""
        values = relation([(part, self.versions[part]) for part in wanted], ("INTEGER", "BIGINT"))
        return "v.version", f" JOIN {values} v(part, version) ON v.part = {alias}.{PART}"


@dataclass(frozen=True, slots=True)
class RowStamp(Stamp):
    """The stamp of a batch in which every row brings its own TSO, LSN and version."""

    def number(self, alias: str) -> str:
        return f"{alias}.{ROW_LSN}"

    def version(self, alias: str, parts: Iterable[int]) -> tuple[str, str]:
        return f"{alias}.{ROW_VERSION}", ""
