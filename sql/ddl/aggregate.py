"""Which aggregation fits which type, and what columns of state types may declare.

Called by CREATE TABLE after keys and model are settled, and by ADD COLUMN. Source: Doris: Aggregate Model,
BITMAP, HLL, AGG_STATE; fe-core AggregateType, ColumnDefinition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sql.ddl.column import Declared
from sql.ddl.type import COMPLEX
from storage.catalog.model import Model
from storage.errors import (
    AGGREGATION_COMPLEX,
    AGGREGATION_TYPE,
    REPLACE_NOT_NULLABLE,
    ROW_STORE_AGGREGATE,
    STATE_MODEL,
    STATE_SWITCHED_OFF,
)
from storage.types import STATES, DorisType

_REPLACE = frozenset(("REPLACE", "REPLACE_IF_NOT_NULL"))
_ONLY = {"HLL_UNION": "hll", "BITMAP_UNION": "bitmap", "QUANTILE_UNION": "quantile_state", "GENERIC": "agg_state"}
_AGGREGATE_ONLY = ("hll", "quantile_state", "agg_state")


def check(columns: Iterable[Declared], model: Model, properties: Mapping[str, str]) -> None:
    """Check the value columns and properties of a table against its model."""
    for column in columns:
        check_column(column, model)
    if model is Model.AGGREGATE and properties.get("store_row_column", "").lower() == "true":
        raise ROW_STORE_AGGREGATE()


def check_column(column: Declared, model: Model) -> None:
    """Check one column: its type needs the model, its aggregation needs the type."""
    if column.type.name in _AGGREGATE_ONLY and model is not Model.AGGREGATE:
        raise STATE_MODEL(type=column.type.name, name=column.name)
    if column.aggregation is not None:
        _check_fit(column.type, column.aggregation)
        if column.aggregation == "REPLACE_IF_NOT_NULL" and not column.nullable:
            raise REPLACE_NOT_NULLABLE(name=column.name)


def _check_fit(kind: DorisType, aggregation: str) -> None:
    if kind.name in COMPLEX | {"json", "variant"}:
        if aggregation not in _REPLACE:
            raise AGGREGATION_COMPLEX(type=kind.name.upper(), aggregation=aggregation)
    elif not _fits(kind, aggregation):
        raise AGGREGATION_TYPE(aggregation=aggregation, type=kind)


def _fits(kind: DorisType, aggregation: str) -> bool:
    if aggregation in _ONLY:
        return kind.name == _ONLY[aggregation]
    if kind.name in STATES:
        return False
    numeric = kind.is_numeric and kind.name != "boolean"
    if aggregation == "SUM":
        return numeric
    return aggregation in _REPLACE or numeric or kind.is_date or kind.is_text


def check_switch(columns: Iterable[Declared], switched_on: bool) -> None:
    """AGG_STATE columns are made only while the session variable enable_agg_state is on (Doris: AGG_STATE)."""
    if not switched_on and any(column.type.name == "agg_state" for column in columns):
        raise STATE_SWITCHED_OFF()
