"""What RANGE and LIST partitions share: ids and time of new ones, their names, and literals as typed values."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass

from sqlglot import exp

from sql.ddl.literal import canonical
from sql.ddl.name import check_object
from storage.catalog.model import Column, partition_key
from storage.errors import PARTITION_EXISTS, PARTITION_VALUE
from storage.types import DorisType


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a new partition gets from outside: ids in order and the TSO of its creation."""

    take_id: Callable[[], int]
    tso: int


def checked_name(name: str, taken: Container[str]) -> str:
    """The name of a new partition, whose key is not among those taken; raises PARTITION_EXISTS."""
    if partition_key(check_object("partition", name)) in taken:
        raise PARTITION_EXISTS(name=name)
    return name


def typed(value: exp.Expr, column: Column) -> str:
    """A literal in the one spelling of the column's type; raises PARTITION_VALUE."""
    text = literal(value)
    found = None if text is None else canonical(column.type, text)
    if found is None:
        raise PARTITION_VALUE(value=text or value.sql("doris"), name=column.name)
    return found


def literal(value: exp.Expr) -> str | None:
    """The text of a constant, None for anything else."""
    if isinstance(value, exp.Neg) and isinstance(value.this, exp.Literal):
        return f"-{value.this.name}"
    if isinstance(value, exp.Boolean):
        return "1" if value.this else "0"
    return value.name if isinstance(value, exp.Literal) else None


def minimum(kind: DorisType) -> str:
    """The lowest value of a type that may partition a table by RANGE."""
    return str(kind.integer_range[0]) if kind.is_integer else canonical(kind, "0000-01-01") or ""
