"""Which types MODIFY COLUMN may turn into which others. Pure tables and one question.

The stored values are converted by storage/catalog/conversion.py; a value that does not fit ends the statement.
Source: Doris documentation, ALTER TABLE COLUMN, "types of conversions"; apache/doris: ColumnType.
"""

from __future__ import annotations

from collections.abc import Callable

from storage.errors import TYPE_CHANGE, TYPE_SHORTER
from storage.types import DorisType

_INTEGERS = ("tinyint", "smallint", "int", "bigint", "largeint")
_DIGITS = {"tinyint": 3, "smallint": 5, "int": 10, "bigint": 19, "largeint": 39}
_NUMBERS_FROM_TEXT = (*_INTEGERS, "float", "double", "date")


def check(old: DorisType, new: DorisType) -> None:
    """Refuse a change that Doris does not make; raises TYPE_CHANGE and TYPE_SHORTER."""
    if old == new:
        return
    if old.is_text and new.is_text:
        _check_length(old, new)
    elif not _ALLOWED.get(old.name, _never)(old, new):
        raise TYPE_CHANGE(old=old, new=new)


def _check_length(old: DorisType, new: DorisType) -> None:
    """Text may grow: CHAR to VARCHAR to STRING, and longer; STRING stays what it is."""
    order = ("char", "varchar", "string")
    if order.index(new.name) < order.index(old.name):
        raise TYPE_CHANGE(old=old, new=new)
    if old.length is not None and new.length is not None and new.length < old.length:
        raise TYPE_SHORTER()


def _never(old: DorisType, new: DorisType) -> bool:
    return False


def _from_integer(old: DorisType, new: DorisType) -> bool:
    if new.is_integer:
        return _INTEGERS.index(new.name) > _INTEGERS.index(old.name)
    if new.name == "decimal":
        return (new.precision or 0) - (new.scale or 0) >= _DIGITS[old.name]
    if new.name == "date":
        return old.name == "int"
    return new.name in ("double", "varchar", "string") or (new.name == "float" and old.name in ("tinyint", "smallint"))


def _from_real(old: DorisType, new: DorisType) -> bool:
    return new.name in ("varchar", "string") or (old.name, new.name) == ("float", "double")


def _from_decimal(old: DorisType, new: DorisType) -> bool:
    """No digit may get lost, neither before nor behind the point."""
    if new.name != "decimal":
        return new.name in ("varchar", "string")
    whole = (new.precision or 0) - (new.scale or 0)
    return (new.scale or 0) >= (old.scale or 0) and whole >= (old.precision or 0) - (old.scale or 0)


def _from_text(old: DorisType, new: DorisType) -> bool:
    return old.name in ("char", "varchar") and (new.name in (*_NUMBERS_FROM_TEXT, "json"))


def _from_date(old: DorisType, new: DorisType) -> bool:
    return new.name == "datetime"


def _from_datetime(old: DorisType, new: DorisType) -> bool:
    return new.name == "date" or (new.name == "datetime" and (new.scale or 0) >= (old.scale or 0))


def _from_json(old: DorisType, new: DorisType) -> bool:
    return new.name == "string"


_ALLOWED: dict[str, Callable[[DorisType, DorisType], bool]] = {
    **dict.fromkeys(_INTEGERS, _from_integer),
    **dict.fromkeys(("float", "double"), _from_real),
    **dict.fromkeys(("char", "varchar"), _from_text),
    "decimal": _from_decimal,
    "date": _from_date,
    "datetime": _from_datetime,
    "json": _from_json,
}


def keeps_keys_apart(old: DorisType, new: DorisType) -> bool:
    """Whether different values stay different and equal ones equal: what the keys of a keyed table need."""
    if old.is_text and new.is_text:
        return True
    widened = old.is_integer and (new.is_integer or new.name == "decimal")
    return widened or old.name == new.name or (old.name, new.name) == ("date", "datetime")
