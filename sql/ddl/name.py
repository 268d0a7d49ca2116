"""Check the names that a user gives to databases, tables, columns, partitions and streams.

Source: Doris: CREATE TABLE; Doris's rules of names with unicode support.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Protocol, TypeVar

from storage.errors import (
    INCORRECT_COLUMN_NAME,
    INCORRECT_DATABASE_NAME,
    INCORRECT_PARTITION_NAME,
    INCORRECT_TABLE_NAME,
    Kind,
)
from storage.naming import PREFIX

_OBJECT = re.compile(r"[^\W\d][\w\-$ ]{0,63}")
_COLUMN = re.compile(r"[^\x00-\x1f`]{1,256}")

_OBJECTS: dict[str, Kind] = {
    "database": INCORRECT_DATABASE_NAME,
    "table": INCORRECT_TABLE_NAME,
    "partition": INCORRECT_PARTITION_NAME,
}


def check_object(kind: str, name: str) -> str:
    """Give the name of a database, table or partition back, or raise its error: 64 characters, a letter first."""
    if not _OBJECT.fullmatch(name) or name.endswith(" "):
        raise _OBJECTS[kind](name=name)
    return name


def check_column(name: str) -> str:
    """Give a column name back, or raise INCORRECT_COLUMN_NAME; the hidden columns' prefix is reserved in any case."""
    if not _COLUMN.fullmatch(name) or name != name.strip():
        raise INCORRECT_COLUMN_NAME(name=name, reason="")
    if name.lower().startswith(PREFIX):
        raise INCORRECT_COLUMN_NAME(name=name, reason=f". The prefix {PREFIX.upper()} is reserved")
    return name


class Named(Protocol):
    """A column of a table, or one that is being declared."""

    @property
    def name(self) -> str:
        """The name as it was written."""


C = TypeVar("C", bound=Named)


def find_column(columns: Iterable[C], name: str, missing: Kind) -> C:
    """The column of that name in any case; raises `missing`, whose words name it."""
    lowered = name.lower()
    found = next((column for column in columns if column.name.lower() == lowered), None)
    if found is None:
        raise missing(name=name)
    return found
