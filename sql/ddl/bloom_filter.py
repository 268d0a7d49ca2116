"""The properties bloom_filter_columns and bloom_filter_fpp: checked, kept in step with the columns, without effect.

Pure. Source: Doris: CREATE TABLE, properties; words of the errors: apache/doris, PropertyAnalyzer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from storage.catalog.model import Column, Model
from storage.errors import BLOOM_COLUMN, BLOOM_MODEL, BLOOM_RATE, BLOOM_TWICE, BLOOM_TYPE
from storage.types import STATES

COLUMNS, RATE = "bloom_filter_columns", "bloom_filter_fpp"
LOWEST, HIGHEST = 0.0001, 0.05

_REFUSED = STATES | {"tinyint", "float", "double", "boolean", "json", "variant", "array", "map", "struct"}

Pairs = tuple[tuple[str, str], ...]


def check(properties: Iterable[tuple[str, str]], columns: Sequence[Column], model: Model) -> None:
    """Check the two properties against the columns of a table."""
    given = dict(properties)
    if given.get(COLUMNS):
        _check_columns(_names(given[COLUMNS]), columns, model)
    if RATE in given:
        _check_rate(given[RATE])


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _check_columns(names: Sequence[str], columns: Sequence[Column], model: Model) -> None:
    known = {column.name.lower(): column for column in columns}
    for place, name in enumerate(names):
        column = known.get(name.lower())
        if column is None:
            raise BLOOM_COLUMN(name=name)
        if column.type.name in _REFUSED:
            raise BLOOM_TYPE(type=column.type, name=name)
        if model is Model.AGGREGATE and not column.key:
            raise BLOOM_MODEL(name=name)
        if name.lower() in (earlier.lower() for earlier in names[:place]):
            raise BLOOM_TWICE(name=name)


def _check_rate(text: str) -> None:
    try:
        rate = float(text)
    except ValueError:
        rate = -1.0
    if not LOWEST <= rate <= HIGHEST:
        raise BLOOM_RATE(low=LOWEST, high=HIGHEST)


def without_column(properties: Pairs, name: str) -> Pairs:
    """The properties after a column went."""
    return _changed(properties, lambda listed: None if listed.lower() == name.lower() else listed)


def renamed_in(properties: Pairs, old: str, new: str) -> Pairs:
    """The properties after a column got another name."""
    return _changed(properties, lambda listed: new if listed.lower() == old.lower() else listed)


def _changed(properties: Pairs, change: Callable[[str], str | None]) -> Pairs:
    found: list[tuple[str, str]] = []
    for key, value in properties:
        if key == COLUMNS:
            value = ",".join(name for listed in _names(value) if (name := change(listed)) is not None)
            if not value:
                continue
        found.append((key, value))
    return tuple(found)
