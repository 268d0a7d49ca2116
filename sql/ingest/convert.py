"""Convert one value to a column's type, as DuckDB text; what does not fit becomes NULL and a reject reason.

Rules: Doris documentation, "Data Types Overview" and strict mode.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sql.dialect import cast
from sql.dialect.cast import Family, Target
from sql.ingest.complex import CONVERSIONS, NESTED, cast_nested, may_become
from storage.catalog.model import Column
from storage.errors import CAST_TYPE
from storage.naming import PREFIX, literal
from storage.types import STRING, DorisType


@dataclass(frozen=True, slots=True)
class Check:
    """A DuckDB condition that rejects a row, and the words of the rejection."""

    condition: str
    reason: str
    value: str | None = None  # DuckDB text of the value to be shown behind the words

    def text(self, before: str = "") -> str:
        """DuckDB text of the rejection, with the value cut at 64 characters."""
        words = literal(before + self.reason)
        return words if self.value is None else f"{words} || left(CAST({self.value} AS VARCHAR), 64)"


_LAST = {"date": "DATE '9999-12-31'", "datetime": "TIMESTAMP '9999-12-31 23:59:59.999999'"}


def converted(value: str, source: DorisType | None, target: DorisType, zone: str, lenient: bool = False) -> str:
    """DuckDB text of `value`, of type `source` (None: unknown), as `target`; NULL where it does not fit.

    `zone` is that of the session: texts with an offset become its moments. With `lenient` a nested value loses only
    what does not fit.
    """
    if source == target or (source is not None and _fits(source, target)):
        return value
    if source is not None and not may_become(source, target):
        raise CAST_TYPE(source=source, target=target)
    if lenient and target.name in NESTED:
        return cast_nested(value, source, target)
    if target.name in CONVERSIONS:
        return CONVERSIONS[target.name](value, source, target)
    if target.is_text and source is not None and source.name in NESTED:
        return f"{PREFIX}nested_text(CAST(to_json({value}) AS VARCHAR))"
    family = _family(source)
    if target.is_date and family is None:  # whatever it is, its text is read
        value, family = f"CAST({value} AS VARCHAR)", "text"
    scalar = Target(_family(target), target.duckdb, target.scale or 0)
    return cast.converted(value, family, scalar, zone, source.scale if source is not None else None)


def checks(value: str, conversion: str, column: Column, lenient: bool = False) -> list[Check]:
    """What can go wrong for this column: lost value, NULL where none may be, too many bytes.

    With `lenient` a lost value is NULL, and only wrong where NULL is (Doris: Stream Load, strict_mode).
    """
    found = []
    if conversion != value and not lenient:
        reason = f"column({column.name}) value is incorrect for type {column.type}: "
        found.append(Check(f"{value} IS NOT NULL AND {conversion} IS NULL", reason, value))
    if not column.nullable:
        found.append(Check(f"{conversion} IS NULL", f"null value for not null column, column={column.name}"))
    length = column.type.most_bytes
    if length is not None:
        limit = f"column_name: {column.name}; schema length: {length}"
        reason = f"the length of input is too long than schema. {limit}; input: "
        found.append(Check(f"strlen({conversion}) > {length}", reason, conversion))
    if column.type.is_date:
        reason = f"column({column.name}) value is out of range of type {column.type}: "
        found.append(Check(f"{conversion} NOT BETWEEN DATE '0000-01-01' AND {_LAST[column.type.name]}", reason, value))
    return found


def _fits(source: DorisType, target: DorisType) -> bool:
    """Whether every value of `source` is a value of `target` with the same DuckDB type."""
    if source.is_text and target.is_text:
        return True  # the length is a check of its own
    if source.name == "datetime" and target.name == "datetime":
        return source.scale is not None and source.scale <= (target.scale or 0)
    return False


def _family(source: DorisType | None) -> Family | None:
    """What kind of value a type holds, as CAST sees it."""
    if source is None:
        return None
    return "integer" if source.is_integer else "text" if source.is_text else _FAMILIES.get(source.name)


_FAMILIES: dict[str, Family] = {
    "boolean": "boolean", "decimal": "decimal", "float": "float", "double": "float", "date": "date",
    "datetime": "datetime", "json": "document",
}  # fmt: skip


def constant(text: str, target: DorisType) -> str:
    """A default as a value of its type; canonical texts are typed at once."""
    if target.is_integer and re.fullmatch(r"-?\d{1,18}", text):
        return f"CAST({text} AS {target.duckdb})"
    if target.name == "date" and re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        return f"DATE {literal(text)}"
    if target.is_text:
        return literal(text)
    return converted(literal(text), STRING, target, "UTC")
