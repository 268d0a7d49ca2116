"""How names and texts are written in Doris SQL, so that reading them gives the same again."""

from __future__ import annotations

from collections.abc import Iterable

from sql.dialect.word import RESERVED


def ident(name: str) -> str:
    """An identifier in back quotes."""
    return "`" + name.replace("`", "``") + "`"


def idents(names: Iterable[str]) -> str:
    return ", ".join(ident(name) for name in names)


def ident_if_needed(name: str) -> str:
    """A name in back quotes only when it is no plain word."""
    plain = name.isascii() and name.replace("_", "a").isalnum() and name.upper() not in RESERVED
    return name if plain else ident(name)


def text(value: str) -> str:
    """A string in single quotes; back slashes are escapes of this dialect."""
    return "'" + _escaped(value).replace("'", "''") + "'"


def quoted(value: str) -> str:
    """A string in double quotes."""
    return '"' + _escaped(value).replace('"', '""') + '"'


def pairs_text(pairs: Iterable[tuple[str, str]], between: str = ", ") -> str:
    """The inside of PROPERTIES (…)."""
    return between.join(f"{quoted(key)} = {quoted(value)}" for key, value in pairs)


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\")
