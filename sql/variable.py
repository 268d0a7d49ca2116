"""Session and global variables: the values, who may set them, and how they are shown.

The table of names stands in sql/variable_table.py. This module parses no SQL (statement/variable.py
does) and gives no variable an effect: whoever needs one asks `Variables.get`.
Source: Doris documentation, "Variables".
"""

from __future__ import annotations

import datetime
import re
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Literal, TypeVar

from sql.variable_table import TABLE, Reach, Value, Variable
from storage.errors import (
    GLOBAL_VARIABLE,
    READ_ONLY_VARIABLE,
    UNKNOWN_VARIABLE,
    WRONG_VARIABLE_TYPE,
    WRONG_VARIABLE_VALUE,
)
from storage.zone import zone_info

Number = TypeVar("Number", int, float)
Scope = Literal["SESSION", "GLOBAL"]


class _Default(Enum):
    DEFAULT = "DEFAULT"


DEFAULT = _Default.DEFAULT  # the value of ``SET x = DEFAULT``

_SWITCH = {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}


@dataclass(frozen=True, slots=True)
class Shown:
    """One row of SHOW VARIABLES, session_variables and global_variables."""

    name: str
    value: str
    default: str
    changed: bool


class Globals:
    """The values that new sessions start from; one object for the whole server."""

    def __init__(self, fixed: Mapping[str, Value] | None = None) -> None:
        """Take what only the running server knows (port, hostname, …) as the defaults of those names."""
        self._defaults = {name: variable.default for name, variable in TABLE.items()} | dict(fixed or {})
        self._values: dict[str, Value] = {}
        self._lock = threading.Lock()

    def default(self, name: str) -> Value:
        return self._defaults[name]

    def get(self, name: str) -> Value:
        return self._values.get(name, self._defaults[name])

    def set(self, name: str, value: Value) -> None:
        with self._lock:
            self._values = {**self._values, name: value}

    def restore(self, stored: Mapping[str, Value]) -> None:
        """Take the values that SET GLOBAL has stored before; a name that is gone from the table is left out."""
        with self._lock:
            self._values = {**{name: value for name, value in stored.items() if name in TABLE}, **self._values}

    def changed(self) -> dict[str, Value]:
        """The values that differ from the defaults by a SET GLOBAL."""
        return dict(self._values)


class Variables:
    """The variables of one session: its own values over the global ones as they were when it began."""

    def __init__(self, shared: Globals | None = None) -> None:
        self._shared = shared or Globals()
        self._values = self._shared.changed()

    def get(self, name: str, scope: Scope = "SESSION") -> Value:
        """Read a variable as bool, int, float or str; raise UNKNOWN_VARIABLE."""
        variable = find(name)
        if scope == "GLOBAL" or variable.reach is Reach.GLOBAL:
            return self._shared.get(variable.name)
        return self._values.get(variable.name, self._shared.default(variable.name))

    def is_on(self, name: str) -> bool:
        """Read a switch."""
        return bool(self.get(name))

    def number(self, name: str) -> int:
        """Read a whole number; a name of another kind is the caller's mistake."""
        value = self.get(name)
        if not isinstance(value, int):
            raise TypeError(f"{name} is not a whole number")
        return value

    def has_mode(self, word: str) -> bool:
        """Whether sql_mode has this word."""
        return word in self.text("sql_mode").split(",")

    def text(self, name: str, scope: Scope = "SESSION") -> str:
        """Read a variable as SHOW VARIABLES prints it."""
        return shown(self.get(name, scope))

    def set(self, name: str, value: object, scope: Scope = "SESSION") -> None:
        """Give a variable a value of any Python type, or DEFAULT.

        Raises UNKNOWN_VARIABLE 1193, GLOBAL_VARIABLE 1229, READ_ONLY_VARIABLE 1621,
        WRONG_VARIABLE_VALUE 1231 and WRONG_VARIABLE_TYPE 1232; then nothing has changed.
        """
        variable, checked = self.check(name, value, scope)
        self._store(variable, checked, scope)

    def check(self, name: str, value: object, scope: Scope = "SESSION") -> tuple[Variable, Value]:
        """What `set` would store; nothing changes."""
        variable = settable(name, scope)
        return variable, self._reset(variable, scope) if value is DEFAULT else convert(variable, value)

    def _reset(self, variable: Variable, scope: Scope) -> Value:
        return self._shared.default(variable.name) if scope == "GLOBAL" else self._shared.get(variable.name)

    def _store(self, variable: Variable, value: Value, scope: Scope) -> None:
        for name in (variable.name, *variable.aliases):
            if scope == "GLOBAL":
                self._shared.set(name, value)
            else:
                self._values[name] = value

    @property
    def zone(self) -> datetime.tzinfo:
        """The session's time zone."""
        return zone_info(self.text("time_zone"))

    def copy(self) -> Variables:
        """An independent copy, for the SET_VAR hint of one statement."""
        other = Variables(self._shared)
        other._values = dict(self._values)
        return other

    def listing(self, scope: Scope = "SESSION") -> list[Shown]:
        """All variables sorted by name, as SHOW VARIABLES prints them."""
        return list(self._rows(sorted(TABLE), scope))

    def _rows(self, names: Iterable[str], scope: Scope) -> Iterable[Shown]:
        for name in names:
            value, default = self.get(name, scope), self._shared.default(name)
            yield Shown(name, shown(value), shown(default), value != default)


