"""Partitions, distribution, keys and rollups: the clauses that CREATE TABLE and ALTER TABLE share."""

from __future__ import annotations

from sqlglot import exp

from sql.dialect.clause import KeyClause, ListPartition, PartitionClause, RangePartition, Rollup, StepPartition
from sql.dialect.reader import Reader

PartitionNode = RangePartition | ListPartition | StepPartition


def key_clause(reader: Reader, kind: str) -> KeyClause:
    """KEY (c, …) [ORDER BY (c, …) | CLUSTER BY (c, …)], behind the word that says which key."""
    reader.expect("KEY")
    columns = reader.names()
    clustered = reader.words("ORDER", "BY") or reader.words("CLUSTER", "BY")
    return KeyClause(kind=kind, expressions=columns, cluster=reader.names() if clustered else None)


def partition_clause(reader: Reader, auto: bool | None = None) -> PartitionClause:
    """[AUTO] PARTITION BY RANGE|LIST (c, … | date_trunc(c, 'unit')) [(partition, …)]; RANGE may be left out."""
    kind = reader.one_of("RANGE", "LIST") or "RANGE"
    columns = reader.wrapped_list(reader.value)
    partitions = _partitions(reader) if reader.sees("(") else None
    return PartitionClause(kind=kind, expressions=columns, partitions=partitions, auto=auto)


def _partitions(reader: Reader) -> list[PartitionNode]:
    reader.expect("(")
    partitions = [] if reader.sees(")") else reader.comma_list(lambda: partition(reader))
    reader.expect(")")
    return partitions


def partition(reader: Reader) -> PartitionNode:
    """PARTITION [IF NOT EXISTS] p VALUES …, or FROM (…) TO (…) INTERVAL …; all with PROPERTIES."""
    if reader.words("FROM"):
        return step_partition(reader)
    reader.expect("PARTITION")
    return named_partition(reader)


def named_partition(reader: Reader) -> RangePartition | ListPartition:
    """[IF NOT EXISTS] p [VALUES LESS THAN … | VALUES [(…), (…)) | VALUES IN (…)]."""
    exists = reader.if_not_exists()
    name = reader.name()
    reader.expect("VALUES")
    found: RangePartition | ListPartition
    if reader.words("LESS", "THAN"):
        upper = [_value(reader)] if reader.sees("MAXVALUE") else _values(reader)
        found = RangePartition(this=name, upper=upper)
    elif reader.words("["):
        lower = _values(reader)
        reader.expect(",")
        found = RangePartition(this=name, lower=lower, upper=_values(reader))
        reader.expect(")")
    elif reader.words("IN"):
        found = ListPartition(this=name, expressions=reader.wrapped_list(lambda: _row(reader)))
    else:
        reader.mismatch("LESS", "[", "IN")
    found.set("exists", exists)
    found.set("properties", reader.pairs() if reader.sees("(") else None)
    return found


def step_partition(reader: Reader) -> StepPartition:
    """FROM (a) TO (b) INTERVAL n [unit], behind FROM."""
    lower = _values(reader)
    reader.expect("TO")
    upper = _values(reader)
    reader.expect("INTERVAL")
    every = reader.number()
    unit = reader.one_of("YEAR", "MONTH", "WEEK", "DAY", "HOUR")
    return StepPartition(lower=lower, upper=upper, every=every, unit=unit)


def _values(reader: Reader) -> list[exp.Expr]:
    return reader.wrapped_list(lambda: _value(reader))


def _row(reader: Reader) -> exp.Tuple:
    values = _values(reader) if reader.sees("(") else [_value(reader)]
    return exp.Tuple(expressions=values)


def _value(reader: Reader) -> exp.Expr:
    if reader.words("MAXVALUE"):
        return exp.var("MAXVALUE")
    return reader.value()


def distribution(reader: Reader) -> exp.DistributedByProperty:
    """DISTRIBUTED BY HASH (c, …) | RANDOM [BUCKETS n | AUTO], behind DISTRIBUTED."""
    reader.expect("BY")
    kind = reader.expect_one_of("HASH", "RANDOM")
    columns = reader.names() if kind == "HASH" else None
    buckets = None
    if reader.words("BUCKETS") and not reader.words("AUTO"):
        buckets = reader.number()
    return exp.DistributedByProperty(kind=kind, expressions=columns, buckets=buckets)


def rollup(reader: Reader) -> Rollup:
    """r (c, …) [DUPLICATE KEY (c, …)] [FROM base] [PROPERTIES (…)]."""
    name, columns = reader.name(), reader.names()
    keys = None
    if reader.words("DUPLICATE"):
        reader.expect("KEY")
        keys = reader.names()
    base = reader.name() if reader.words("FROM") else None
    return Rollup(this=name, expressions=columns, keys=keys, base=base, properties=reader.properties())
