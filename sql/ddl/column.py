"""Read a column definition of CREATE TABLE or ADD COLUMN.

What the whole table decides is checked later (sql/ddl/key.py, aggregate.py, self_filling.py).
Source: Doris: CREATE TABLE, columns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlglot import exp

from sql.ddl.literal import canonical
from sql.ddl.name import check_column
from sql.ddl.type import LATER, declared
from sql.dialect.changing import changes
from sql.dialect.clause import Aggregation, AutoIncrement, Generated, KeyColumn
from sql.dialect.doris import Doris
from storage.catalog.model import Column
from storage.errors import (
    COMPLEX_DEFAULT,
    DEFAULT_EXPRESSION,
    DEFAULT_FUNCTION,
    GENERATED_EXPRESSION,
    INVALID_DEFAULT,
    NOT_SUPPORTED_YET,
    NULL_DEFAULT,
    STATE_DEFAULT,
    STATE_NULLABLE,
    DorisError,
)
from storage.types import STATES, DorisType


@dataclass(frozen=True, slots=True)
class Declared:
    """A column as written; `default` is the literal text, or the function's word when `default_is_function`."""

    name: str
    type: DorisType
    key: bool = False
    nullable: bool = True
    aggregation: str | None = None
    default: str | None = None
    default_is_function: bool = False
    null_default: bool = False
    null_given: bool = False
    comment: str = ""
    auto_increment: int | None = None  # the first number
    generated: str | None = None  # the expression
    on_update: bool = False

    def column(self, uid: int, key: bool) -> Column:
        """The catalog's value of this column."""
        return Column(
            uid=uid,
            name=self.name,
            type=self.type,
            key=key,
            nullable=self.nullable,
            aggregation=self.aggregation,
            default=self.default,
            default_is_function=self.default_is_function,
            comment=self.comment,
            auto_increment=self.auto_increment,
            on_update=self.on_update,
            generated=self.generated,
        )


def read(definition: exp.ColumnDef) -> Declared:
    """Read and check one column by itself; raises the errors of names, types and defaults."""
    name = check_column(definition.name)
    kind = definition.args.get("kind")
    column = Declared(name, declared(kind, name)) if isinstance(kind, exp.DataType) else _untyped(name)
    for constraint in definition.args.get("constraints") or ():
        column = _apply(column, constraint.args["kind"])
    return _checked(column)


def _untyped(name: str) -> Declared:
    raise NOT_SUPPORTED_YET(what=f"column {name} without type")


def _apply(column: Declared, constraint: exp.Expr) -> Declared:
    option = _OPTIONS.get(type(constraint))
    if option is None:
        raise NOT_SUPPORTED_YET(what=f"column option {constraint.sql('doris')}")
    return option(column, constraint)


def _not_null(column: Declared, constraint: exp.Expr) -> Declared:
    nullable = bool(constraint.args.get("allow_null"))
    return replace(column, nullable=nullable, null_given=nullable)


def _aggregation(column: Declared, constraint: exp.Expr) -> Declared:
    return replace(column, aggregation=str(constraint.this).upper())


_FUNCTIONS: dict[type[exp.Expr], str] = {
    exp.CurrentTimestamp: "CURRENT_TIMESTAMP",
    exp.CurrentDate: "CURRENT_DATE",
}
_FUNCTION_TYPES = {"CURRENT_TIMESTAMP": "datetime", "CURRENT_DATE": "date"}
BITMAP_EMPTY = "BITMAP_EMPTY"
_NULL_DEFAULT_ONLY = frozenset(("array", "map", "struct", "json", "variant"))
_CONSTANTS = {"PI": "3.141592653589793", "E": "2.718281828459045"}


def _default(column: Declared, constraint: exp.Expr) -> Declared:
    value = constraint.this
    if isinstance(value, exp.Null):
        return replace(column, default=None, null_default=True)
    word = _FUNCTIONS.get(type(value)) or value.name.upper()  # without brackets it may read as a column
    if word == BITMAP_EMPTY and not isinstance(value, exp.Literal):
        return replace(column, default=BITMAP_EMPTY, default_is_function=True)
    if word in _FUNCTION_TYPES and not isinstance(value, exp.Literal):
        return replace(column, default=word, default_is_function=True)
    return replace(column, default=_literal(column, value))


def _literal(column: Declared, value: exp.Expr) -> str:
    if isinstance(value, exp.Literal):
        return value.name
    if isinstance(value, exp.Neg) and isinstance(value.this, exp.Literal):
        return f"-{value.this.name}"
    if isinstance(value, exp.Boolean):
        return "true" if value.this else "false"
    constant = _CONSTANTS.get(value.name.upper() or value.key.upper())
    if constant is None:
        raise DEFAULT_EXPRESSION(name=column.name)
    return constant


