"""ALTER TABLE: finds the table and commits what sql/ddl/alter.py makes of the catalog."""

from __future__ import annotations

from sql.bind.name import resolve_table
from sql.ddl.alter import Step, altered
from sql.ddl.commit import commit, stamp
from sql.dialect import node
from sql.result import Result
from sql.statement import Call, handles
from storage.catalog.model import Catalog


@handles(node.AlterTable)
def alter_table(call: Call[node.AlterTable]) -> Result:
    """ALTER TABLE t action, …: all actions or none."""
    actions = call.node.args["actions"]
    made = stamp(call.engine, sum(isinstance(action, node.AddPartition) for action in actions))

    def change(catalog: Catalog) -> Catalog:
        table = resolve_table(catalog, call.node.this, call.context)
        return altered(Step(catalog, table, made), actions)

    return commit(call, change)
