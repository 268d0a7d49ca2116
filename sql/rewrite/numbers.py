"""The table function numbers(): whole numbers from 0, or one number many times.

    numbers("number" = "3")                        ->  0, 1, 2
    numbers("number" = "3", "const_value" = "7")   ->  7, 7, 7

Source: Doris: NUMBERS table function.
"""

from __future__ import annotations

from sqlglot import exp

from sql.bind.binding import Binding
from sql.bind.relation import Relation, RelationColumn
from storage.errors import NUMBERS_MISSING, NUMBERS_PROPERTY, NUMBERS_VALUE
from storage.types import BIGINT

_PARAMETERS = ("number", "const_value", "backend_num")


def numbers_relation(binding: Binding, reference: exp.Table) -> Relation:
    """The one column `number`, BIGINT."""
    given = _parameters(reference.this)
    if "number" not in given:
        raise NUMBERS_MISSING()
    value = str(given["const_value"]) if "const_value" in given else "range"
    text = f'SELECT CAST({value} AS BIGINT) AS "number" FROM range({max(given["number"], 0)})'
    return Relation("", "numbers", (RelationColumn("number", BIGINT),), text, lasting=True)


def _parameters(function: exp.Expr) -> dict[str, int]:
    given: dict[str, int] = {}
    for argument in function.expressions:
        key, value = argument.args.get("this"), argument.args.get("expression")
        name = key.name.lower() if isinstance(argument, exp.EQ) and key is not None else ""
        if name not in _PARAMETERS or value is None:
            raise NUMBERS_PROPERTY(key=name or argument.sql("mysql"))
        try:
            given[name] = int(value.name)
        except ValueError:
            raise NUMBERS_VALUE(key=name, value=value.name) from None
    return given
