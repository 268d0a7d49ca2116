"""Columns that fill themselves: AUTO_INCREMENT, ON UPDATE CURRENT_TIMESTAMP, generated ones.

Pure checks of declarations; what fills them is in sql/ingest. Source: Doris: CREATE TABLE,
columns; Auto-Increment Column, Generated Columns.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from sql.ddl.column import Declared
from sql.dialect.doris import parse
from storage.catalog.model import Column, Model, Table
from storage.errors import (
    AUTO_INCREMENT_DEFAULT,
    AUTO_INCREMENT_MODEL,
    AUTO_INCREMENT_NULL,
    AUTO_INCREMENT_TWICE,
    AUTO_INCREMENT_TYPE,
    GENERATED_ADDED,
    GENERATED_COLUMN,
    GENERATED_DEFAULT,
    GENERATED_MODEL,
    GENERATED_USE,
    ON_UPDATE_DEFAULT,
    ON_UPDATE_MODEL,
    STAR_PLACE,
)


def check(columns: Sequence[Declared], model: Model, merge_on_write: bool) -> None:
    """Check the columns of a new table."""
    numbered = [column for column in columns if column.auto_increment is not None]
    for column in numbered:
        _check_numbered(column, model)
    if len(numbered) > 1:
        raise AUTO_INCREMENT_TWICE()
    for place, column in enumerate(columns):
        if column.generated is not None:
            _check_generated(column, columns[:place], columns, model)
        check_on_update(column, merge_on_write)


def _check_numbered(column: Declared, model: Model) -> None:
    if model is Model.AGGREGATE:
        raise AUTO_INCREMENT_MODEL()
    if column.type.name != "bigint":
        raise AUTO_INCREMENT_TYPE()
    if column.nullable:
        raise AUTO_INCREMENT_NULL()
    if column.default is not None:
        raise AUTO_INCREMENT_DEFAULT()


def check_on_update(column: Declared, merge_on_write: bool) -> None:
    """ON UPDATE needs the same default, and rows that are updated in place."""
    if not column.on_update:
        return
    if not merge_on_write:
        raise ON_UPDATE_MODEL()
    if column.default != "CURRENT_TIMESTAMP":
        raise ON_UPDATE_DEFAULT(name=column.name)


def _check_generated(column: Declared, before: Sequence[Declared], columns: Sequence[Declared], model: Model) -> None:
    """A generated column is computed from ordinary ones, and from generated ones that stand before it."""
    if model is Model.AGGREGATE:
        raise GENERATED_MODEL(name=column.name)
    if column.default is not None or column.auto_increment is not None:
        raise GENERATED_DEFAULT(name=column.name)
    if expression(column.generated or "").find(exp.Star):
        raise STAR_PLACE()
    known = {other.name.lower() for other in columns if other.generated is None and other.auto_increment is None}
    known |= {other.name.lower() for other in before}
    for name in uses(column.generated or ""):
        if name not in known:
            raise GENERATED_COLUMN(name=column.name, used=name)


def expression(text: str) -> exp.Expr:
    """The tree of a stored expression."""
    select = parse(f"SELECT {text}")[0].node
    found: exp.Expr = select.expressions[0]
    return found


def uses(text: str) -> set[str]:
    """The columns an expression names, in lower case."""
    return {column.name.lower() for column in expression(text).find_all(exp.Column)}


def check_added(column: Declared, table: Table) -> None:
    """What ADD COLUMN takes of these (AUTO_INCREMENT has words of its own there)."""
    if column.generated is not None:
        raise GENERATED_ADDED()
    check_on_update(column, table.merge_on_write)


def check_drop(table: Table, column: Column) -> None:
    """Refuse DROP, RENAME and MODIFY of a column that a generated one is computed from."""
    for other in table.columns:
        if other.generated is not None and column.name.lower() in uses(other.generated):
            raise GENERATED_USE(name=column.name, used=other.name)
