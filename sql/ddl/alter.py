"""ALTER TABLE: which actions a table takes, and the catalog after each; column and partition actions beside.

Pure: an action is a function from one catalog to the next, and several actions of one statement run in
a row. Source: Doris: ALTER TABLE; Changelog, DDL limits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlglot import exp

from sql.bind.name import as_table
from sql.ddl import (
    alter_column,
    alter_partition,
    bloom_filter,
    index,
    modify_column,
    rollup,
    sequence,
    set_property,
    table_property,
)
from sql.ddl.distribution import buckets, distribution
from sql.ddl.name import check_object
from sql.ddl.partition import Stamp
from sql.ddl.replace_partition import replaced
from sql.dialect import alter
from sql.dialect.clause import pairs
from storage.catalog.catalog import Catalog
from storage.catalog.model import Partition, Table
from storage.errors import (
    ALTER_TEMPORARY,
    CHANGELOG_OPERATION,
    NO_SUCH_TABLE,
    NOT_SUPPORTED_YET,
    TABLE_EXISTS,
    TEMPORARY_PARTITIONS,
)
from storage.tso import to_ms

_BLOOM = (bloom_filter.COLUMNS, bloom_filter.RATE)


@dataclass(frozen=True, slots=True)
class Step:
    """One action about to happen: the catalog so far, the table in it, ids and time."""

    catalog: Catalog
    table: Table
    stamp: Stamp


def altered(step: Step, actions: list[exp.Expr]) -> Catalog:
    """The catalog after all actions; CHANGELOG_OPERATION for what a changelog table does not take."""
    if step.table.session is not None:
        raise ALTER_TEMPORARY(name=step.table.name)
    for action in actions:
        table = step.catalog.live_table(step.table.id)
        if table is None:  # an action before this one has replaced it
            raise NO_SUCH_TABLE(name=step.table.name)
        step = replace(step, table=table)
        _check_allowed(table, action)
        step = replace(step, catalog=_apply(step, action))
    return step.catalog


def _check_allowed(table: Table, action: exp.Expr) -> None:
    if table.temporary_partitions and type(action) in _SCHEMA_CHANGES:
        raise TEMPORARY_PARTITIONS()
    if table.changelog is None:
        return
    light = (table.property("light_schema_change") or "true").lower() == "true"
    if type(action) not in _WITH_CHANGELOG or (type(action) in _LIGHT_ONLY and not light):
        raise CHANGELOG_OPERATION()
    if isinstance(action, alter.SetProperties) and any(key in _BLOOM for key, _ in pairs(action.args["properties"])):
        raise CHANGELOG_OPERATION()


def _apply(step: Step, action: exp.Expr) -> Catalog:
    wide = _OBJECT_ACTIONS.get(type(action))
    if wide is not None:
        return wide(step, action)
    narrow = _TABLE_ACTIONS.get(type(action))
    if narrow is None:
        raise NOT_SUPPORTED_YET(what=f"ALTER TABLE {_words(action)}")
    if type(action) in _SCHEMA_CHANGES:
        table_property.job_seconds(pairs(action.args.get("properties")))
    return step.catalog.with_table(narrow(step.table, action, step.stamp))


def _words(action: exp.Expr) -> str:
    """An action's class name as words: ``AddRollup`` → ``ADD ROLLUP``."""
    name = type(action).__name__
    return "".join(f" {letter}" if letter.isupper() else letter.upper() for letter in name).strip()


# -- actions on the table's place among others ------------------------------------------------------
def _rename(step: Step, action: exp.Expr) -> Catalog:
    name = check_object("table", action.name)
    check_free(step.catalog, step.table.database_id, name)
    return step.catalog.with_table(renamed(step.table, name))


def check_free(catalog: Catalog, database_id: int, name: str) -> None:
    """Refuse a name that a table, stream or view of the database has."""
    if catalog.named(database_id, name):
        raise TABLE_EXISTS(name=name)