def find(name: str) -> Variable:
    """Look a variable up; names are case-insensitive and may carry Doris's ``experimental_`` prefixes."""
    lowered = re.sub(r"^(experimental|deprecated)_", "", name.lower())
    variable = TABLE.get(lowered)
    if variable is None:
        raise UNKNOWN_VARIABLE(name=name)
    return variable


def settable(name: str, scope: Scope) -> Variable:
    """Look up a variable that SET may change in this scope."""
    variable = find(name)
    if variable.reach is Reach.READ_ONLY:
        raise READ_ONLY_VARIABLE(name=name)
    if variable.reach is Reach.GLOBAL and scope != "GLOBAL":
        raise GLOBAL_VARIABLE(name=name)
    return variable


def shown(value: Value) -> str:
    """The text of a value: switches as true and false."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def convert(variable: Variable, value: object) -> Value:
    """Bring the value of a SET into the variable's type, or refuse it, a NULL under that word."""
    if value is None and (variable.reads or not isinstance(variable.default, str)):
        value = "NULL"
    if variable.reads:
        return variable.reads(value)
    if isinstance(variable.default, bool):
        return _switch(variable, value)
    if isinstance(variable.default, int):
        return _whole(variable, value)
    if isinstance(variable.default, float):
        return _real(variable, value)
    return _word(variable, value)


def _switch(variable: Variable, value: object) -> bool:
    found = _SWITCH.get(shown(value) if isinstance(value, bool) else str(value).lower())
    if found is None:
        raise WRONG_VARIABLE_VALUE(name=variable.name, value=value)
    return found


def _whole(variable: Variable, value: object) -> int:
    try:
        number = int(value if isinstance(value, int) else str(value).strip())
    except ValueError:
        raise WRONG_VARIABLE_TYPE(name=variable.name) from None
    return _within(variable, number, value)


def _real(variable: Variable, value: object) -> float:
    try:
        number = float(str(value))
    except ValueError:
        raise WRONG_VARIABLE_TYPE(name=variable.name) from None
    return _within(variable, number, value)


def _within(variable: Variable, number: Number, value: object) -> Number:
    if not variable.low <= number <= variable.high:
        raise WRONG_VARIABLE_VALUE(name=variable.name, value=value)
    return number


def _word(variable: Variable, value: object) -> str:
    """Text as it is; names with choices are matched in any case, lists (sql_mode) item by item."""
    text = "" if value is None else shown(value) if isinstance(value, bool) else str(value)
    if not variable.choices:
        return text
    known = {choice.lower(): choice for choice in variable.choices}
    items = [item.strip() for item in text.split(",")] if variable.is_list else [text]
    chosen = [known.get(item.lower()) for item in items if item or not variable.is_list]
    if None in chosen or set(chosen) & set(variable.refused):
        raise variable.refusal(name=variable.name, value=text)
    return ",".join(dict.fromkeys(item for item in chosen if item is not None))
