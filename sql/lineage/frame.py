"""What a query sees beside its FROM: the CTEs and the database; and where it notes what it reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from sqlglot import exp

from dorisette.lineage import DatasetType, LineageExpr
from sql.lineage.source import Derived


@dataclass(slots=True)
class Notes:
    """What was met on all levels of a query: its tables, and its dataset-indirect entries."""

    tables: set[str] = field(default_factory=set)
    dataset: dict[DatasetType, set[LineageExpr]] = field(default_factory=dict)
    has_function: bool = False
    has_rows: bool = False  # rows out of nothing: VALUES, SELECT without FROM, a set operation

    def add(self, kind: DatasetType, entries: Iterable[LineageExpr]) -> None:
        self.dataset.setdefault(kind, set()).update(entries)

    def merge(self, other: Notes) -> None:
        """Take over what a CTE or view noted, now that somebody reads it."""
        self.tables |= other.tables
        self.has_function |= other.has_function
        self.has_rows |= other.has_rows
        for kind, entries in other.dataset.items():
            self.add(kind, entries)

    @property
    def reads_nothing(self) -> bool:
        """No table, and rows out of nothing: such a statement makes no event (apache/doris: LineageUtils)."""
        return not self.tables and (self.has_rows or not self.has_function)


@dataclass(slots=True)
class Named:
    """A CTE or view: resolved when somebody reads it, once, in the frame of its definition."""

    query: exp.Expr
    frame: Frame
    columns: tuple[str, ...] = ()
    recursive_name: str = ""
    relation: Derived | None = None
    is_open: bool = False  # being resolved


@dataclass(frozen=True, slots=True)
class Frame:
    """One level of WITH: names without database are CTEs first, then objects of `database`."""

    database: str | None
    session: int | None = None  # whose temporary tables are seen
    notes: Notes = field(default_factory=Notes)
    ctes: Mapping[str, Named] = field(default_factory=dict)

    def fresh(self) -> Frame:
        """The same names, notes of its own."""
        return replace(self, notes=Notes())

    def with_cte(self, name: str, cte: Named) -> Frame:
        return replace(self, ctes={**self.ctes, name: cte})