def renamed(table: Table, name: str) -> Table:
    """Rename a table, and with it the single partition of an unpartitioned one."""
    partitions: tuple[Partition, ...] = table.partitions
    if table.partitioning is None:
        partitions = tuple(replace(part, name=name) for part in partitions)
    return replace(table, name=name, partitions=partitions)


def _replace_with(step: Step, action: exp.Expr) -> Catalog:
    """REPLACE WITH TABLE: swap the two names, or with swap=false drop this table (Doris: atomic table replace).

    FORCE is for the dropped one, which does not wait in the recycle bin then.
    """
    given = dict(pairs(action.args.get("properties")))
    name = action.this.name
    other = as_table(step.catalog, step.catalog.named(step.table.database_id, name), name)
    swap = table_property.switch("swap", given.pop("swap", "true"))
    if given:
        raise table_property.unknown_properties(given)
    old, new = renamed(step.table, other.name), renamed(other, step.table.name)
    if swap:
        return step.catalog.with_table(old).with_table(new)
    if action.args.get("force"):
        return step.catalog.without_table(old.id).with_table(new)
    return step.catalog.with_table(replace(step.table, dropped_at=to_ms(step.stamp.tso))).with_table(new)


_OBJECT_ACTIONS: dict[type[exp.Expr], Callable[[Step, exp.Expr], Catalog]] = {
    alter.RenameTable: _rename,
    alter.ReplaceWithTable: _replace_with,
}


# -- actions inside the table ----------------------------------------------------------------------
def _comment(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    return replace(table, comment=action.name)


def _distribution(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """MODIFY DISTRIBUTION: for partitions to come; those that are there keep their number of buckets."""
    clause = action.this
    assert isinstance(clause, exp.DistributedByProperty)
    old = buckets(table) if table.partitioning is not None else None
    kept = tuple(replace(part, buckets=part.buckets or old) for part in table.partitions)
    return replace(table, distribution=distribution(clause, table.model, table.columns), partitions=kept)


_TABLE_ACTIONS: dict[type[exp.Expr], Callable[[Table, exp.Expr, Stamp], Table]] = {
    alter.SetProperties: set_property.altered,
    alter.EnableFeature: sequence.enable_feature,
    alter.ModifyComment: _comment,
    alter.ModifyDistribution: _distribution,
    alter.AddColumns: alter_column.add,
    alter.DropColumn: alter_column.drop,
    alter.RenameColumn: alter_column.rename,
    alter.ModifyColumnComment: alter_column.comment,
    alter.ModifyColumn: modify_column.modify,
    alter.OrderColumns: modify_column.reorder,
    alter.AddIndex: index.add,
    alter.DropTableIndex: index.drop,
    alter.AddRollup: rollup.add,
    alter.DropRollup: rollup.drop,
    alter.RenameRollup: rollup.rename,
    alter.AddPartition: alter_partition.add,
    alter.DropPartition: alter_partition.drop,
    alter.RenamePartition: alter_partition.rename,
    alter.ModifyPartition: alter_partition.modify,
    alter.ReplacePartition: replaced,
}

# Doris documentation, "Temporary partition": not while there are temporary partitions.
_SCHEMA_CHANGES = frozenset(
    {alter.AddColumns, alter.DropColumn, alter.ModifyColumn, alter.OrderColumns, alter.AddRollup, alter.DropRollup}
)

_LIGHT_ONLY = frozenset({alter.AddColumns, alter.DropColumn})

# Doris: Changelog, DDL limits: everything else answers CHANGELOG_OPERATION.
_WITH_CHANGELOG = frozenset(
    {
        alter.AddColumns,
        alter.DropColumn,
        alter.ModifyColumnComment,
        alter.AddIndex,
        alter.DropTableIndex,
        alter.AddRollup,
        alter.DropRollup,
        alter.RenameRollup,
        alter.AddPartition,
        alter.DropPartition,
        alter.ModifyPartition,
        alter.RenamePartition,
        alter.ReplacePartition,
        alter.RenameTable,
        alter.ReplaceWithTable,
        alter.SetProperties,
        alter.EnableFeature,
        alter.ModifyComment,
        alter.ModifyDistribution,
    }
)
