"""LIST partitions: values from literals, values that two partitions claim, and the text of a list.

A value is one text per partition column, None for NULL. Source: Doris: CREATE TABLE, partitions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sqlglot import exp

from sql.ddl.partition_value import Stamp, checked_name, typed
from sql.dialect.clause import ListPartition, pairs
from sql.dialect.quoting import quoted
from storage.catalog.model import Column, Partition, partition_key
from storage.errors import (
    PARTITION_CLAUSE,
    PARTITION_CONFLICT,
    PARTITION_EXISTS,
    PARTITION_NULL,
    PARTITION_TWICE,
    PARTITION_VALUES,
)

Value = tuple[str | None, ...]


class Lists:
    """The values taken so far, each by one partition."""

    def __init__(self, parts: Iterable[Partition], columns: Sequence[Column]) -> None:
        self.columns = columns
        self.names: set[str] = set()
        self._owner: dict[Value, str] = {}
        for part in parts:
            self.take(part)

    def read(self, clause: exp.Expr, stamp: Stamp) -> Iterator[Partition]:
        """The partition of a VALUES IN clause."""
        if not isinstance(clause, ListPartition):
            raise PARTITION_CLAUSE(name=clause.name, kind="LIST")
        if clause.args.get("exists") and partition_key(clause.name) in self.names:
            return
        name = checked_name(clause.name, self.names)
        values = tuple(self._value(name, row) for row in clause.expressions)
        given = pairs(clause.args.get("properties"))
        yield Partition(stamp.take_id(), name, created_tso=stamp.tso, values=values, properties=given)

    def _value(self, name: str, row: exp.Tuple) -> Value:
        if len(row.expressions) != len(self.columns):
            raise PARTITION_VALUES(name=name, count=len(row.expressions), columns=len(self.columns))
        return tuple(_member(item, column) for item, column in zip(row.expressions, self.columns, strict=True))

    def take(self, part: Partition) -> None:
        """Note the values of a partition; raises PARTITION_EXISTS, PARTITION_TWICE and PARTITION_CONFLICT."""
        if part.key in self.names:
            raise PARTITION_EXISTS(name=part.name)
        for value in part.values or ():
            if value in self._owner:
                raise PARTITION_CONFLICT(name=part.name, other=self._owner[value], value=_row(value))
        if len(set(part.values or ())) < len(part.values or ()):
            raise PARTITION_TWICE(name=part.name)
        self._owner |= dict.fromkeys(part.values or (), part.name)
        self.names.add(part.key)


def _member(item: exp.Expr, column: Column) -> str | None:
    if not isinstance(item, exp.Null):
        return typed(item, column)
    if not column.nullable:
        raise PARTITION_NULL(name=column.name)
    return None


def _row(value: Value) -> str:
    return ", ".join("NULL" if item is None else quoted(item) for item in value)


def text(part: Partition, columns: Sequence[Column]) -> str:
    """The values as SHOW CREATE TABLE prints them: ``("Oslo","Riga")`` or ``(("1","a"),("1","b"))``."""
    rows = [_row(value) for value in part.values or ()]
    return f"({','.join(rows if len(columns) == 1 else [f'({row})' for row in rows])})"
