"""DISTRIBUTED BY: stored and shown, without effect on one node.

Source: Doris: CREATE TABLE, distribution.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sql.ddl.name import find_column
from storage.catalog.model import Column, Distribution, Model, Table
from storage.errors import (
    BUCKETS_ZERO,
    DISTRIBUTION_COLUMN,
    DISTRIBUTION_NOT_KEY,
    DISTRIBUTION_TYPE,
    RANDOM_AGGREGATE,
    RANDOM_UNIQUE,
)


def distribution(clause: exp.DistributedByProperty | None, model: Model, columns: Sequence[Column]) -> Distribution:
    """Check the clause; without one a keyed table hashes its keys, another is distributed at random."""
    if clause is None:
        keys = tuple(column.name for column in columns if column.key)
        return Distribution("RANDOM", (), None) if model is Model.DUPLICATE else Distribution("HASH", keys, None)
    buckets = _buckets(clause.args.get("buckets"))
    if str(clause.args["kind"]).upper() == "RANDOM":
        _check_random(model, columns)
        return Distribution("RANDOM", (), buckets)
    names = tuple(_hash_column(item.name, model, columns).name for item in clause.expressions)
    return Distribution("HASH", names, buckets)


_AUTO_BUCKETS = 10


def buckets(table: Table) -> int:
    """The number of buckets that new partitions get; AUTO counts as Doris's default."""
    spread = table.distribution
    return _AUTO_BUCKETS if spread is None or spread.buckets is None else spread.buckets


def _buckets(value: exp.Expr | None) -> int | None:
    """The number of buckets; None for AUTO or nothing."""
    if value is None or not value.name.isdigit():
        return None
    if int(value.name) == 0:
        raise BUCKETS_ZERO()
    return int(value.name)


def _check_random(model: Model, columns: Sequence[Column]) -> None:
    if model is Model.UNIQUE:
        raise RANDOM_UNIQUE()
    if any(column.aggregation in ("REPLACE", "REPLACE_IF_NOT_NULL") for column in columns):
        raise RANDOM_AGGREGATE()


def _hash_column(name: str, model: Model, columns: Sequence[Column]) -> Column:
    column = find_column(columns, name, DISTRIBUTION_COLUMN)
    if model is not Model.DUPLICATE and not column.key:
        raise DISTRIBUTION_NOT_KEY(name=name)
    if column.type.name in ("float", "double", "string"):
        raise DISTRIBUTION_TYPE(type=column.type.name.capitalize(), name=name)
    return column
