"""The table function changelog(): stored records, raw.

    changelog("table" = "orders", "partition" = "p1")  ->  records of t_ and h_ with OP, TSO, LSN and BEFORE columns

No folding, no TTL filter (Doris: CHANGELOG table function).
"""

from __future__ import annotations

from typing import TypeGuard

from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.name import INSIDE_VIEW, find, is_system, usable
from sql.bind.relation import Relation, RelationColumn
from sql.information_schema import SystemTable, lookup
from sql.privilege import SELECT, require
from sql.rewrite.table import extra_columns, visible_columns
from storage.catalog.model import Table
from storage.change.window import LSN, OP, TSO, before_name
from storage.changelog import records
from storage.errors import (
    CHANGELOG_DATABASE_REQUIRED,
    CHANGELOG_NOT_ENABLED,
    CHANGELOG_NOT_OLAP,
    CHANGELOG_PROPERTY,
    CHANGELOG_TABLE_REQUIRED,
    INVALID_PARTITION_NAMES,
    INVALID_TABLET_IDS,
    NO_SUCH_TABLE,
    NOT_SUPPORTED,
    PARTITION_NOT_FOUND,
    PROPERTY_TWICE,
)
from storage.types import BIGINT

RECORD_COLUMNS = ((OP, BIGINT), (TSO, BIGINT), (LSN, BIGINT))
PARAMETERS = ("table", "db", "partition", "tablet")


def changelog_relation(binding: Binding, reference: exp.Table) -> Relation:
    """The records of one table; parameters are checked in the words of Doris."""
    given = parameters(reference.this)
    table = _table(binding, given, reference)
    database = binding.catalog.databases[table.database_id].name
    if not reference.meta.get(INSIDE_VIEW):
        require(binding.catalog, binding.context, SELECT, database, table.name)
    if table.changelog is None:
        raise CHANGELOG_NOT_ENABLED(table=table.name)
    hidden = extra_columns(RECORD_COLUMNS, binding.show_hidden)
    return Relation(
        database=database,
        name=table.name,
        columns=(*hidden, *visible_columns(table), *before_columns(table)),
        text=records(table, _partitions(table, given), binding.reader.purged_tso(table.id)),
    )


def before_columns(table: Table) -> tuple[RelationColumn, ...]:
    """One old value per value column, only where before images are kept."""
    if table.changelog is None or not table.changelog.history:
        return ()
    return tuple(RelationColumn(before_name(column.name), column.type) for column in table.values)


def parameters(function: exp.Anonymous) -> dict[str, str]:
    """The `"key" = "value"` arguments; keys are case-insensitive and come once, values are trimmed."""
    given: dict[str, str] = {}
    for argument in function.expressions:
        key, value = _pair(argument)
        if key.lower() not in PARAMETERS:
            raise CHANGELOG_PROPERTY(key=key)
        if key.lower() in given:
            raise PROPERTY_TWICE(key=key, first=given[key.lower()], second=value)
        given[key.lower()] = value
    return given


def _pair(argument: exp.Expr) -> tuple[str, str]:
    """Key and value of an argument, strings or bare words as in PROPERTIES; what is no pair is an invalid property."""
    key, value = argument.args.get("this"), argument.args.get("expression")
    if isinstance(argument, exp.EQ) and _is_word(key) and _is_word(value):
        return key.name, value.name.strip()
    raise CHANGELOG_PROPERTY(key=argument.name or argument.sql())


def _is_word(side: object) -> TypeGuard[exp.Expr]:
    return isinstance(side, exp.Literal) or (isinstance(side, exp.Column) and not side.table)


def _table(binding: Binding, given: dict[str, str], reference: exp.Table) -> Table:
    name = given.get("table")
    database = given.get("db") or reference.db or binding.context.database
    if not name:
        raise CHANGELOG_TABLE_REQUIRED()
    if not database:
        raise CHANGELOG_DATABASE_REQUIRED()
    wanted = exp.table_(name, database)
    wanted.meta.update(reference.meta)
    found = _system(name, database) or find(binding.catalog, wanted, binding.context)
    if found is None:
        raise NO_SUCH_TABLE(name=name)
    if not isinstance(found, Table):
        raise CHANGELOG_NOT_OLAP(table=name)
    return binding.read(usable(binding.catalog, found))


def _system(name: str, database: str) -> SystemTable | None:
    return lookup(name, database) if is_system(database) else None


def _partitions(table: Table, given: dict[str, str]) -> list[int] | None:
    """Partition ids to read, None for all."""
    if "tablet" in given:
        tablets = _items(given["tablet"])
        if not tablets or not all(item.isdigit() for item in tablets):
            raise INVALID_TABLET_IDS(value=given["tablet"])
        raise NOT_SUPPORTED(what='changelog("tablet" = …)')
    if "partition" not in given:
        return None
    names = _items(given["partition"])
    if not names:
        raise INVALID_PARTITION_NAMES(value=given["partition"])
    return [_partition_id(table, name) for name in names]


def _items(text: str) -> list[str]:
    """The items of a comma-separated list; empty ones are dropped."""
    return [item.strip() for item in text.split(",") if item.strip()]


def _partition_id(table: Table, name: str) -> int:
    found = table.partition(name)
    if found is None:
        raise PARTITION_NOT_FOUND(name=name)
    return found.id
