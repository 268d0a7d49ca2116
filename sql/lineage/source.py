"""What a table reference stands for, as far as lineage goes: a name, and columns that are known by name.

    orders, orders PARTITION (p), orders@incr(…)  ->  internal.shop.orders with its columns
    orders_s, orders_s@snapshot()                 ->  internal.shop.orders_s: a stream is a table of its own
    changelog("table" = "orders")                 ->  internal.shop.orders with the hidden and old columns
    numbers("number" = "10")                      ->  no table; columns without origin

Which columns there are, and which of them `*` gives, is what sql/rewrite says when it runs the same reference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sqlglot import exp

from dorisette.lineage import ColumnRef
from sql.bind.name import CATALOG
from sql.bind.relation import RelationColumn
from sql.information_schema import lookup
from sql.lineage import name
from sql.lineage.value import Text, Value, plain, renumbered
from sql.rewrite.changelog import RECORD_COLUMNS, before_columns, parameters
from sql.rewrite.stream import STREAM_COLUMNS
from sql.rewrite.table import extra_columns, visible_columns
from storage.catalog.catalog import Catalog
from storage.catalog.model import Stream, Table, View
from storage.relation import hidden_columns


class LineageError(Exception):
    """The lineage of a statement cannot be told; the text says why. Never leaves the lineage machinery."""


Output = tuple[str, Value]


class Relation(Protocol):
    """Something that stands in FROM."""

    @property
    def outputs(self) -> Sequence[Output]:
        """What `*` gives, in order."""

    def find(self, column: str) -> Value | None:
        """A column by its name in lower case, hidden ones too."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a statement was analysed: its catalog snapshot, the session's database and what `*` shows there."""

    catalog: Catalog
    database: str | None = None
    session: int | None = None  # a connection that has temporary tables; they hide others
    show_hidden: bool = False
    catalog_after: Catalog | None = None  # has the table that the statement created


@dataclass(slots=True)
class Base:
    """A table or stream; values are made when they are asked for, since tables are wide and queries are not."""

    database: str
    table: str
    columns: tuple[RelationColumn, ...]
    _index: dict[str, RelationColumn] | None = None
    _values: dict[str, Value] = field(default_factory=dict)

    @property
    def full_name(self) -> str:
        return name.table(self.database, self.table)

    @property
    def outputs(self) -> Sequence[Output]:
        return [(column.name, self._value(column)) for column in self.columns if column.visible]

    def find(self, column: str) -> Value | None:
        if self._index is None:
            self._index = {known.name.lower(): known for known in reversed(self.columns)}
        known = self._index.get(column)
        return None if known is None else self._value(known)

    def _value(self, column: RelationColumn) -> Value:
        value = self._values.get(column.name)
        if value is None:
            origin = ColumnRef(CATALOG, self.database, self.table, column.name)
            value = plain(Text(name.column(origin), frozenset((origin,)), is_column=True))
            self._values[column.name] = value
        return value


@dataclass(slots=True)
class Derived:
    """The result of a query."""

    outputs: Sequence[Output]
    _index: dict[str, Value] | None = None

    def find(self, column: str) -> Value | None:
        if self._index is None:
            self._index = {known.lower(): value for known, value in reversed(self.outputs)}
        return self._index.get(column)

    def renamed(self, names: Sequence[str]) -> Derived:
        """With other names for the first columns: `AS t (a, b)`."""
        kept = [known for known, _ in self.outputs[len(names) :]]
        return Derived([(known, value) for known, (_, value) in zip([*names, *kept], self.outputs, strict=False)])

    def referenced(self, numbers: Mapping[int, int]) -> Derived:
        """As one of several references sees it."""
        return Derived([(known, renumbered(value, numbers)) for known, value in self.outputs])


@dataclass(frozen=True, slots=True)
class Opaque:
    """A table function: the columns that the statement names (LATERAL VIEW … AS e), or any column at all."""

    outputs: Sequence[Output] = ()

    def find(self, column: str) -> Value | None:
        return next((value for known, value in self.outputs if known.lower() == column), None)

    def unlisted(self, column: str) -> Value | None:
        """A column that nobody has listed; it comes from nowhere."""
        return None if self.outputs else plain(Text(name.part(column)))


def find(catalog: Catalog, database: str, wanted: str, session: int | None) -> Table | Stream | View | None:
    """What a name means to a session; inside of views there is none (sql/bind/name.py)."""
    entry = catalog.database(database)
    if entry is None:
        return None
    own = None if session is None else catalog.temporary_table(entry.id, wanted, session)
    return own or catalog.named(entry.id, wanted)


def base_relation(
    reference: exp.Table, place: Place, database: str, found: Table | Stream | View | None
) -> Base | Opaque:
    """The relation of a reference that is no CTE and no view; LineageError when the catalog has none."""
    if isinstance(reference.this, exp.Func):
        return _function(reference.this, place, database)
    if database.lower() == "information_schema":
        return _system(reference.name)
    if isinstance(found, Stream):
        return Base(database, found.name, _stream_columns(found, reference, place))
    if not isinstance(found, Table):
        raise LineageError(f"no table {database}.{reference.name}")
    return Base(database, found.name, _table_columns(found, reference, place))


def _table_columns(table: Table, reference: exp.Table, place: Place) -> tuple[RelationColumn, ...]:
    extra = RECORD_COLUMNS if reference.args.get("changes") else hidden_columns(table)
    return (*visible_columns(table), *extra_columns(extra, place.show_hidden))


def _stream_columns(stream: Stream, reference: exp.Table, place: Place) -> tuple[RelationColumn, ...]:
    base = place.catalog.tables.get(stream.base_id)
    if base is None:
        raise LineageError(f"no base table of stream {stream.name}")
    extra = () if reference.args.get("changes") else STREAM_COLUMNS
    return (*visible_columns(base), *extra_columns(extra, place.show_hidden))


def _system(wanted: str) -> Base:
    table = lookup(wanted)
    if table is None:
        raise LineageError(f"no table information_schema.{wanted}")
    columns = tuple(RelationColumn(column, kind) for column, kind in table.columns)
    return Base("information_schema", table.name, columns)


def _function(function: exp.Func, place: Place, database: str) -> Base | Opaque:
    if not isinstance(function, exp.Anonymous) or function.name.lower() != "changelog":
        return Opaque()
    given = parameters(function)
    database = given.get("db") or database
    table = find(place.catalog, database, given.get("table", ""), None)
    if not isinstance(table, Table):
        raise LineageError(f"no table {database}.{given.get('table')}")
    hidden = extra_columns(RECORD_COLUMNS, place.show_hidden)
    return Base(database, table.name, (*hidden, *visible_columns(table), *before_columns(table)))
