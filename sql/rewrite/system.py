"""System tables: information_schema.x as an Arrow table or as DuckDB text over the system tables."""

from __future__ import annotations

import pyarrow as pa

from sql.bind.binding import Binding
from sql.bind.relation import Relation, RelationColumn
from sql.information_schema import SystemTable
from storage.naming import quote


def system_relation(binding: Binding, table: SystemTable) -> Relation:
    """What the system table shows to this user, read in the statement's own snapshot."""
    content = table.read(binding.reader, binding.context, binding.engine)
    text = f"SELECT * FROM {quote(binding.register(content))}" if isinstance(content, pa.Table) else content
    columns = tuple(RelationColumn(name, kind) for name, kind in table.columns)
    return Relation(database=table.database, name=table.name, columns=columns, text=text)
