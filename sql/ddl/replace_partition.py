"""REPLACE PARTITION (p, …) WITH TEMPORARY PARTITION (tp, …): temporary partitions take the place of ordinary ones.

Pure. The replaced partitions go with their rows; a stream reads the replacing ones from their start
(Doris: Table Stream, base table operations). Source: Doris documentation, "Temporary partition".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from sql.ddl import table_property
from sql.ddl.alter_partition import without
from sql.ddl.partition import Stamp, partition_columns, range_text, taken
from sql.ddl.range_partition import union
from sql.dialect.clause import pairs
from storage.catalog.model import Partition, Table
from storage.errors import (
    NOT_PARTITIONED,
    REPLACE_CONFLICT,
    REPLACE_LISTS,
    REPLACE_MISSING,
    REPLACE_RANGES,
    REPLACE_TEMPORARY,
    DorisError,
)

_STRICT, _TEMPORARY_NAMES = "strict_range", "use_temp_partition_name"


def replaced(table: Table, action: exp.Expr, stamp: Stamp) -> Table:
    """The table with the temporary partitions in the place of the others; raises REPLACE_…."""
    if table.partitioning is None:
        raise NOT_PARTITIONED(table=table.name)
    given = dict(pairs(action.args.get("properties")))
    strict = table_property.switch(_STRICT, given.pop(_STRICT, "true"))
    renaming = table_property.switch(_TEMPORARY_NAMES, given.pop(_TEMPORARY_NAMES, "false"))
    if given:
        raise table_property.unknown_properties(given)
    old = [_found(table, item.name, temporary=False) for item in action.expressions]
    new = [_found(table, item.name, temporary=True) for item in action.args["temporary"]]
    if strict or table.partitioning.kind == "LIST":
        _check_union(table, old, new)
    names = [part.name for part in (old if len(old) == len(new) and not renaming else new)]
    rest = without(table, [*old, *new])
    _check_fit(rest, new, names)
    made = (replace(part, name=name, temporary=False) for part, name in zip(new, names, strict=True))
    return replace(rest, partitions=(*rest.partitions, *made))


def _found(table: Table, name: str, temporary: bool) -> Partition:
    part = table.partition(name, temporary)
    if part is None:
        raise (REPLACE_TEMPORARY if temporary else REPLACE_MISSING)(name=name)
    return part


def _check_union(table: Table, old: Sequence[Partition], new: Sequence[Partition]) -> None:
    """Both sides cover the same values."""
    columns = partition_columns(table)
    texts = [", ".join(range_text(part, columns) for part in side) for side in (old, new)]
    if table.partitioning is not None and table.partitioning.kind == "LIST":
        values = [{value for part in side for value in part.values or ()} for side in (old, new)]
        if values[0] != values[1]:
            raise REPLACE_LISTS(old=texts[0], new=texts[1])
    elif union(old, columns) != union(new, columns):
        raise REPLACE_RANGES(old=texts[0], new=texts[1])


def _check_fit(rest: Table, new: Sequence[Partition], names: Sequence[str]) -> None:
    """The replacing partitions overlap neither each other nor those that stay, and their names are free."""
    kind = rest.partitioning.kind if rest.partitioning else "RANGE"
    covered = taken(kind, rest.visible_partitions, partition_columns(rest))
    for part, name in zip(new, names, strict=True):
        try:
            covered.take(replace(part, name=name))
        except DorisError as conflict:
            raise REPLACE_CONFLICT(reason=conflict.message) from None
