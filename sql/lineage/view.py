"""Views, as lineage needs them: it looks through them down to the tables.

The catalog has no views yet. When it has, `views` is the one function to fill; everything else here takes what it
gives: a text that is parsed and resolved in the view's own database, out of sight of the statement's CTEs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from sql.dialect.doris import parse
from storage.catalog.model import Catalog


@dataclass(frozen=True, slots=True)
class View:
    """The query of a view, as Doris SQL; names without database are of `database`. `columns` rename its outputs."""

    database: str
    query: str
    columns: tuple[str, ...] = ()

    def tree(self) -> exp.Expr:
        """A tree of the query that may be changed."""
        return parse(self.query)[0].node.copy()


def views(catalog: Catalog) -> Mapping[tuple[str, str], View]:
    """The views of a catalog snapshot by database and name."""
    return {}
