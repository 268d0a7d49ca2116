"""Indexes as statements of their own: CREATE, DROP and BUILD INDEX, and SHOW INDEX.

An index is kept and shown and changes no result. Source: Doris: CREATE INDEX, BUILD INDEX.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlglot import exp

from sql.bind.name import find, of_system, resolve_table
from sql.ddl import index
from sql.ddl.commit import commit
from sql.dialect import node
from sql.dialect.quoting import pairs_text
from sql.listing import listed, words
from sql.result import Result
from sql.rewrite.table import chosen_partitions
from sql.statement import Call, handles
from sql.statement.describe import columns_of
from storage.catalog.catalog import Catalog
from storage.catalog.model import Table
from storage.errors import ALTER_TEMPORARY, CHANGELOG_OPERATION, INDEX_MISSING, NOT_PARTITIONED


@handles(node.CreateIndex)
def create_index(call: Call[node.CreateIndex]) -> Result:
    """CREATE INDEX [IF NOT EXISTS] i ON t (c) [USING …] [PROPERTIES (…)] [COMMENT '…']."""
    return _altered(call, lambda table: index.added(table, call.node))


@handles(node.DropIndex)
def drop_index(call: Call[node.DropIndex]) -> Result:
    """DROP INDEX [IF EXISTS] i ON t."""
    return _altered(call, lambda table: index.dropped(table, call.node.name, bool(call.node.args.get("exists"))))


def _altered(call: Call[exp.Expression], change: Callable[[Table], Table]) -> Result:
    reference = call.node.args["table"]

    def changed(catalog: Catalog) -> Catalog:
        table = resolve_table(catalog, reference, call.context)
        if table.session is not None:
            raise ALTER_TEMPORARY(name=table.name)
        return catalog.with_table(change(table))

    return commit(call, changed)


@handles(node.BuildIndex)
def build_index(call: Call[node.BuildIndex]) -> Result:
    """BUILD INDEX [i] ON t [PARTITION …]: checked; old rows need no index. Not beside a changelog."""

    def checked(table: Table) -> Table:
        if table.changelog is not None:
            raise CHANGELOG_OPERATION()
        name = call.node.name
        if name and not any(found.name.lower() == name.lower() for found in table.indexes):
            raise INDEX_MISSING(name=name)
        if call.node.args.get("partition") is not None and table.partitioning is None:
            raise NOT_PARTITIONED(table=table.name)
        chosen_partitions(table, call.node)
        return table

    return _altered(call, checked)


_COLUMNS = words(
    "Table Non_unique Key_name Seq_in_index Column_name Collation Cardinality Sub_part Packed Null Index_type "
    "Comment Properties"
)


@handles(exp.Show, "INDEX")
def show_index(call: Call[exp.Show]) -> Result:
    """SHOW INDEX FROM t: one row a column of each index; none for a view or a stream."""
    reference = call.node.args["target"]
    columns_of(call, reference)
    catalog = call.engine.database.catalog
    found = None if of_system(reference, call.context) else find(catalog, reference, call.context)
    return listed(call.node, _COLUMNS, list(_rows(found)) if isinstance(found, Table) else ())


def _rows(table: Table) -> Iterator[tuple[object, ...]]:
    for found in table.indexes:
        given = pairs_text(found.properties)
        for place, uid in enumerate(found.columns, 1):
            column = table.column_of(uid)
            head = (table.name, "", found.name, place, column.name if column else "")
            yield (*head, "", "", "", "", "", found.method, found.comment, f"({given})" if given else "")
