"""What all readers of change data share: windows, output names, and the conditions that bound a scan.

Builders in this package return DuckDB SELECT text and call nothing; a window is ``lo < tso <= hi``
of one partition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from storage import naming
from storage.catalog.model import Table
from storage.naming import PART, quote, sql_name
from storage.rows import relation

CHANGE_TYPE = "__DORIS_STREAM_CHANGE_TYPE_COL__"
SEQUENCE = "__DORIS_STREAM_SEQUENCE_COL__"
STREAM_LSN = "__DORIS_STREAM_LSN_COL__"
OP = "__DORIS_CHANGELOG_OP__"
TSO = "__DORIS_CHANGELOG_TSO__"
LSN = "__DORIS_CHANGELOG_LSN__"


# Beside the columns of a user, which may have any other name.
_BOUND_PART, _LO, _HI = (naming.PREFIX + name for name in ("bound_part", "lo", "hi"))


def before_name(column: str) -> str:
    """The name of the before image of a column."""
    return f"__DORIS_CHANGELOG_BEFORE_{column}__"


@dataclass(frozen=True, slots=True)
class Window:
    """The changes of one partition after `lo`, up to and with `hi`."""

    part_id: int
    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class Scope:
    """A set of windows as SQL: FROM suffix and bounds, either literals or columns of a VALUES join.

    One pair of bounds for all windows gives literals, which the zone maps prune by; else each row
    meets its partition's bounds and the enclosing pair still prunes.
    """

    join: str
    lo: str
    hi: str
    low: int
    high: int
    parts: str

    def starts(self, tso: str = naming.TSO) -> str:
        """The version's begin (or another TSO column) lies inside the window."""
        return self._inside(tso)

    def ends(self) -> str:
        """The version's end lies inside the window."""
        return self._inside(naming.END_TSO)

    def _inside(self, tso: str) -> str:
        terms = [f"{tso} > {self.lo}", f"{tso} <= {self.hi}", *([self.parts] if self.parts else [])]
        if self.join:
            terms += [f"{tso} > {self.low}", f"{tso} <= {self.high}"]
        return " AND ".join(terms)


def scope(table: Table, windows: Sequence[Window]) -> Scope:
    """The windows of one read as SQL; they must not be empty."""
    bounds = {(window.lo, window.hi) for window in windows}
    low, high = min(lo for lo, _ in bounds), max(hi for _, hi in bounds)
    if len(bounds) == 1:
        return Scope("", str(low), str(high), low, high, in_parts(table, [w.part_id for w in windows]))
    values = relation([(w.part_id, w.lo, w.hi) for w in windows], ("INTEGER", "BIGINT", "BIGINT"))
    join = f" JOIN {values} b({_BOUND_PART}, {_LO}, {_HI}) ON {_BOUND_PART} = {PART}"
    return Scope(join, _LO, _HI, low, high, "")


def in_parts(table: Table, parts: Iterable[int]) -> str:
    """The condition that keeps these partitions; empty when the table has no other rows."""
    wanted = sorted(set(parts))
    if {part.id for part in table.partitions} == set(wanted):
        return ""
    return f"{PART} IN ({', '.join(map(str, wanted))})" if wanted else "false"


def branches(windows: Sequence[Window]) -> list[list[Window]]:
    """Split never consumed partitions (lo = 0) off, so that they do not widen the window of the others."""
    fresh = [window for window in windows if window.lo == 0]
    begun = [window for window in windows if window.lo > 0]
    return [group for group in (begun, fresh) if group]


def names(table: Table) -> list[str]:
    """The quoted physical names of all user columns."""
    return [sql_name(column.name) for column in table.columns]


def empty(table: Table, extra: Sequence[tuple[str, str]]) -> str:
    """A SELECT without rows: the user columns, then `extra` columns of name and DuckDB type."""
    typed = [f"NULL::{column.type.duckdb} AS {sql_name(column.name)}" for column in table.columns]
    typed += [f"NULL::{kind} AS {quote(label)}" for label, kind in extra]
    return f"SELECT {', '.join(typed)} WHERE false"


STREAM_COLUMNS = ((CHANGE_TYPE, "VARCHAR"), (SEQUENCE, "BIGINT"), (STREAM_LSN, "BIGINT"))


def united(table: Table, windows: Sequence[Window], branch: Callable[[Table, Sequence[Window]], str]) -> str:
    """The changes of all windows, a SELECT of `branch` for each of their branches."""
    selects = [f"({branch(table, group)})" for group in branches(windows)]
    return "\nUNION ALL\n".join(selects) or empty(table, STREAM_COLUMNS)


def stream_columns(change_type: str, tso: str, lsn: str, half: int = 0) -> str:
    """The three stream columns; `half` 1 is the later row of an update pair (design: LSN of the two halves)."""
    number = f"2 * {lsn} + 1" if half else f"2 * {lsn}"
    return f"{change_type} AS {CHANGE_TYPE}, {tso} AS {SEQUENCE}, {number} AS {STREAM_LSN}"
