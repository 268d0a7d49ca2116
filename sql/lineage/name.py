"""How lineage writes names: `db.table.column`, quoted only where Doris SQL needs it."""

from __future__ import annotations

from functools import lru_cache

from sqlglot.dialects.doris import Doris as StockDoris

from dorisette.lineage import ColumnRef
from sql.bind.name import CATALOG
from sql.dialect.quoting import ident

_RESERVED = frozenset(StockDoris.Generator.RESERVED_KEYWORDS)


@lru_cache(maxsize=4096)
def part(name: str) -> str:
    """One part of a name; in back quotes if it is a reserved word or no word at all."""
    return name if name.isidentifier() and name.lower() not in _RESERVED else ident(name)


def column(reference: ColumnRef) -> str:
    """A column as expressions show it; the catalog is left out."""
    return f"{part(reference.db)}.{part(reference.table)}.{part(reference.column)}"


def table(database: str, name: str) -> str:
    """The full name of a table, as `source_tables` and `target_table` show it: never quoted."""
    return f"{CATALOG}.{database}.{name}"
