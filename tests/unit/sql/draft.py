"""Short words for tests of DDL: catalogs from statements, without storage and without engine."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

import pytest
from sqlglot import exp

from sql.ddl.alter import Step, altered
from sql.ddl.partition import Stamp
from sql.ddl.show_create import create_table
from sql.ddl.table import Place, build
from sql.dialect.doris import parse
from storage.catalog.catalog import Catalog
from storage.catalog.model import DatabaseEntry, Table
from storage.errors import DorisError, Kind

SHOP = DatabaseEntry(1, "shop")
NOW = 1_700_000_000_000 << 18
_ids = count(100)


def stamp() -> Stamp:
    return Stamp(lambda: next(_ids), NOW)


def node_of(text: str) -> exp.Expression:
    return parse(text)[0].node


def table(text: str, database: DatabaseEntry = SHOP, feature_on: bool = True) -> Table:
    """The table of a CREATE TABLE."""
    statement = node_of(text)
    assert isinstance(statement, exp.Create)
    return build(statement, Place(database, statement.this.this.name, feature_on, stamp()))


def catalog(*tables: Table, databases: Iterable[DatabaseEntry] = (SHOP,)) -> Catalog:
    return Catalog(1, {entry.id: entry for entry in databases}, {item.id: item for item in tables})


def alter(before: Catalog, item: Table, text: str) -> Catalog:
    """The catalog after an ALTER TABLE on one of its tables."""
    return altered(Step(before, item, stamp()), node_of(text).args["actions"])


def alter_table(item: Table, text: str) -> Table:
    return alter(catalog(item), item, text).tables[item.id]


def printed(item: Table, database: DatabaseEntry = SHOP) -> str:
    return create_table(item, database)


def refuses(kind: Kind, make: object, *arguments: object) -> str:
    """Call and expect one declared error; gives its message."""
    assert callable(make)
    with pytest.raises(DorisError) as caught:
        make(*arguments)
    assert caught.value.kind is kind
    return caught.value.message