def _comment(column: Declared, constraint: exp.Expr) -> Declared:
    return replace(column, comment=constraint.name)


_NEVER_GENERATED = (exp.Query, exp.AggFunc, exp.Window)


def _generated(column: Declared, constraint: exp.Expr) -> Declared:
    """An expression that gives the same for the same row at any time."""
    node = constraint.this.unnest()
    refused = next((part for part in node.walk() if isinstance(part, _NEVER_GENERATED) or changes(part)), None)
    if refused is not None:
        raise GENERATED_EXPRESSION(name=column.name, what=_called(refused))
    return replace(column, generated=node.sql(dialect=Doris))


def _called(node: exp.Expr) -> str:
    if isinstance(node, exp.Func) and not isinstance(node, exp.Anonymous):
        return node.sql_name().lower()
    return node.name.lower() if isinstance(node, exp.Anonymous) else node.sql(dialect=Doris)


def _auto_increment(column: Declared, constraint: exp.Expr) -> Declared:
    start = constraint.this
    return replace(column, auto_increment=int(start.name) if isinstance(start, exp.Expr) else 1)


def _flag(field: str) -> Callable[[Declared, exp.Expr], Declared]:
    return lambda column, constraint: replace(column, **{field: True})  # type: ignore[arg-type]


_OPTIONS: dict[type[exp.Expr], Callable[[Declared, exp.Expr], Declared]] = {
    exp.NotNullColumnConstraint: _not_null,
    exp.DefaultColumnConstraint: _default,
    exp.CommentColumnConstraint: _comment,
    Aggregation: _aggregation,
    KeyColumn: _flag("key"),
    Generated: _generated,
    AutoIncrement: _auto_increment,
    exp.OnUpdateColumnConstraint: _flag("on_update"),
}


def _checked(column: Declared) -> Declared:
    if column.type.name in STATES:
        return _checked_state(column)
    if column.type.name in _NULL_DEFAULT_ONLY and (column.default is not None):
        _check_complex_default(column, column.default)
        return column
    if column.null_default and not column.nullable:
        raise NULL_DEFAULT(name=column.name)
    if column.default_is_function:
        _check_function(column)
    elif column.default is not None and not _fits(column, column.default):
        raise INVALID_DEFAULT(name=column.name, value=column.default, type=column.type)
    return column


def _checked_state(column: Declared) -> Declared:
    """BITMAP, HLL and their kin are never NULL, an AGG_STATE only if it says so; only BITMAP may declare a default.

    The default is the empty bitmap (Doris: BITMAP); a NULL state adds nothing when states are merged.
    """
    nullable = column.null_given and column.type.name == "agg_state"
    if column.null_given and not nullable:
        raise STATE_NULLABLE(name=column.name)
    if column.null_default or (column.default is not None and column.default.upper() != BITMAP_EMPTY):
        raise _state_default(column)
    if column.default is not None and column.type.name != "bitmap":
        raise _state_default(column)
    return replace(column, nullable=nullable, default_is_function=column.default is not None)


def _state_default(column: Declared) -> DorisError:
    if column.type.name == "bitmap":
        return COMPLEX_DEFAULT(type="Bitmap", allowed="bitmap_empty", name=column.name)
    return STATE_DEFAULT(type=column.type.name.capitalize(), name=column.name)


def _check_complex_default(column: Declared, default: str) -> None:
    """ARRAY, MAP, STRUCT, JSON and VARIANT default to NULL; an array may be empty as well."""
    if column.type.name == "array" and default == "[]":
        return
    allowed = "null or []" if column.type.name == "array" else "null"
    raise COMPLEX_DEFAULT(type=column.type.name.capitalize(), allowed=allowed, name=column.name)


def _fits(column: Declared, default: str) -> bool:
    return column.type.name in LATER or canonical(column.type, default) is not None


def _check_function(column: Declared) -> None:
    wanted = _FUNCTION_TYPES[str(column.default)]
    if column.type.name != wanted:
        raise DEFAULT_FUNCTION(types=wanted.upper(), function=str(column.default).lower(), name=column.name)


def check_buildable(column: Declared) -> None:
    """Refuse what a table cannot hold yet; called after the checks that have words of their own."""
    refused = {
        f"column type {column.type.name.upper()}": column.type.name in LATER,
    }
    for what, found in refused.items():
        if found:
            raise NOT_SUPPORTED_YET(what=f"{what} (column {column.name})")
