"""What one transaction is to do: the values that sql/ hands to the coordinator (storage/commit.py).

A `Work` is complete before any lock is taken, but for what must be evaluated under the table lock
(`Query`, `Predicate`). Every batch enters as an Arrow table whose columns carry the physical names
of storage/naming.py; `PART` (int32 partition id) is always there, `DELETE` (bool) marks rows that
remove their key, `MET_TSO` and `MET_LSN` the version that an UPDATE or DELETE inside BEGIN met.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from storage.catalog.catalog import Catalog
from storage.catalog.model import Table
from storage.errors import LABEL_FORMAT
from storage.lock import Ask, patient

_LABEL = re.compile(r"[-_A-Za-z0-9:]{1,128}")


@dataclass(frozen=True, slots=True)
class Partial:
    """Partial column update: columns that a row does not give keep the stored value, if its key has a row.

    `defaults` has the physical name of each column that may be missing, with DuckDB text of what a new key
    gets (the batch row is `s`), None when a new key is refused for it. `append` allows new keys. With `flexible`
    each row has a flag per column (naming.given) instead of all rows lacking the same columns.
    """

    defaults: Mapping[str, str | None]
    append: bool = True
    flexible: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of an INSERT, already converted, in input order: upsert (Unique) or append (Duplicate).

    `route` gives the rows their final partition ids when the work's change makes partitions for them: it is
    called under the lock with the table as the change left it.
    """

    rows: pa.Table
    partial: Partial | None = None
    route: Callable[[Table], pa.Table] | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """DuckDB SELECT that yields the columns of a `Batch`; run under the table lock (UPDATE, DELETE on Unique)."""

    sql: str


@dataclass(frozen=True, slots=True)
class Predicate:
    """DuckDB condition over t_<id>; matching rows are removed without a record (DELETE on Duplicate)."""

    sql: str


@dataclass(frozen=True, slots=True)
class Write:
    """One write to one table, checked against `schema_version` under the lock.

    `reads` are the tables as the text of a `Query` or `Predicate` was made for: it names their columns and
    partitions, so each must be the same when it runs, or TABLE_CHANGED.
    """

    table_id: int
    schema_version: int
    source: Batch | Query | Predicate
    reads: tuple[Table, ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """Compare-and-set of one stream offset: it must still be `expected` and becomes `to`.

    `expected` is a TSO, `PENDING` while the initial image is pending, `ABSENT` without a row.
    `names` are the words of the conflict error: database, stream.
    """

    stream_id: int
    part_id: int
    expected: int
    to: int
    names: tuple[str, str]


PENDING = -1
ABSENT = -2

Change = Callable[[Catalog], Catalog]


class Stoppable(Protocol):
    """A DuckDB call in progress; `interrupt` may come from any thread."""

    def interrupt(self) -> None: ...


class Watch(Protocol):
    """Who may stop a work (KILL, timeout, a client that left); all raise INTERRUPTED when it was stopped already."""

    def running(self, call: Stoppable) -> None:
        """Learn which call to interrupt."""

    def waiting(self) -> None:
        """Be asked, again and again, while the work waits for its turn."""

    def committing(self) -> None:
        """Let go: from here on the work cannot be stopped."""


def ask_of(watch: Watch | None) -> Ask:
    """What a thread that waits for its turn is asked on behalf of a watch."""
    return patient if watch is None else watch.waiting


@dataclass(frozen=True, slots=True)
class Label:
    """An explicit load label; storing it twice fails, one of another form raises LABEL_FORMAT (Doris: identifiers)."""

    database_id: int
    name: str

    def __post_init__(self) -> None:
        if not _LABEL.fullmatch(self.name):
            raise LABEL_FORMAT(regex=f"^{_LABEL.pattern}$", label=self.name)


@dataclass(frozen=True, slots=True)
class Purge:
    """Physical removal of the change records of a table up to and with a TSO (storage/cleanup.py)."""

    table_id: int
    tso: int


State = tuple[Table, tuple[tuple[object, ...], ...]]  # and the latest commits of its partitions


@dataclass(frozen=True, slots=True)
class Sort:
    """Bring a table into the order of its keys (storage/table/key_order.py).

    `copied` is the table as it was when a copy of it was made; None has the copy made under the lock.
    """

    table_id: int
    copied: State | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """Everything one transaction does; all of it or nothing."""

    writes: tuple[Write, ...] = ()
    moves: tuple[Move, ...] = ()
    change: Change | None = None
    label: Label | None = None
    purges: tuple[Purge, ...] = ()
    sorts: tuple[Sort, ...] = ()


@dataclass(frozen=True, slots=True)
class Commit:
    """What came of a `Work`: `tso` of its records, a transaction id, and per write the rows it took.

    `affected` counts input rows of a Batch (before rows of one key are merged), matched rows of a
    Query, removed rows of a Predicate.
    """

    tso: int
    transaction_id: int
    affected: tuple[int, ...]
