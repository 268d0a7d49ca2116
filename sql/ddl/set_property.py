"""SET ("k" = "v", …) of ALTER TABLE, and the properties of CREATE TABLE that need the table's columns to be checked.

Pure. Source: Doris documentation, ALTER TABLE PROPERTY; Doris: Changelog, properties.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sqlglot import exp

from sql.ddl import bloom_filter, changelog, dynamic_partition, table_property
from sql.ddl.partition import Stamp, partition_columns
from sql.dialect.clause import pairs
from storage.catalog.model import Table
from storage.errors import RETENTION_COUNT, RETENTION_TABLE

RETENTION = "partition.retention_count"
_ENDED_BY_EMPTY = frozenset((bloom_filter.COLUMNS, "colocate_with", "storage_policy"))


def altered(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """The table with other properties; raises the errors of each family."""
    given = pairs(action.args["properties"])
    table = changelog.altered(table, given)
    plain = [pair for pair in given if not changelog.is_log_property(pair[0])]
    table_property.check(plain)
    table_property.check_alterable(plain, table.name)
    table_property.check_light_delete(dict(plain), table.merge_on_write)
    kept = [pair for pair in given if not pair[0].startswith("changelog.")]
    merged = {**dict(table.properties), **dict(kept)}
    return settled(replace(table, properties=tuple(merged.items())), dict(kept))


def settled(table: Table, given: Mapping[str, str]) -> Table:
    """The table with the properties of a family completed; `given` are those that are new."""
    bloom_filter.check(given.items(), table.columns, table.model)
    kept = tuple(pair for pair in table.properties if pair[1] or pair[0] not in _ENDED_BY_EMPTY)
    table = replace(table, properties=kept)
    if RETENTION in given:
        _check_retention(table, given[RETENTION])
    if not dynamic_partition.names_any(given):
        return table
    properties = dict(table.properties)
    buckets = table.distribution.buckets if table.distribution else None
    family = dynamic_partition.settled(properties, table.partitioning, partition_columns(table), buckets)
    others = {key: value for key, value in properties.items() if not key.startswith(dynamic_partition.PREFIX)}
    return replace(table, properties=tuple({**others, **family}.items()))


def _check_retention(table: Table, value: str) -> None:
    """Only where ranges come by themselves, and a positive number."""
    parting = table.partitioning
    if parting is None or parting.kind != "RANGE" or not parting.auto:
        raise RETENTION_TABLE()
    if not value.isdigit() or int(value) <= 0:
        raise RETENTION_COUNT(value=value)
