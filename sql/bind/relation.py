"""What stands behind a table reference while a statement is bound: columns for binding, DuckDB text for running.

sql/rewrite/reference.py says which reference becomes which relation: base tables, streams, images, changelog(),
system tables; each kind has a module there that builds it.
"""

from __future__ import annotations

from dataclasses import dataclass

from storage.naming import physical, quote, sql_name
from storage.types import DorisType


@dataclass(frozen=True, slots=True)
class RelationColumn:
    """A column a statement may name; `visible` ones are in `*`. `origin` is the name as declared."""

    name: str
    type: DorisType
    visible: bool = True
    nullable: bool = True
    key: bool = False


@dataclass(frozen=True, slots=True)
class Relation:
    """What stands behind one reference: `text` is a DuckDB SELECT giving `columns` under physical names.

    `lasting` text is good for as long as the catalog does not change.
    """

    database: str
    name: str
    columns: tuple[RelationColumn, ...]
    text: str
    lasting: bool = False

    def column(self, name: str) -> RelationColumn | None:
        lowered = name.lower()
        return next((column for column in self.columns if column.name.lower() == lowered), None)

    @property
    def sql(self) -> str:
        """The text with every column under its own name, also those that DuckDB reserves."""
        if all(physical(column.name) == column.name for column in self.columns):
            return self.text
        items = (f"{sql_name(column.name)} AS {quote(column.name)}" for column in self.columns)
        return f"SELECT {', '.join(items)} FROM ({self.text})"
