"""Generated columns: what a row's other columns make of them, as DuckDB text over the converted row.

    total INT AS (price * n)   ->   ("price" * "n"), computed after the columns were converted

A generated column may use generated ones before it, so each is computed over all that stands before it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.expression import bind_expression, reference_to
from sql.bind.relation import Relation, RelationColumn
from sql.ddl.self_filling import expression, uses
from sql.ingest.convert import Check, checks, converted
from storage.catalog.model import Column, Table
from storage.errors import GENERATED_GIVEN, PARTIAL_GENERATED
from storage.naming import PREFIX, sql_name

RAW = PREFIX + "raw_"  # a computed value before it is converted to its column's type


@dataclass(frozen=True, slots=True)
class Computed:
    """One generated column: the value, its conversion over RAW, and what rejects a row."""

    column: Column
    value: str
    conversion: str
    tests: tuple[Check, ...]

    @property
    def name(self) -> str:
        return sql_name(self.column.name)

    @property
    def raw(self) -> str:
        return f"{RAW}{self.column.uid}"


def computed(table: Table, binding: Binding) -> tuple[Computed, ...]:
    """The generated columns of a table in their order; none for most tables."""
    return tuple(_computed(table, column, binding) for column in table.columns if column.generated is not None)


def _computed(table: Table, column: Column, binding: Binding) -> Computed:
    value = bind_expression(expression(str(column.generated)), _others(table, column), binding)
    raw, name = f"{RAW}{column.uid}", sql_name(column.name)
    conversion = converted(raw, value.type, column.type, binding.zone)
    outcome = raw if conversion == raw else name
    return Computed(column, value.sql, conversion, tuple(checks(raw, outcome, column)))


def _others(table: Table, column: Column) -> exp.Table:
    """A relation of the table's other columns."""
    columns = tuple(RelationColumn(other.name, other.type) for other in table.columns if other.uid != column.uid)
    return reference_to(Relation(table.name, table.name, columns, ""))


def with_computed(sql: str, found: Iterable[Computed], spell: Callable[[Computed], str] | None = None) -> str:
    """A SELECT of converted rows with the generated columns added, each over those before it.

    `spell` gives the text of a converted value, if it is not to be the conversion alone.
    """
    for one in found:
        raw = f"SELECT *, {one.value} AS {one.raw} FROM ({sql})"
        sql = f"SELECT *, {spell(one) if spell else one.conversion} AS {one.name} FROM ({raw})"
    return sql


def check_given(table: Table, given: Collection[str]) -> None:
    """Refuse a statement that names a generated column; `given` are lower-case names."""
    for column in table.columns:
        if column.generated is not None and column.name.lower() in given:
            raise GENERATED_GIVEN(name=column.name, table=table.name)


def check_partial(table: Table, given: Collection[str]) -> None:
    """A partial update must give every column that a generated one is computed from."""
    for column in table.columns:
        if column.generated is not None:
            for name in uses(column.generated):
                used = table.column(name)
                if used is not None and used.generated is None and name not in given:
                    raise PARTIAL_GENERATED(name=used.name)
